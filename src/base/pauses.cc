#include "base/pauses.h"

#include "base/random.h"
#include "base/sleeper.h"

#include <algorithm>
#include <cassert>

namespace mailroom {

Pauses::Pauses(const Plan& plan, Random& random, Sleeper& sleeper)
    : plan_(plan), random_(&random), sleeper_(&sleeper), next_(std::min(plan.first, plan.longest)) {
    assert(plan.first.count() > 0 && plan.longest.count() > 0);
}

bool Pauses::again() {
    if (tries_ >= plan_.tries_max) return false;
    ++tries_;
    const auto surely = next_ / 2;
    const auto chance = static_cast<std::uint64_t>((next_ - surely).count());
    const auto pause = surely + std::chrono::milliseconds(random_up_to(*random_, chance));
    next_ = std::min(next_ * 2, plan_.longest);
    return sleeper_->sleep(pause);
}

Pauses system_pauses(const Pauses::Plan& plan) {
    static SystemRandom random;
    static SystemSleeper sleeper;
    return Pauses(plan, random, sleeper);
}

}  // namespace mailroom
