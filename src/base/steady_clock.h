// A clock that nobody sets.
#pragma once

#include "base/clock.h"

#include <chrono>

namespace mailroom {

// Begins at the time of another and only goes forward, a second in each second, also while the
// machine sleeps. It says how long something has lasted; of the time of day it knows nothing after
// a while. Thread-safe.
class SteadyClock final : public Clock {
public:
    explicit SteadyClock(const Clock& start);
    Time now() const override;

private:
    const std::chrono::nanoseconds since_;
    const Time start_;
};

}  // namespace mailroom
