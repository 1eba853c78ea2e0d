#include "program/periodic.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

namespace mailroom::program {
namespace {

using namespace std::chrono_literals;

TEST(Periodic, WorksAtOnceAndAgainUntilItIsStopped) {
    std::latch third(3);
    std::atomic<int> calls = 0;
    Periodic periodic(1ms, [&] {
        if (calls++ < 3) third.count_down();
    });
    third.wait();
    periodic.stop();
    const int at_stop = calls;
    EXPECT_GE(at_stop, 3);
    periodic.stop();
    EXPECT_EQ(calls, at_stop);
}

TEST(Periodic, StopsInTheMiddleOfALongPause) {
    std::latch first(1);
    std::atomic<int> calls = 0;
    {
        const Periodic periodic(24h, [&] {
            if (calls++ == 0) first.count_down();
        });
        first.wait();
    }
    EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace mailroom::program
