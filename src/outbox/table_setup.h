// Makes the outbox's tables when they are not there.
#pragma once

#include "base/result.h"
#include "table/store.h"

#include <string>

namespace mailroom::outbox {

// The table as `wanted` says, with rows that expire by the attribute named. One that is there
// stays, and gets the global indexes it lacks. An index of the same keys that projects less is made
// anew with what it has and what is wanted, where the store can do that in one step; elsewhere it
// stays. `invalid` if the table's keys are others: it is somebody else's.
Result<> ensure_table(table::Store& store, const table::CreateTable& wanted,
                      const std::string& expiry_attribute = "TTL");

}  // namespace mailroom::outbox
