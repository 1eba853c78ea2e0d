#include "net/waking_queue.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <string>
#include <thread>

namespace mailroom::net {
namespace {

using Queue = WakingQueue<std::string, int>;

bool is_awake(const Queue& queue) {
    pollfd descriptor = {queue.wake_descriptor(), POLLIN, 0};
    return ::poll(&descriptor, 1, 0) == 1;
}

TEST(WakingQueue, WakesItsOwnerOnlyIfThatFoundNothingBefore) {
    Queue queue;
    Queue::Contents contents;
    queue.deliver({1, 1}, "before it slept");
    EXPECT_FALSE(is_awake(queue));
    queue.take(contents);
    EXPECT_EQ(contents.answers.size(), 1u);
    queue.deliver({1, 2}, "while it worked");
    EXPECT_FALSE(is_awake(queue));
    queue.take(contents);
    queue.take(contents);
    EXPECT_TRUE(contents.empty());
    queue.deliver({1, 3}, "while it slept");
    EXPECT_TRUE(is_awake(queue));
}

TEST(WakingQueue, AnAnswerThatComesBeforeTheQuestionIsThroughIsKeptAside) {
    Queue queue;
    queue.set_owner(std::this_thread::get_id());
    queue.begin_inline({1, 1});
    queue.deliver({1, 1}, "mine");
    queue.deliver({1, 1}, "too late");
    queue.deliver({1, 2}, "somebody else's");
    EXPECT_EQ(queue.end_inline(), "mine");
    Queue::Contents contents;
    queue.take(contents);
    ASSERT_EQ(contents.answers.size(), 1u);
    EXPECT_EQ(contents.answers[0].answer, "somebody else's");
}

TEST(WakingQueue, WhatComesAfterTheEndIsDroppedAndArrivalsAreGivenBack) {
    Queue queue;
    EXPECT_TRUE(queue.adopt(7));
    EXPECT_EQ(queue.close(), std::vector{7});
    EXPECT_FALSE(queue.adopt(8));
    queue.deliver({1, 1}, "late");
    Queue::Contents contents;
    queue.take(contents);
    EXPECT_TRUE(contents.empty());
}

}  // namespace
}  // namespace mailroom::net
