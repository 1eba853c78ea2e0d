// What DynamoDB refuses about a transaction as a whole.
#pragma once

#include "table/engine/core.h"
#include "table/engine/step.h"
#include "table/operations.h"

#include <cstddef>
#include <vector>

namespace mailroom::table {

constexpr std::size_t transaction_bytes_max = 4 * 1024 * 1024;  // Of all its items.

// Refuses more bytes of items than one transaction may write.
Outcome<> check_transaction_size(const std::vector<Step>& steps);
Failure transaction_too_large();

// What DynamoDB answers when preparing an action failed with `failure`. Expressions of any action
// come first, then tables that are missing. A key or item that does not fit its table cancels the
// transaction, with a reason for each action; anything else is the failure of the request. Call
// under Catalog::read() with writes; reads have found their tables already.
Failure refusal_of_transaction(Core& core, const TransactWrite& request, Failure failure);
Failure refusal_of_transaction(Core& core, const TransactGet& request, Failure failure);

}  // namespace mailroom::table
