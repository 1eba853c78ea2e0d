// Reads and writes more rows than a store takes at once, and bears with one that is busy.
#pragma once

#include "base/result.h"
#include "table/store.h"

#include <string>
#include <vector>

namespace mailroom::table {

// The rows of all tables asked for, in any order, those left out because there is no such row; as
// many keys as you like. `throttled` if the store stays too busy.
Result<std::vector<Item>> get_all(Store& store, const BatchGet& request);

// The same for rows of one table, as they are now.
Result<std::vector<Item>> get_all(Store& store, const std::string& table, std::vector<Item> keys);

// All rows of a query, page after page.
Result<std::vector<Item>> query_all(Store& store, Query query);

// Writes all, in any order, each key once. Those before a failure stay written.
Result<> write_all(Store& store, const std::string& table, std::vector<BatchWrite::Action> actions);
// The same of rows that are to go.
Result<> erase_all(Store& store, const std::string& table, std::vector<Item> keys);

}  // namespace mailroom::table
