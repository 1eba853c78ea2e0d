#include "table/engine/pending.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::table {
namespace {

TEST(Pending, ARowIsThereUntilItsLastWriteIsSettled) {
    Pending pending;
    const std::string text = "row";
    const Pending::Key row(text);
    EXPECT_EQ(pending.find(row), nullptr);

    const auto* first = pending.set(row, "one", 1);
    const auto* second = pending.set(row, "two", 2);
    pending.settle({first}, 1);
    ASSERT_NE(pending.find(row), nullptr);
    EXPECT_EQ(pending.find(row)->value, "two");

    const auto* third = pending.set(row, std::nullopt, 3);
    pending.settle({second}, 2);
    ASSERT_NE(pending.find(row), nullptr);
    EXPECT_EQ(pending.find(row)->value, std::nullopt);
    pending.settle({third}, 3);
    EXPECT_EQ(pending.find(row), nullptr);
}

TEST(Pending, KeysMadeFromEqualTextsMeanOneRow) {
    Pending pending;
    const std::string text = "row", same = "row", other = "other row";
    const auto* entry = pending.set(Pending::Key(text), "value", 1);
    EXPECT_NE(pending.find(Pending::Key(same)), nullptr);
    EXPECT_EQ(pending.find(Pending::Key(other)), nullptr);
    pending.settle({entry}, 1);
    EXPECT_EQ(pending.find(Pending::Key(same)), nullptr);
}

TEST(Pending, EntriesStayGoodWhileManyOthersComeAndGo) {
    Pending pending;
    std::vector<const Pending::Entry*> entries;
    for (int i = 0; i < 20'000; ++i) {
        const auto text = std::to_string(i);
        entries.push_back(pending.set(Pending::Key(text), text, 1));
    }
    pending.settle(entries, 1);
    for (int i = 0; i < 20'000; ++i) {
        const auto text = std::to_string(i);
        EXPECT_EQ(pending.find(Pending::Key(text)), nullptr);
    }
}

TEST(Pending, ClearForgetsEverything) {
    Pending pending;
    const std::string text = "row";
    pending.set(Pending::Key(text), "value", 1);
    pending.clear();
    EXPECT_EQ(pending.find(Pending::Key(text)), nullptr);
}

}  // namespace
}  // namespace mailroom::table
