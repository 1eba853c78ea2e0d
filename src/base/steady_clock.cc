#include "base/steady_clock.h"

#include <time.h>

#include <cassert>

namespace mailroom {

namespace {

std::chrono::nanoseconds since_boot() {
    timespec now{};
    // As CLOCK_MONOTONIC, which stands still while the machine sleeps.
    [[maybe_unused]] const int failed = ::clock_gettime(CLOCK_BOOTTIME, &now);
    assert(failed == 0);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

SteadyClock::SteadyClock(const Clock& start) : since_(since_boot()), start_(start.now()) {}

Time SteadyClock::now() const {
    return start_ + std::chrono::floor<std::chrono::milliseconds>(since_boot() - since_);
}

}  // namespace mailroom
