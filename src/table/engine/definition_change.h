// Changes of a table's definition that the engine makes by itself, behind the requests.
#pragma once

#include "kv/batch.h"
#include "table/engine/core.h"

#include <functional>
#include <future>

namespace mailroom::table {

// Queues `batch`; the future is ready when it is durable or has failed. Queue under the catalog's
// lock, so that what others queue knowing the change comes behind it; wait without.
std::future<Outcome<>> queue_commit(Core& core, const kv::Batch& batch);

// The definition now, if it is still the same table; else null. Under Catalog::read() or change().
DefinitionPtr current_definition(const Core& core, const Definition& listed);

// Changes the definition under the catalog's lock and waits until that is durable; returns it as it
// is then, or null when the table is gone. A change that could not be stored is taken back.
using DefinitionEdit = std::function<void(Definition&, kv::Batch&)>;
Outcome<DefinitionPtr> change_definition(Core& core, const Definition& listed,
                                         const DefinitionEdit& edit);

}  // namespace mailroom::table
