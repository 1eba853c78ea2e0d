// Backups in the store they are of.
#pragma once

#include "table/backups.h"
#include "table/engine/backup_rows.h"
#include "table/engine/core.h"
#include "table/engine/tables.h"
#include "table/engine/writer.h"

#include <memory>
#include <string>

namespace mailroom::table {

// Thread-safe.
class BackupStore final : public Backups {
public:
    // All must outlive this object; `tables` has the thread that copies.
    BackupStore(Core& core, Writer& writer, Tables& tables)
        : core_(core), writer_(writer), tables_(tables) {}

    // Takes up the restores that were going on when the process ended, unless their source is gone,
    // and forgets the backups that were being made: the moment they were of is gone.
    Result<> resume();

    Outcome<BackupSummary> create(const CreateBackup& request) override;
    Outcome<BackupDescription> describe(const std::string& arn) const override;
    Outcome<BackupList> list(const ListBackups& request) const override;
    Outcome<BackupDescription> remove(const std::string& arn) override;
    Outcome<TableDescription> restore(const RestoreBackup& request) override;
    Outcome<ContinuousBackups> continuous(const std::string& table) const override;
    Outcome<ContinuousBackups> set_continuous(const std::string& table,
                                              const ContinuousSetting& setting) override;
    Outcome<TableDescription> restore(const RestoreToTime& request) override;

private:
    Outcome<DefinitionPtr> find_table(const std::string& name) const;
    Outcome<StoredBackup> find(const std::string& arn) const;
    Outcome<ContinuousBackups> describe_history(const Definition& table) const;
    Outcome<> change_history(Definition& table, const ContinuousSetting& setting,
                             kv::Batch& batch) const;
    Outcome<TableDescription> add_restored(Definition table);
    void fill_later(const std::string& table);

    Core& core_;
    Writer& writer_;
    Tables& tables_;
};

}  // namespace mailroom::table
