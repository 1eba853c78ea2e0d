// Numbers that many writers add to and on which nobody decides (operations.h: Addition).
//
// Such a row would be the one place where all writers meet: each would wait for the row's lock, and
// write the whole item anew. So an addition locks nothing and looks at nothing. It travels with its
// batch as something deferred, and the committer's thread adds up all that meet in one commit.
#pragma once

#include "base/result.h"
#include "kv/batch.h"
#include "kv/store.h"
#include "table/engine/catalog.h"
#include "table/engine/counts.h"
#include "table/failure.h"
#include "table/operations.h"

#include <string>
#include <vector>

namespace mailroom::table {

struct PreparedAddition {
    std::string row;
    std::string what;  // What is deferred.
};

// Under Catalog::read(), until the batch is queued.
Outcome<std::vector<PreparedAddition>> prepare(const Catalog& catalog,
                                               const std::vector<Addition>& additions);

// Adds the rows of all sums that `batch` defers, and to `tally` what they change. On the
// committer's thread only: `kv` has to hold everything that is committed before `batch`.
Result<> add_sums(const kv::Store& kv, kv::Batch& batch, Tally& tally);

}  // namespace mailroom::table
