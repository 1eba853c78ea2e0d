#include "table/engine/pending.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mailroom::table {
namespace {

// Settles enough other rows that no earlier one is recent any more.
void settle_many(Pending& pending, int rows) {
    static int next = 0;
    std::vector<const Pending::Entry*> entries;
    for (int i = 0; i < rows; ++i) {
        const auto text = "other " + std::to_string(next++);
        entries.push_back(pending.set(Pending::Key(text), text, 1));
    }
    pending.settle(entries, 1);
}

constexpr int far_more_than_recent = 20'000;

TEST(Pending, ARowIsQueuedUntilItsLastWriteIsSettled) {
    Pending pending;
    const std::string text = "row";
    const Pending::Key row(text);
    EXPECT_EQ(pending.find(row), nullptr);

    const auto* first = pending.set(row, "one", 1);
    const auto* second = pending.set(row, "two", 2);
    pending.settle({first}, 1);
    ASSERT_NE(pending.find(row), nullptr);
    EXPECT_EQ(pending.find(row)->value, "two");
    EXPECT_TRUE(pending.find(row)->is_queued());

    const auto* third = pending.set(row, std::nullopt, 3);
    pending.settle({second}, 2);
    ASSERT_NE(pending.find(row), nullptr);
    EXPECT_EQ(pending.find(row)->value, std::nullopt);
    EXPECT_TRUE(pending.find(row)->is_queued());
    pending.settle({third}, 3);
    ASSERT_NE(pending.find(row), nullptr);
    EXPECT_EQ(pending.find(row)->value, std::nullopt);
    EXPECT_FALSE(pending.find(row)->is_queued());
}

TEST(Pending, ASettledRowIsKnownUntilManyOthersAreSettled) {
    Pending pending;
    const std::string text = "row";
    const Pending::Key row(text);
    pending.settle({pending.set(row, "value", 1)}, 1);
    ASSERT_NE(pending.find(row), nullptr);
    EXPECT_EQ(pending.find(row)->value, "value");
    settle_many(pending, far_more_than_recent);
    EXPECT_EQ(pending.find(row), nullptr);
}

TEST(Pending, ARecentRowThatIsQueuedAgainStaysHoweverManyOthersAreSettled) {
    Pending pending;
    const std::string text = "row";
    const Pending::Key row(text);
    pending.settle({pending.set(row, "one", 1)}, 1);
    const auto* again = pending.set(row, "two", 2);
    settle_many(pending, far_more_than_recent);
    ASSERT_NE(pending.find(row), nullptr);
    EXPECT_EQ(pending.find(row)->value, "two");

    pending.settle({again}, 2);
    ASSERT_NE(pending.find(row), nullptr);
    settle_many(pending, far_more_than_recent);
    EXPECT_EQ(pending.find(row), nullptr);
}

TEST(Pending, ALargeValueIsForgottenAsSoonAsItIsDurable) {
    Pending pending;
    const std::string text = "row";
    const Pending::Key row(text);
    pending.settle({pending.set(row, "small", 1)}, 1);
    const auto* large = pending.set(row, std::string(100'000, 'x'), 2);
    ASSERT_NE(pending.find(row), nullptr);
    pending.settle({large}, 2);
    EXPECT_EQ(pending.find(row), nullptr);
    // The place it had is free for others.
    settle_many(pending, far_more_than_recent);
}

TEST(Pending, KeysMadeFromEqualTextsMeanOneRow) {
    Pending pending;
    const std::string text = "row", same = "row", other = "other row";
    pending.set(Pending::Key(text), "value", 1);
    EXPECT_NE(pending.find(Pending::Key(same)), nullptr);
    EXPECT_EQ(pending.find(Pending::Key(other)), nullptr);
}

TEST(Pending, EntriesStayGoodWhileManyOthersComeAndGo) {
    Pending pending;
    std::vector<const Pending::Entry*> entries;
    for (int i = 0; i < far_more_than_recent; ++i) {
        const auto text = std::to_string(i);
        entries.push_back(pending.set(Pending::Key(text), text, 2));
    }
    settle_many(pending, far_more_than_recent);
    for (int i = 0; i < far_more_than_recent; ++i) {
        const auto text = std::to_string(i);
        const auto* row = pending.find(Pending::Key(text));
        ASSERT_NE(row, nullptr);
        EXPECT_EQ(row->value, text);
    }
    pending.settle(entries, 2);
}

TEST(Pending, ClearForgetsEverything) {
    Pending pending;
    const std::string text = "row";
    const std::string settled = "settled row";
    pending.settle({pending.set(Pending::Key(settled), "value", 1)}, 1);
    pending.set(Pending::Key(text), "value", 2);
    pending.clear();
    EXPECT_EQ(pending.find(Pending::Key(text)), nullptr);
    EXPECT_EQ(pending.find(Pending::Key(settled)), nullptr);
    settle_many(pending, far_more_than_recent);
}

}  // namespace
}  // namespace mailroom::table
