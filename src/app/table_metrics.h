// What the tables cost and do.
#pragma once

#include "kv/store.h"
#include "program/metrics.h"
#include "table/engine/engine.h"

namespace mailroom::app {

// Both must live as long as anybody calls metrics.text().
void add_table_metrics(program::Metrics& metrics, const table::Engine& engine,
                       const kv::Store& rows);

}  // namespace mailroom::app
