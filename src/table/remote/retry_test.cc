#include "table/remote/retry.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mailroom::table::remote {
namespace {

using namespace std::chrono_literals;

TEST(Backoff, IsAnywhereBelowABoundThatDoublesUpToTheLargest) {
    struct Case {
        int attempts;
        std::chrono::milliseconds bound;
    };
    const Case cases[] = {{1, 50ms}, {2, 100ms}, {3, 200ms}, {9, 12'800ms}, {10, 20s}, {99, 20s}};
    SeededRandom random(7);
    for (const auto& c : cases) {
        SCOPED_TRACE(c.attempts);
        auto shortest = 1h + 0ms, longest = 0ms;
        for (int i = 0; i < 2000; ++i) {
            const auto wait = backoff({}, c.attempts, random);
            shortest = std::min(shortest, wait);
            longest = std::max(longest, wait);
        }
        EXPECT_LE(longest, c.bound);
        EXPECT_GE(longest, c.bound * 9 / 10) << "all of the range is used";
        EXPECT_LE(shortest, c.bound / 10);
    }
}

TEST(RetryBudget, RunsOutAndIsFilledUpToItsCapacity) {
    RetryBudget budget;
    for (int i = 0; i < RetryBudget::capacity / RetryBudget::retry_cost; ++i) {
        ASSERT_TRUE(budget.spend(RetryBudget::retry_cost));
    }
    EXPECT_FALSE(budget.spend(1));
    budget.refund(RetryBudget::retry_cost);
    EXPECT_FALSE(budget.spend(RetryBudget::timeout_cost));
    EXPECT_TRUE(budget.spend(RetryBudget::retry_cost));
    budget.refund(RetryBudget::capacity * 2);
    EXPECT_FALSE(budget.spend(RetryBudget::capacity + 1));
    EXPECT_TRUE(budget.spend(RetryBudget::capacity));
}

}  // namespace
}  // namespace mailroom::table::remote
