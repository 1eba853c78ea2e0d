// A page of a query or scan: walks a range of rows, filters, projects, and stops at the limits.
#pragma once

#include "table/engine/core.h"
#include "table/operations.h"

#include <cstddef>
#include <optional>
#include <string>

namespace mailroom::table {

// Half-open range of row keys, walked forwards or backwards.
struct RowRange {
    std::string from, to;
    bool forward = true;
};

// What is read, and what is done with each row.
struct PageRequest {
    DefinitionPtr table;
    const IndexDefinition* index = nullptr;  // Null: the table itself.
    RowRange range;
    std::optional<BoundCondition> filter;
    std::optional<BoundProjection> projection;
    bool fetch_items = false;  // Entries lack attributes that were asked for: read the items too.
    bool count_only = false;
    bool consistent = false;
    std::optional<std::size_t> limit;
    // Gives up when more bytes of rows than this would be read.
    std::optional<std::size_t> bytes_max;
};

// None when the page was given up.
Outcome<std::optional<Page>> read_page(const kv::Store& kv, const PageRequest& request);

// Read units for that many bytes, all items of one page together.
double read_units(std::size_t bytes, bool consistent);

// The table or one of its indexes, by name.
Outcome<const IndexDefinition*> find_index(const Definition& table, const std::string& name);

// The row that an ExclusiveStartKey names, there or not.
Outcome<std::string> row_of_start_key(const Definition& table, const IndexDefinition* index,
                                      const Item& start_key);
// Narrows the range to what lies behind the row; false when the row is not in the range.
bool start_behind(std::string_view row, RowRange& range);

// What `select` and `projection` come to; refuses combinations that DynamoDB refuses.
Outcome<> apply_select(Select select, bool has_projection, PageRequest& request);

}  // namespace mailroom::table
