#include "api/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <vector>

namespace mailroom::api {
namespace {

TEST(Workers, RunEveryJobTheyTookBeforeTheyStop) {
    std::atomic<int> ran{0};
    Workers workers(3, 1000);
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(workers.post([&] { ++ran; }));
    workers.stop();
    EXPECT_EQ(ran, 1000);
    EXPECT_FALSE(workers.post([&] { ++ran; }));
    workers.stop();
    EXPECT_EQ(ran, 1000);
}

TEST(Workers, OfOneThreadRunJobsInOrder) {
    std::vector<int> order;
    Workers workers(1, 100);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(workers.post([&order, i] { order.push_back(i); }));
    workers.stop();
    for (int i = 0; i < 100; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

TEST(Workers, TurnAwayWhatDoesNotFitTheQueue) {
    Workers workers(1, 2);
    std::promise<void> started, release;
    ASSERT_TRUE(workers.post([&] {
        started.set_value();
        release.get_future().wait();
    }));
    started.get_future().wait();
    EXPECT_TRUE(workers.post([] {}));
    EXPECT_TRUE(workers.post([] {}));
    EXPECT_EQ(workers.queued(), 2u);
    EXPECT_FALSE(workers.post([] {}));
    release.set_value();
    workers.stop();
    EXPECT_EQ(workers.queued(), 0u);
}

}  // namespace
}  // namespace mailroom::api
