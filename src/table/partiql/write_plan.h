// A statement that writes, as the request to the store that does it.
#pragma once

#include "table/operations.h"
#include "table/partiql/syntax.h"
#include "table/schema.h"

namespace mailroom::table::partiql {

// INSERT becomes PutItem on condition that there is no such item; UPDATE and EXISTS an UpdateItem
// and a ConditionCheck on condition that there is one; DELETE a DeleteItem that is content when
// there is none. Other conditions of the WHERE clause are conditions of the request.
// Refuses, in DynamoDB's words, a WHERE clause that does not name one item.
// `syntax` must not be a Select.
Outcome<WriteAction> plan_write(const Syntax& syntax, const TableDescription& table,
                                OnConditionFailure on_failure);

}  // namespace mailroom::table::partiql
