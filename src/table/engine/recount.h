// Sets counters right after work that they did not follow.
#pragma once

#include "table/engine/core.h"

namespace mailroom::table {

// The entries of an index, while others write: they wait once for what is queued to be on disk.
Outcome<> recount_in_use(Core& core, const IndexDefinition& index);
// The items of a table and the entries of all its indexes, while nobody writes to it.
Outcome<> recount_unused(Core& core, const Definition& table);

}  // namespace mailroom::table
