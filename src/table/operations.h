// The requests and answers of table::Store: DynamoDB's item operations as plain values.
#pragma once

#include "table/failure.h"
#include "table/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace mailroom::table {

// ExpressionAttributeNames and ExpressionAttributeValues of one request, "#" and ":" included.
struct Bindings {
    std::vector<std::pair<std::string, std::string>> names;
    std::vector<std::pair<std::string, Value>> values;
};

enum class ReturnValues { none, all_old, updated_old, all_new, updated_new };
// Whether a refused condition shows the item that refused it.
enum class OnConditionFailure { none, all_old };

// Capacity units, as DynamoDB would have counted them.
struct Consumed {
    std::string table;
    double table_read = 0, table_write = 0;
    struct Index {
        std::string name;
        bool local = false;
        double read = 0, write = 0;
    };
    std::vector<Index> indexes;
};

struct GetItem {
    std::string table;
    Item key;
    std::string projection;  // An empty expression is no expression, here and below.
    Bindings bind;
    bool consistent = false;
};

struct GetResult {
    std::optional<Item> item;
    Consumed consumed;
};

struct PutItem {
    std::string table;
    Item item;
    std::string condition;
    Bindings bind;
    ReturnValues returns = ReturnValues::none;
    OnConditionFailure on_failure = OnConditionFailure::none;
};

struct UpdateItem {
    std::string table;
    Item key;
    std::string update;
    std::string condition;
    Bindings bind;
    ReturnValues returns = ReturnValues::none;
    OnConditionFailure on_failure = OnConditionFailure::none;
};

struct DeleteItem {
    std::string table;
    Item key;
    std::string condition;
    Bindings bind;
    ReturnValues returns = ReturnValues::none;
    OnConditionFailure on_failure = OnConditionFailure::none;
};

// Only in transactions.
struct ConditionCheck {
    std::string table;
    Item key;
    std::string condition;
    Bindings bind;
    OnConditionFailure on_failure = OnConditionFailure::none;
};

struct WriteResult {
    std::optional<Item> attributes;  // As `returns` asked; none when there is nothing to show.
    Consumed consumed;
};

using WriteAction = std::variant<PutItem, UpdateItem, DeleteItem, ConditionCheck>;

// Adds whole numbers to number attributes of an item, which is made if it is not there.
//
// For sums that many add to at once and on which nobody decides: where a store can, those who add
// to one item do not wait for each other. An item that is added to like this must be written in no
// other way, and its table has no indexes and no stream. Never asked for from outside.
struct Addition {
    std::string table;
    Item key;
    std::vector<std::pair<std::string, std::int64_t>>
        numbers;  // Each attribute once; not the key's.
};

struct TransactWrite {
    std::vector<WriteAction> actions;
    std::vector<Addition> additions = {};  // With the actions, or not at all. Each item once.
    // ClientRequestToken: the same request with the same token within ten minutes is done once.
    std::string token;
    // The caller answers for it that no item that is put by one of the first so many actions can be
    // there, because its key was made up for it just now. A store may then save itself looking for
    // it.
    std::size_t new_puts_end = 0;
};

struct TransactWriteResult {
    std::vector<Consumed> consumed;  // One per table.
};

struct TransactGet {
    std::vector<GetItem> gets;
};

struct TransactGetResult {
    std::vector<std::optional<Item>> items;  // In the order asked.
    std::vector<Consumed> consumed;
};

enum class Select { unset, all_attributes, all_projected_attributes, specific_attributes, count };

struct Query {
    std::string table;
    std::string index;  // Empty: the table itself.
    std::string key_condition;
    std::string filter;
    std::string projection;
    Bindings bind;
    Select select = Select::unset;
    std::optional<std::int64_t> limit;
    std::optional<Item> start_key;
    bool forward = true;
    bool consistent = false;
};

struct Scan {
    std::string table;
    std::string index;
    std::string filter;
    std::string projection;
    Bindings bind;
    Select select = Select::unset;
    std::optional<std::int64_t> limit;
    std::optional<Item> start_key;
    std::optional<std::int64_t> segment, total_segments;
    bool consistent = false;
};

struct Page {
    std::vector<Item> items;  // Empty with Select::count.
    std::size_t count = 0;
    std::size_t scanned_count = 0;
    std::optional<Item> last_key;  // Where to go on; none when this was the last page.
    Consumed consumed;
};

struct BatchGet {
    struct PerTable {
        std::string table;
        std::vector<Item> keys;
        std::string projection;
        Bindings bind;
        bool consistent = false;
    };
    std::vector<PerTable> tables;
};

struct BatchGetResult {
    struct PerTable {
        std::string table;
        std::vector<Item> items;
    };
    std::vector<PerTable> tables;
    BatchGet unprocessed;  // What did not fit into one answer (16 MB).
    std::vector<Consumed> consumed;
};

struct BatchWrite {
    struct Put {
        Item item;
    };
    struct Delete {
        Item key;
    };
    using Action = std::variant<Put, Delete>;
    struct PerTable {
        std::string table;
        std::vector<Action> actions;
    };
    std::vector<PerTable> tables;
};

struct BatchWriteResult {
    BatchWrite unprocessed;
    std::vector<Consumed> consumed;
};

}  // namespace mailroom::table
