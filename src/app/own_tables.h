// The tables of this server: those that its programs declare, and those of what serves them.
#pragma once

#include "base/result.h"
#include "program/house.h"
#include "table/engine/engine.h"
#include "table/own_tables.h"

#include <vector>

namespace mailroom::app {

std::vector<table::OwnTable> declared_tables(const program::House& programs);

// Those that are declared to be kept with their history have one from now on: what was drafted,
// approved and sent to whom can be brought back as it was at any moment. Whoever wants less of that
// shortens it.
Result<> keep_histories(table::Engine& engine, const std::vector<table::OwnTable>& declared);

// A table that somebody else made under a name that is ours is not to be found: that must not go
// without a word.
Result<> warn_of_hidden_tables(table::Engine& engine, const table::OwnTables& own);

}  // namespace mailroom::app
