// What the tables cost and do.
#pragma once

#include "api/metrics.h"
#include "kv/store.h"
#include "table/engine/engine.h"

namespace mailroom::app {

// Both must live as long as anybody calls metrics.text().
void add_table_metrics(api::Metrics& metrics, const table::Engine& engine, const kv::Store& rows);

}  // namespace mailroom::app
