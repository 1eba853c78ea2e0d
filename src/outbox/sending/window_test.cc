#include "outbox/sending/window.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

constexpr std::size_t connections = 4, places_max = 20;

std::size_t enter_all(Window& window) {
    std::size_t count = 0;
    while (window.enter()) ++count;
    return count;
}

// The connections have nothing to do in between.
void answer_each_at_once(Window& window) {
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(window.enter());
        window.sent();
        window.leave(true);
    }
}

TEST(Window, HasTwoPlacesForEachConnectionAtFirst) {
    Window window(connections, places_max);
    EXPECT_EQ(enter_all(window), 8u);
    window.leave(false);
    EXPECT_TRUE(window.enter());
    EXPECT_FALSE(window.enter());
}

TEST(Window, GrowsWhileConnectionsHaveNothingToDo) {
    Window window(connections, places_max);
    answer_each_at_once(window);
    EXPECT_EQ(window.places(), places_max);
    EXPECT_EQ(enter_all(window), places_max);
}

TEST(Window, ShrinksWhileMailsQueueBeforeTheConnections) {
    Window window(connections, places_max);
    answer_each_at_once(window);
    // The transport answers one at a time, and its place is taken again at once.
    for (std::size_t i = enter_all(window); i > 0; --i) window.sent();
    for (int i = 0; i < 100; ++i) {
        window.leave(true);
        if (window.enter()) window.sent();
    }
    EXPECT_LE(window.places(), 2 * connections + 1);
    EXPECT_GE(window.places(), 2 * connections);
}

TEST(Window, StaysWhileTheConnectionsAreBusyAndNothingQueues) {
    Window window(connections, places_max);
    for (std::size_t i = enter_all(window); i > 0; --i) window.sent();
    for (int i = 0; i < 100; ++i) {
        window.leave(true);
        ASSERT_TRUE(window.enter());
        window.sent();
    }
    EXPECT_EQ(window.places(), 2 * connections);
}

TEST(Window, ThoseThatNeverReachedTheTransportSayNothingOfIt) {
    Window window(connections, places_max);
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(window.enter());
        window.leave(false);
    }
    EXPECT_EQ(window.places(), 2 * connections);
}

}  // namespace
}  // namespace mailroom::outbox
