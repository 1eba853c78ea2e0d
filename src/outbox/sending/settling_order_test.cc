#include "outbox/sending/settling_order.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::outbox {
namespace {

TEST(SettlingOrder, AMarkWaitsForTheAnswersBeforeItAndForNoOthers) {
    SettlingOrder order;
    std::string done;
    const auto mark = [&](char name) { order.mark([&done, name] { done += name; }); };
    mark('a');
    EXPECT_EQ(done, "a");
    const auto first = order.answered(), second = order.answered();
    mark('b');
    const auto third = order.answered();
    mark('c');
    EXPECT_EQ(done, "a");
    order.written(second);
    EXPECT_EQ(done, "a") << "the first is not written yet";
    order.written(first);
    EXPECT_EQ(done, "ab");
    order.written(third);
    EXPECT_EQ(done, "abc");
    mark('d');
    EXPECT_EQ(done, "abcd");
}

TEST(SettlingOrder, AMarkMayComeWhileAnotherIsMade) {
    SettlingOrder order;
    int made = 0;
    const auto ticket = order.answered();
    order.mark([&] { order.mark([&] { ++made; }); });
    order.written(ticket);
    EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace mailroom::outbox
