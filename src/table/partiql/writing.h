// Does what a single INSERT, UPDATE or DELETE says.
#pragma once

#include "table/partiql/executor.h"
#include "table/store.h"

namespace mailroom::table::partiql {

// `duplicate_item` when an INSERT meets an item with its key. Refuses EXISTS, which is for
// transactions. `syntax` must not be a Select.
Outcome<StatementResult> write(Store& store, const Syntax& syntax, const TableDescription& table,
                               OnConditionFailure on_failure);

// What DynamoDB says of an INSERT whose key is taken.
constexpr const char* duplicate_item_message = "Duplicate primary key exists in table";

}  // namespace mailroom::table::partiql
