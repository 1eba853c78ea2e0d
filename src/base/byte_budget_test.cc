#include "base/byte_budget.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace mailroom {
namespace {

TEST(ByteBudget, GivesNoMoreThanThereIsAndTakesItBack) {
    ByteBudget budget(100);
    EXPECT_FALSE(budget.take(101));
    {
        ByteShare first(&budget);
        EXPECT_TRUE(first.grow_to(60));
        EXPECT_TRUE(first.grow_to(10)) << "it has more than that";
        EXPECT_EQ(budget.taken(), 60u);
        ByteShare second(&budget);
        EXPECT_FALSE(second.grow_to(41));
        EXPECT_EQ(second.bytes(), 0u) << "nothing of what was refused is taken";
        EXPECT_TRUE(second.grow_to(40));
        second = std::move(first);
        EXPECT_EQ(budget.taken(), 60u);
        EXPECT_EQ(second.bytes(), 60u);
    }
    EXPECT_EQ(budget.taken(), 0u);
    ByteShare free;
    EXPECT_TRUE(free.grow_to(1'000'000)) << "there is no budget to ask";
}

TEST(ByteBudget, IsNeverExceededByThreadsThatTakeAtTheSameTime) {
    ByteBudget budget(1000);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int round = 0; round < 2000; ++round) {
                ByteShare share(&budget);
                if (share.grow_to(400)) {
                    EXPECT_LE(budget.taken(), 1000u);
                }
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(budget.taken(), 0u);
}

}  // namespace
}  // namespace mailroom
