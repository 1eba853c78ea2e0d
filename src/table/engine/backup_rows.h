// The rows of backups.
#pragma once

#include "base/result.h"
#include "kv/store.h"
#include "table/backups.h"
#include "table/engine/definition.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

struct BackupRow {
    std::uint32_t id = 0;
    std::string name;
    Time created;
    bool available = false;
    std::int64_t items = 0, bytes = 0;  // When available.
    std::string definition;             // Of the table, as encode_definition() wrote it.

    std::string arn(const Definition& table) const;
};

std::string backup_key(std::uint32_t backup);
std::string encode_backup_row(const BackupRow& row);
Result<BackupRow> decode_backup_row(std::string_view bytes);

// A backup with the table that it is of.
struct StoredBackup {
    BackupRow row;
    Definition table;

    std::string arn() const { return row.arn(table); }
    BackupDescription describe() const;
};
Result<std::vector<StoredBackup>> read_backups(const kv::Store& kv);

}  // namespace mailroom::table
