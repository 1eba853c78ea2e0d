// What the process takes of its machine, and what it is.
#pragma once

#include "base/clock.h"
#include "program/metrics.h"

#include <filesystem>

namespace mailroom::app {

// mailroom_build_info, process_* under the names that Prometheus's own clients use, and the room on
// the disk of `data`. `started` is now.
void add_process_metrics(program::Metrics& metrics, const std::filesystem::path& data,
                         Time started);

}  // namespace mailroom::app
