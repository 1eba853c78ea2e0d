#include "net/connections.h"

#include <gtest/gtest.h>

#include <memory>

namespace mailroom::net {
namespace {

struct One {
    int silent_for = 0;
    bool is_closed = false, wants = false;

    bool closed() const { return is_closed; }
    bool wants_turn() const { return wants; }
    std::optional<int> silence() const {
        return silent_for == 0 ? std::nullopt : std::optional(-silent_for);
    }
};

std::uint32_t add(Connections<One>& all, int silent_for = 0) {
    return all.add([&](std::uint32_t) { return std::make_unique<One>(One{silent_for}); });
}

TEST(Connections, ASlotIsUsedAgainOnlyAfterTheRoundInWhichItsConnectionEnded) {
    Connections<One> all;
    const auto first = add(all);
    all.find(first)->is_closed = true;
    EXPECT_TRUE(all.settle(first));
    EXPECT_EQ(all.find(first), nullptr);
    EXPECT_EQ(all.open(), 0u);
    EXPECT_NE(add(all), first);
    all.end_round();
    EXPECT_EQ(add(all), first);
    EXPECT_EQ(all.find(77), nullptr);
}

TEST(Connections, WhoWantsATurnGetsOneUnlessGoneByThen) {
    Connections<One> all;
    const auto stays = add(all), goes = add(all);
    for (const auto slot : {stays, goes}) {
        all.find(slot)->wants = true;
        EXPECT_FALSE(all.settle(slot));
    }
    EXPECT_TRUE(all.has_turns());
    all.find(goes)->is_closed = true;
    all.settle(goes);
    std::vector<std::uint32_t> turns;
    all.give_turns([&](std::uint32_t slot, One& one) {
        turns.push_back(slot);
        one.wants = false;
    });
    EXPECT_EQ(turns, std::vector{stays});
    EXPECT_FALSE(all.has_turns());
}

TEST(Connections, TheLongestSilentOfThoseWhoMayGoGivesWay) {
    Connections<One> all;
    add(all);
    const auto longest = add(all, 9), second = add(all, 5);
    EXPECT_EQ(all.most_silent([](std::uint32_t) { return true; }), longest);
    EXPECT_EQ(all.most_silent([&](std::uint32_t slot) { return slot != longest; }), second);
    EXPECT_EQ(all.most_silent([](std::uint32_t) { return false; }), std::nullopt);
}

}  // namespace
}  // namespace mailroom::net
