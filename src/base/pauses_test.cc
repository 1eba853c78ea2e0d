#include "base/pauses.h"

#include "base/random.h"
#include "base/sleeper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <thread>
#include <vector>

namespace mailroom {
namespace {

using namespace std::chrono_literals;

struct Slept final : Sleeper {
    bool sleep(std::chrono::milliseconds duration) override {
        pauses.push_back(duration);
        return has_time;
    }
    std::vector<std::chrono::milliseconds> pauses;
    bool has_time = true;
};

TEST(Pauses, GrowToTheLongestAndEndAfterTheLastTry) {
    SeededRandom random(1);
    Slept slept;
    Pauses pauses({.first = 10ms, .longest = 60ms, .tries_max = 6}, random, slept);
    while (pauses.again()) {
    }
    const std::vector<std::chrono::milliseconds> longest = {10ms, 20ms, 40ms, 60ms, 60ms};
    ASSERT_EQ(slept.pauses.size(), longest.size());
    for (std::size_t i = 0; i < longest.size(); ++i) {
        EXPECT_LE(slept.pauses[i], longest[i]);
        EXPECT_GE(slept.pauses[i], longest[i] / 2);
    }
    EXPECT_FALSE(pauses.again());
    EXPECT_EQ(slept.pauses.size(), longest.size());
}

TEST(Pauses, AreNotTheSameForThoseWhoMet) {
    SeededRandom random(2);
    Slept slept;
    for (int i = 0; i < 200; ++i) {
        EXPECT_TRUE(Pauses({.first = 100ms}, random, slept).again());
    }
    const std::set different(slept.pauses.begin(), slept.pauses.end());
    EXPECT_GT(different.size(), 40u);
}

TEST(Pauses, EndWhenThereIsNoTimeLeft) {
    SeededRandom random(3);
    Slept slept;
    slept.has_time = false;
    EXPECT_FALSE(Pauses({}, random, slept).again());
    EXPECT_EQ(slept.pauses.size(), 1u);
}

TEST(Pauses, AreReallyWaitedForByDefault) {
    auto pauses = system_pauses({.first = 2ms, .longest = 2ms, .tries_max = 3});
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(pauses.again());
    EXPECT_TRUE(pauses.again());
    EXPECT_FALSE(pauses.again());
    EXPECT_GE(std::chrono::steady_clock::now() - start, 2ms);
}

TEST(SystemSleeper, StopWakesWhoSleepsAndNobodySleepsAgain) {
    SystemSleeper sleeper;
    EXPECT_TRUE(sleeper.sleep(1ms));
    std::thread waiting([&] { EXPECT_FALSE(sleeper.sleep(1h)); });
    sleeper.stop();
    waiting.join();
    EXPECT_FALSE(sleeper.sleep(1h));
}

TEST(RandomUpTo, ReachesBothEndsAndNothingBeyond) {
    SeededRandom random(4);
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 500; ++i) seen.insert(random_up_to(random, 4));
    EXPECT_EQ(seen, (std::set<std::uint64_t>{0, 1, 2, 3, 4}));
    EXPECT_EQ(random_up_to(random, 0), 0u);
    const auto all = std::numeric_limits<std::uint64_t>::max();
    EXPECT_NE(random_up_to(random, all), random_up_to(random, all));
}

}  // namespace
}  // namespace mailroom
