// The order in which a batch is best written.
#pragma once

#include "kv/batch.h"

#include <cstdint>
#include <vector>

namespace mailroom::kv {

// Numbers of changes of the batch that together do what the whole batch does: in order of their
// keys, and of several changes of one key only the last. Who keeps rows in order finds the place of
// each near the one before. A batch that erases ranges is left in its own order.
std::vector<std::uint32_t> order_by_key(const Batch& batch);

}  // namespace mailroom::kv
