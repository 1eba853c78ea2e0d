// A table as the engine knows it: its schema with ids, its indexes, its settings. A Definition is
// never changed; a new one replaces it.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "table/engine/counts.h"
#include "table/engine/rows.h"
#include "table/schema.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

using Key = AttributeDefinition;  // A key attribute and its type.

constexpr std::size_t hash_bytes_max = 2048;   // DynamoDB's limit on a partition key.
constexpr std::size_t range_bytes_max = 1024;  // DynamoDB's limit on a sort key.

// The attributes by which rows of a table or an index are found.
struct Keys {
    std::vector<Key> attributes;  // Those of the hash key, then those of the range key.
    std::size_t hash_count = 1;

    std::span<const Key> hashes() const { return std::span(attributes).first(hash_count); }
    std::span<const Key> ranges() const { return std::span(attributes).subspan(hash_count); }
    bool has(std::string_view name) const;
};

// Which attributes of an item make its entry in an index, in order of their names.
struct EntryShape {
    std::vector<std::string> names;
    // Which of them make the row, in this order: the index's keys, then the table's.
    std::vector<std::size_t> parts;
    Spread spread = Spread::hashed;  // The table's.
};

struct IndexDefinition {
    std::uint32_t id = 0;
    IndexSpec spec;
    Keys keys;
    EntryShape entry;  // See shape_entries.
    bool local = false;
    IndexStatus status = IndexStatus::active;
    bool backfilling = false;
    // Leaves out items with longer keys than the limits allow. Older indexes hold them, so that the
    // entry is found again when the item goes.
    bool bounded = false;
    // All definitions of one index share it.
    std::shared_ptr<Counter> counter = std::make_shared<Counter>();
};

// The latest stream of a table.
struct TableStream {
    std::uint32_t id = 0;
    StreamView view = StreamView::keys_only;
    Time started;  // Names it, to the millisecond.
    bool enabled = false;
    int days = 0;  // How long records are kept, when it is the history of a table.

    // "2026-11-15T16:20:23.123"
    std::string label() const;
    std::string arn(const std::string& table_arn) const;
};

// What fills a table that is being restored.
struct RestoreSource {
    std::uint32_t backup = 0;              // 0: a table, as it was at a point in time.
    std::uint32_t table = 0, history = 0;  // Ids of that table and of the stream of its history.
    Time until;
};

struct Definition {
    std::uint32_t id = 0;
    std::string name, uuid, arn;
    Time created;
    std::vector<AttributeDefinition> attributes;
    KeySchema key_schema;
    Keys keys;
    Spread spread = Spread::hashed;
    std::vector<IndexDefinition> indexes;
    BillingMode billing = BillingMode::pay_per_request;
    Throughput throughput;
    std::optional<Time> pay_per_request_since;
    bool deletion_protection = false;
    std::string table_class = "STANDARD";
    Tags tags;
    std::string ttl_attribute;  // Empty: nothing expires.
    // Items written before time-to-live was turned on still lack their expiry rows.
    bool ttl_backfilling = false;
    // How often time-to-live was changed since the process began; not stored.
    std::uint64_t ttl_changes = 0;
    std::optional<TableStream> stream;
    // What items were before they changed, for restoring the table to a point in time.
    std::optional<TableStream> history;
    std::optional<TableDescription::Restored> restored;
    std::optional<RestoreSource> restoring;  // Not to be used before that is done.
    std::shared_ptr<Counter> counter = std::make_shared<Counter>();

    const IndexDefinition* index(std::string_view index_name) const;
    // Whether the attribute is a key of the table or of one of its indexes.
    bool uses(const std::string& attribute) const;
    bool has_stream() const { return stream && stream->enabled; }
    // Whether changes of its items are recorded, for a stream or for its history.
    bool records_changes() const { return has_stream() || history; }
    TableDescription describe() const;
};

using DefinitionPtr = std::shared_ptr<const Definition>;

// The key attributes with their types; the attributes must define them.
Keys resolve_keys(const KeySchema& schema, const std::vector<AttributeDefinition>& attributes);

// Sets the `entry` of each index from the keys and projections. The catalog does it for each
// definition that it holds.
void shape_entries(Definition& definition);

// The catalog row, both ways. `corrupt` when the bytes are not a definition.
std::string encode_definition(const Definition& definition);
Result<Definition> decode_definition(std::string_view bytes);

}  // namespace mailroom::table
