// Sets a count right after work that it did not follow.
#pragma once

#include "table/engine/core.h"

namespace mailroom::table {

// The entries of an index, while others write: they wait once for what is queued to be on disk.
Outcome<> recount(Core& core, const IndexDefinition& index);

}  // namespace mailroom::table
