// What a table is: keys, indexes and settings, and the requests that change them.
#pragma once

#include "base/clock.h"
#include "table/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::table {

struct AttributeDefinition {
    std::string name;
    Kind kind;  // String, number or binary.
    bool operator==(const AttributeDefinition&) const = default;
};

// The attributes by which items are found.
struct KeySchema {
    std::string hash;
    std::string range;  // Empty: there is none.
    // The key of a global index may have up to four hash attributes and four range attributes:
    // these are the ones behind the first of each kind, in order.
    std::vector<std::string> more_hashes = {}, more_ranges = {};
    bool operator==(const KeySchema&) const = default;

    bool has_several() const { return !more_hashes.empty() || !more_ranges.empty(); }
    // All of each kind, in order.
    std::vector<std::string> hashes() const;
    std::vector<std::string> ranges() const;
    // The hash attributes, then the range attributes.
    std::vector<std::string> names() const;
};
// DynamoDB's limit of each kind, in the key of a global index.
constexpr std::size_t key_attributes_max = 4;

enum class ProjectionKind { all, keys_only, include };

struct Projection {
    ProjectionKind kind = ProjectionKind::all;
    std::vector<std::string> include;  // Non-key attributes, with `include` only.
    bool operator==(const Projection&) const = default;
};

enum class BillingMode { provisioned, pay_per_request };

struct Throughput {
    std::int64_t read = 0, write = 0;
    bool operator==(const Throughput&) const = default;
};

struct IndexSpec {
    std::string name;
    KeySchema keys;
    Projection projection;
    Throughput throughput;  // Global indexes only.
};

enum class TableStatus { creating, updating, deleting, active };
enum class IndexStatus { creating, updating, deleting, active };

// What a record of a stream shows of the item that changed; its key always.
enum class StreamView { keys_only, new_image, old_image, new_and_old_images };

struct StreamSpec {
    bool enabled = false;
    StreamView view = StreamView::keys_only;  // When enabled.
    bool operator==(const StreamSpec&) const = default;
};

using Tags = std::vector<std::pair<std::string, std::string>>;

struct CreateTable {
    std::string name;
    std::vector<AttributeDefinition> attributes;
    KeySchema keys;
    std::vector<IndexSpec> local_indexes;
    std::vector<IndexSpec> global_indexes;
    BillingMode billing = BillingMode::pay_per_request;
    Throughput throughput;
    bool deletion_protection = false;
    std::string table_class = "STANDARD";
    Tags tags;
    StreamSpec stream;
};

struct UpdateTable {
    std::string name;
    std::vector<AttributeDefinition> attributes;  // Those that a new index needs.
    std::optional<BillingMode> billing;
    std::optional<Throughput> throughput;
    std::optional<IndexSpec> create_index;
    std::optional<std::string> delete_index;
    std::optional<std::pair<std::string, Throughput>> update_index;
    std::optional<bool> deletion_protection;
    std::optional<std::string> table_class;
    std::optional<StreamSpec> stream;
};

struct IndexDescription {
    IndexSpec spec;
    IndexStatus status = IndexStatus::active;
    bool backfilling = false;
    std::string arn;
    std::int64_t item_count = 0, size_bytes = 0;
};

struct TableDescription {
    std::string name, id, arn;
    TableStatus status = TableStatus::active;
    Time created;
    std::vector<AttributeDefinition> attributes;
    KeySchema keys;
    std::vector<IndexDescription> local_indexes, global_indexes;
    BillingMode billing = BillingMode::pay_per_request;
    Throughput throughput;
    std::optional<Time> pay_per_request_since;
    bool deletion_protection = false;
    std::string table_class = "STANDARD";
    std::int64_t item_count = 0, size_bytes = 0;
    StreamSpec stream;
    std::string stream_arn, stream_label;  // Of the latest stream, even when it is off by now.
    // Of a table that was made from a backup.
    struct Restored {
        std::string backup_arn;  // Empty when it was made from a point in time of a table.
        std::string table_arn;
        Time at;
        bool in_progress = false;
    };
    std::optional<Restored> restored;
};

struct TableNames {
    std::vector<std::string> names;
    std::optional<std::string> last;  // Where to go on; none at the end.
};

struct TimeToLive {
    bool enabled = false;
    std::string attribute;
};

}  // namespace mailroom::table
