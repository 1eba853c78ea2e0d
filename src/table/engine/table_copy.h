// The long work of backups: copying the items of a table out, and into a new one.
#pragma once

#include "kv/store.h"
#include "table/engine/backup_rows.h"
#include "table/engine/core.h"
#include "table/engine/jobs.h"
#include "table/engine/writer.h"

#include <memory>

namespace mailroom::table {

// Both return early when `jobs` is stopping: the work stays due. After a failure, doing it once
// more with the same snapshot does no harm.

// Copies the items that `snapshot` has into the backup, and then makes it available.
Outcome<> copy_out(Core& core, const Jobs& jobs, const StoredBackup& backup,
                   const kv::Snapshot& snapshot);

// Fills the table that is being restored, and then lets others use it. Every item of the source is
// put there, also one that an index leaves out. Ends early when the table is deleted.
Outcome<> copy_in(Core& core, Writer& writer, const Jobs& jobs, const DefinitionPtr& table,
                  const kv::Snapshot& snapshot);

}  // namespace mailroom::table
