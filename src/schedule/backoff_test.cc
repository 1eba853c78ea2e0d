#include "schedule/backoff.h"

#include <gtest/gtest.h>

namespace mailroom::schedule {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Backoff, GrowsByItsFactorUpToTheLongest) {
    SeededRandom random(1);
    const Backoff backoff{.first = seconds(30), .longest = seconds(200), .factor = 2, .jitter = 0};
    EXPECT_EQ(backoff.pause(1, random), seconds(30));
    EXPECT_EQ(backoff.pause(2, random), seconds(60));
    EXPECT_EQ(backoff.pause(3, random), seconds(120));
    EXPECT_EQ(backoff.pause(4, random), seconds(200));
    EXPECT_EQ(backoff.pause(1'000'000'000, random), seconds(200));
}

TEST(Backoff, JitterOnlyShortensAndUsesItsWholeRange) {
    SeededRandom random(1);
    const Backoff backoff{
        .first = seconds(100), .longest = seconds(100), .factor = 1, .jitter = 0.25};
    auto shortest = milliseconds::max(), longest = milliseconds::min();
    for (int i = 0; i < 1000; ++i) {
        const auto pause = backoff.pause(1, random);
        shortest = std::min(shortest, pause);
        longest = std::max(longest, pause);
    }
    EXPECT_GE(shortest, seconds(75));
    EXPECT_LT(shortest, seconds(76));
    EXPECT_LE(longest, seconds(100));
    EXPECT_GT(longest, seconds(99));
}

}  // namespace
}  // namespace mailroom::schedule
