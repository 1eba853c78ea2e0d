// From items and keys to row keys, with DynamoDB's checks on key attributes.
#pragma once

#include "table/engine/definition.h"
#include "table/failure.h"

#include <optional>
#include <string>

namespace mailroom::table {

// The row of a `Key` parameter: exactly the table's key attributes.
Outcome<std::string> row_of_key(const Definition& table, const ItemView& key);
// The row of a whole item: its key attributes among others.
Outcome<std::string> row_of_item(const Definition& table, const ItemView& item);

// Refuses an item whose attribute cannot be the key of an index that names it.
Outcome<> check_index_keys(const Definition& table, const ItemView& item);

// The key attributes of an item, as LastEvaluatedKey shows them (`index` may be null).
Item key_of(const Definition& table, const IndexDefinition* index, const ItemView& item);

}  // namespace mailroom::table
