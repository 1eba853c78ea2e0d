// Additions for stores that know nothing like them.
#pragma once

#include "table/operations.h"

namespace mailroom::table {

// The same change as DynamoDB's own update.
UpdateItem update_of(const Addition& addition);

// Moves the additions of a transaction to the end of its actions.
void make_updates_of_additions(TransactWrite& request);

}  // namespace mailroom::table
