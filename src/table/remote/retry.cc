#include "table/remote/retry.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>

namespace mailroom::table::remote {

namespace {

// From 0 to `largest`, both included. The bias of the remainder is below 2^-40 for a day of
// milliseconds.
std::int64_t random_up_to(std::int64_t largest, Random& random) {
    std::array<std::uint8_t, sizeof(std::uint64_t)> bytes;
    random.fill(bytes);
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return static_cast<std::int64_t>(number % (static_cast<std::uint64_t>(largest) + 1));
}

}  // namespace

std::chrono::milliseconds backoff(const RetryOptions& options, int attempts, Random& random) {
    assert(attempts >= 1);
    auto largest = std::min(options.backoff_base, options.backoff_max);
    for (int i = 1; i < attempts && largest < options.backoff_max; ++i) {
        largest = std::min(largest * 2, options.backoff_max);
    }
    return std::chrono::milliseconds(random_up_to(largest.count(), random));
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
