#include "schedule/backoff.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace mailroom::schedule {

namespace {

// Evenly in [0, 1).
double fraction(Random& random) {
    std::array<std::uint8_t, 8> bytes{};
    random.fill(bytes);
    std::uint64_t number = 0;
    for (const auto byte : bytes) number = number << 8 | byte;
    return static_cast<double>(number >> 11) * 0x1p-53;
}

}  // namespace

std::chrono::milliseconds Backoff::pause(std::int64_t failures, Random& random) const {
    assert(failures >= 1 && factor >= 1 && jitter >= 0 && jitter <= 1);
    // The power of a large number of failures is infinite, which is longer than `longest` too.
    const double grown =
        static_cast<double>(first.count()) * std::pow(factor, static_cast<double>(failures - 1));
    const double whole = std::min(grown, static_cast<double>(longest.count()));
    return std::chrono::milliseconds(std::llround(whole * (1 - jitter * fraction(random))));
}

}  // namespace mailroom::schedule
