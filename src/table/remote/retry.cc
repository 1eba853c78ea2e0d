#include "table/remote/retry.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace mailroom::table::remote {

std::chrono::milliseconds backoff(const RetryOptions& options, int attempts, Random& random) {
    assert(attempts >= 1);
    auto largest = std::min(options.backoff_base, options.backoff_max);
    for (int i = 1; i < attempts && largest < options.backoff_max; ++i) {
        largest = std::min(largest * 2, options.backoff_max);
    }
    return std::chrono::milliseconds(
        random_up_to(random, static_cast<std::uint64_t>(largest.count())));
}

bool RetryBudget::spend(int cost) {
    const std::lock_guard lock(mutex_);
    if (left_ < cost) return false;
    left_ -= cost;
    return true;
}

void RetryBudget::refund(int amount) {
    const std::lock_guard lock(mutex_);
    left_ = std::min(left_ + amount, capacity);
}

}  // namespace mailroom::table::remote
