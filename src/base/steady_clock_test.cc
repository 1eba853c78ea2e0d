#include "base/steady_clock.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

TEST(SteadyClock, BeginsAtTheTimeOfAnotherAndGoesItsOwnWay) {
    ManualClock clock{from_unix_ms(1'794'721'884'000)};
    const SteadyClock steady(clock);
    const auto before = steady.now();
    EXPECT_GE(before, clock.now());
    clock.set(from_unix_ms(0));
    EXPECT_GE(steady.now(), before) << "whoever sets the other does not set this one";
    EXPECT_LT(steady.now() - before, std::chrono::hours(1));
}

}  // namespace
}  // namespace mailroom
