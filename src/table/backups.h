// Backups of tables: copies on demand, and up to 35 days of a table to the millisecond.
#pragma once

#include "base/clock.h"
#include "table/failure.h"
#include "table/schema.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::table {

struct BackupSummary {
    std::string arn, name;
    std::string table, table_id, table_arn;
    Time created;
    std::int64_t size_bytes = 0;
    bool available = false;  // Until then it is being made.
};

struct BackupDescription {
    BackupSummary summary;
    TableDescription source;    // As it was.
    std::string ttl_attribute;  // Empty: nothing expired.
};

struct BackupList {
    std::vector<BackupSummary> backups;
    std::optional<std::string> last;  // The ARN to go on behind; none at the end.
};

struct CreateBackup {
    std::string table, name;
};

struct ListBackups {
    static constexpr std::size_t limit_max = 100;

    std::optional<std::string> table;
    std::optional<Time> from, to;  // When it was made: from <= created < to.
    std::string after;             // An ARN; empty: from the beginning.
    std::size_t limit = limit_max;
    bool made_by_users = true;  // All are; those that services made are none.
};

// How a restored table differs from its source.
struct RestoreOverrides {
    std::optional<BillingMode> billing;
    std::optional<Throughput> throughput;
    // The indexes to keep, by name; all without.
    std::optional<std::vector<std::string>> local_indexes, global_indexes;
};

struct RestoreBackup {
    std::string arn;
    std::string target;
    RestoreOverrides overrides;
};

struct RestoreToTime {
    std::string source, target;
    std::optional<Time> at;  // None: now.
    RestoreOverrides overrides;
};

// Whether the changes of a table are kept, and for how long.
struct ContinuousSetting {
    static constexpr int days_max = 35;

    bool enabled = false;
    int days = days_max;  // 1 to days_max.
};

// Whether a table can be restored to a point in time, and to which.
struct ContinuousBackups {
    ContinuousSetting setting;
    Time earliest, latest;  // When enabled.
};

// A restored table has the items, keys, indexes and throughput of its source, but neither its
// stream, tags, time-to-live nor protection, as with DynamoDB.
class Backups {
public:
    virtual ~Backups() = default;

    // Returns when the backup is certain; the copying goes on behind. `table_not_found`.
    virtual Outcome<BackupSummary> create(const CreateBackup& request) = 0;
    // `backup_not_found`, here and below.
    virtual Outcome<BackupDescription> describe(const std::string& arn) const = 0;
    virtual Outcome<BackupList> list(const ListBackups& request) const = 0;
    // Returns what was deleted. `backup_in_use` while it is being made.
    virtual Outcome<BackupDescription> remove(const std::string& arn) = 0;
    // The new table is filled behind and can be used when it is active. `table_already_exists`.
    virtual Outcome<TableDescription> restore(const RestoreBackup& request) = 0;

    // `table_not_found`, here and below.
    virtual Outcome<ContinuousBackups> continuous(const std::string& table) const = 0;
    // Fewer days forget what is older; more days let what is kept grow.
    virtual Outcome<ContinuousBackups> set_continuous(const std::string& table,
                                                      const ContinuousSetting& setting) = 0;
    // As restore(). `point_in_time_unavailable`, `invalid_restore_time`.
    virtual Outcome<TableDescription> restore(const RestoreToTime& request) = 0;
};

// The name of the table in the ARN of a backup; none if it is none.
std::optional<std::string> table_of_backup(const std::string& arn);

}  // namespace mailroom::table
