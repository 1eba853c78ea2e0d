// Brings the rows of a table in line with its definition: fills indexes and expiry rows that were
// added when the table had items already, and erases those of indexes that were dropped.
#pragma once

#include "table/engine/core.h"
#include "table/engine/jobs.h"
#include "table/engine/writer.h"

#include <future>

namespace mailroom::table {

// Each returns when done, or early when `jobs` is stopping or the table is gone. `listed` is the
// table as it was when the job was posted. A storage failure leaves the work due: it is taken up at
// the next start.
void fill_rows(Core& core, Writer& writer, const Jobs& jobs, const DefinitionPtr& listed);
void erase_dropped_indexes(Core& core, const DefinitionPtr& listed);

// Queues `batch`; the future is ready when it is durable or has failed. Queue under the catalog's
// lock, so that what others queue knowing the change comes behind it; wait without.
std::future<Outcome<>> queue_commit(Core& core, const kv::Batch& batch);

}  // namespace mailroom::table
