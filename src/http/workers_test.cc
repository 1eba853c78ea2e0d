#include "http/workers.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>
#include <vector>

namespace mailroom::http {
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

TEST(Workers, WithoutThreadsRunJobsWhenTheyAreTold) {
    std::vector<int> order;
    Workers workers(0, 2);
    EXPECT_TRUE(workers.post_quick([&] { order.push_back(2); }));
    EXPECT_TRUE(workers.post([&] {
        order.push_back(1);
        EXPECT_TRUE(workers.post([&] { order.push_back(3); }));
    }));
    EXPECT_FALSE(workers.post([&] { order.push_back(4); }));
    EXPECT_TRUE(order.empty());
    EXPECT_EQ(workers.run_due(), 3u);
    EXPECT_EQ(order, (std::vector{1, 3, 2}));
    EXPECT_EQ(workers.run_due(), 0u);
    EXPECT_TRUE(workers.post([&] { order.push_back(5); }));
    workers.stop();
    EXPECT_EQ(order.back(), 5);
    EXPECT_FALSE(workers.post([&] { order.push_back(6); }));
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

TEST(Workers, RunQuickJobsOnFewThreadsAndOthersBesideThem) {
    Workers workers(6, 1000, 2);
    std::atomic<int> running{0}, most{0}, ran{0};
    std::promise<void> both, release, other;
    const auto released = release.get_future().share();
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(workers.post_quick([&] {
            if (++running == 2) both.set_value();
            released.wait();
            --running;
        }));
    }
    both.get_future().wait();
    for (int i = 0; i < 200; ++i) {
        ASSERT_TRUE(workers.post_quick([&] {
            most = std::max<int>(most, ++running);
            ++ran;
            --running;
        }));
    }
    ASSERT_TRUE(workers.post([&] { other.set_value(); }));
    other.get_future().wait();
    EXPECT_EQ(ran, 0) << "the two that may run quick jobs are busy";
    release.set_value();
    workers.stop();
    EXPECT_EQ(ran, 200) << "what they took is run before they stop";
    EXPECT_LE(most, 2);
    EXPECT_FALSE(workers.post_quick([] {}));
}

TEST(Workers, QuickJobsOfManyThreadsAreAllRun) {
    Workers workers(4, 100'000, 2);
    std::atomic<int> ran{0};
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread) {
            threads.emplace_back([&] {
                for (int i = 0; i < 2000; ++i) {
                    ASSERT_TRUE(i % 3 == 0 ? workers.post([&] { ++ran; })
                                           : workers.post_quick([&] { ++ran; }));
                }
            });
        }
    }
    workers.stop();
    EXPECT_EQ(ran, 8000);
}

TEST(Workers, QuickJobsCountInTheQueue) {
    Workers workers(1, 2);
    std::promise<void> started, release;
    ASSERT_TRUE(workers.post_quick([&] {
        started.set_value();
        release.get_future().wait();
    }));
    started.get_future().wait();
    EXPECT_TRUE(workers.post_quick([] {}));
    EXPECT_TRUE(workers.post([] {}));
    EXPECT_EQ(workers.queued(), 2u);
    EXPECT_FALSE(workers.post_quick([] {}));
    release.set_value();
    workers.stop();
}

}  // namespace
}  // namespace mailroom::http
