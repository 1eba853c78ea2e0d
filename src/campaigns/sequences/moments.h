// Until when a step waits.
#pragma once

#include "base/clock.h"
#include "campaigns/sequences/definition.h"
#include "campaigns/sequences/local_clock.h"
#include "people/profile.h"

#include <optional>

namespace mailroom::campaigns {

struct WaitTarget {
    std::optional<Time> time;  // None: the person has no such date.
    bool has_passed = false;   // It was before they arrived.
};

WaitTarget target_of(const WaitStep& wait, Time arrived,
                     const std::optional<people::Profile>& profile, const LocalClock& clock);

}  // namespace mailroom::campaigns
