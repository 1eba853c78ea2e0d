// Reads many rows by key.
#pragma once

#include "base/result.h"
#include "table/store.h"

#include <vector>

namespace mailroom::outbox {

// The rows of all tables asked for, in any order, those left out because there is no such row.
// `throttled` if the store does not give all of them in several attempts.
Result<std::vector<table::Item>> get_all(table::Store& store, table::BatchGet request);

}  // namespace mailroom::outbox
