#include "base/at_once.h"

#include <gtest/gtest.h>

#include <numeric>

namespace mailroom {
namespace {

std::vector<int> numbers(int count) {
    std::vector<int> all(static_cast<std::size_t>(count));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

TEST(EachAtOnce, EachIsDoneOnceOnHoweverManyThreads) {
    for (const std::size_t threads : {0U, 1U, 2U, 7U, 200U}) {
        for (const int count : {0, 1, 100}) {
            std::vector<std::atomic<int>> done(static_cast<std::size_t>(count));
            const auto result = each_at_once(threads, numbers(count), [&](int number) -> Result<> {
                ++done[static_cast<std::size_t>(number)];
                return Ok{};
            });
            EXPECT_TRUE(result);
            for (const auto& times : done) EXPECT_EQ(times, 1) << threads;
        }
    }
}

TEST(EachAtOnce, AFailureEndsItAndIsTold) {
    std::atomic<int> done = 0;
    const auto result = each_at_once(1, numbers(100), [&](int number) -> Result<> {
        ++done;
        if (number == 3) return Error{Errc::unavailable, "three"};
        return Ok{};
    });
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message, "three");
    EXPECT_EQ(done, 4);
    const auto at_once = each_at_once(4, numbers(100), [&](int) -> Result<> {
        return Error{Errc::unavailable, "each"};
    });
    EXPECT_FALSE(at_once);
}

// Were they one after the other, the first would wait for ever.
TEST(EachAtOnce, SeveralAreInHandAtOneTime) {
    std::atomic<int> in_hand = 0;
    const auto result = each_at_once(3, numbers(3), [&](int) -> Result<> {
        ++in_hand;
        while (in_hand < 3) std::this_thread::yield();
        return Ok{};
    });
    EXPECT_TRUE(result);
}

}  // namespace
}  // namespace mailroom
