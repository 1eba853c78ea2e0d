// Sets counters right after work that they did not follow.
#pragma once

#include "table/engine/core.h"

namespace mailroom::table {

// Counts the entries of an index, or the items of a table and the entries of all its indexes,
// exactly, while others write. They wait once for what is queued to be on disk.
Outcome<> recount(Core& core, const IndexDefinition& index);
Outcome<> recount(Core& core, const Definition& table);

}  // namespace mailroom::table
