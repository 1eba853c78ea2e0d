// When to try again.
#pragma once

#include "base/random.h"

#include <chrono>
#include <cstdint>

namespace mailroom::schedule {

// Pauses that grow by `factor` from `first` up to `longest`, each shortened by up to `jitter` of
// itself at random, so that those who failed together do not come back together.
struct Backoff {
    std::chrono::milliseconds first = std::chrono::seconds(30);
    std::chrono::milliseconds longest = std::chrono::hours(1);
    double factor = 2;
    double jitter = 0.25;

    // After the `failures`th failure (from 1).
    std::chrono::milliseconds pause(std::int64_t failures, Random& random) const;
};

}  // namespace mailroom::schedule
