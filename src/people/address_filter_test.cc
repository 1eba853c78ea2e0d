#include "people/address_filter.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace mailroom::people {
namespace {

std::string address(int number) { return "user" + std::to_string(number) + "@example.com"; }

TEST(AddressFilter, FindsWhatWasAddedAndLittleElse) {
    for (const std::size_t count : {0, 1, 1000, 200'000}) {
        AddressFilter filter(count);
        const auto added = static_cast<int>(count);
        for (int i = 0; i < added; ++i) filter.add(address(i));
        int wrong = 0;
        for (int i = 0; i < added; ++i) wrong += filter.may_have(address(i)) ? 0 : 1;
        EXPECT_EQ(wrong, 0) << count;
        int taken_for_another = 0;
        for (int i = 0; i < 10'000; ++i) {
            taken_for_another += filter.may_have(address(1'000'000 + i)) ? 1 : 0;
        }
        EXPECT_LT(taken_for_another, 300) << count;
    }
}

TEST(AddressFilter, WithMoreThanExpectedItStillFindsAll) {
    AddressFilter filter(1);
    for (int i = 0; i < 300'000; ++i) filter.add(address(i));
    for (int i = 0; i < 300'000; ++i) ASSERT_TRUE(filter.may_have(address(i)));
}

TEST(AddressFilter, ThreadsAddAtTheSameTimeAndNothingIsLost) {
    AddressFilter filter(10'000);
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&filter, thread] {
                for (int i = thread; i < 10'000; i += 4) filter.add(address(i));
            });
        }
    }
    for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(filter.may_have(address(i)));
}

}  // namespace
}  // namespace mailroom::people
