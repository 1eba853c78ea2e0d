// Makes a table that is not there yet, or lacks something: the one way for all of Mailroom.
#pragma once

#include "base/result.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <span>

namespace mailroom::table {

// The table as it is declared, ready for use. One that is there stays, and gets the global indexes
// it lacks, one after the other: a remote store makes one at a time, so the table is looked at
// again, with pauses, until nothing is missing. The last one may still be filling from the rows
// that are there; asking it is refused until it is full. An index of the same keys that projects
// less is made anew with what it has and what is wanted, where the store can do that in one step.
//
// Any number of nodes may do this at once. `invalid` if the table's keys are others: it is somebody
// else's. `unavailable` if it is not ready after two minutes.
Result<> ensure_table(Store& store, const OwnTable& declared);
Result<> ensure_tables(Store& store, std::span<const OwnTable> declared);

}  // namespace mailroom::table
