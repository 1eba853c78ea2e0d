#include "outbox/sending/slate.h"

#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace mailroom::outbox {
namespace {

class SlateTest : public ::testing::Test {
protected:
    std::unique_ptr<Slate> open(const std::string& node, const std::string& boot = "boot 1") {
        auto opened = Slate::open(directory, node, boot);
        EXPECT_TRUE(opened) << opened.error().message;
        return opened ? *std::move(opened) : nullptr;
    }
    // "left", "stayed" or "unknown".
    static std::string fate(const Slate& slate, std::string_view lease, std::size_t place) {
        const auto left = slate.has_left(lease, place);
        return !left ? "unknown" : *left ? "left" : "stayed";
    }
    static std::string end(const Slate& slate, std::string_view lease, std::size_t place) {
        using Fate = Slate::End::Fate;
        const auto end = slate.end_of(lease, place);
        if (!end) return "unknown";
        switch (end->fate) {
            case Fate::stayed:
                return "stayed";
            case Fate::may_have_left:
                return "may have left";
            case Fate::taken:
                return "taken " + std::to_string(end->code);
            case Fate::refused:
                return "refused " + std::to_string(end->code);
        }
        return "";
    }
    std::size_t files() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(directory), {}));
    }

    ScratchDirectory scratch;
    std::filesystem::path directory = scratch.path() / "ends";
};

TEST_F(SlateTest, TellsWhichEndsOfAKilledProcessHaveLeft) {
    const auto killed = open("a");  // Its file is left as it is, as after a kill.
    ASSERT_TRUE(killed->note("a:7", 0));
    ASSERT_TRUE(killed->note("a:0", 3));
    const auto settled = killed->note("a:8", 0);
    ASSERT_TRUE(settled);
    killed->forget(*settled);
    EXPECT_EQ(fate(*killed, "a:7", 0), "unknown") << "it does not judge itself";

    const auto next = open("b");
    EXPECT_EQ(fate(*next, "a:7", 0), "left");
    EXPECT_EQ(fate(*next, "a:0", 3), "left");
    EXPECT_EQ(fate(*next, "a:0", 0), "stayed");
    EXPECT_EQ(fate(*next, "a:8", 0), "stayed");
    EXPECT_EQ(fate(*next, "b:7", 0), "unknown");
    EXPECT_EQ(fate(*next, "another:7", 0), "unknown");
    for (const auto* lease : {"", "a", "a:", "a:x", "a:7x", ":7", "a:99999999999999999999"}) {
        EXPECT_EQ(fate(*next, lease, 0), "unknown") << lease;
        EXPECT_FALSE(lease[0] != ':' && next->note(lease, 0)) << lease;
    }
    EXPECT_EQ(fate(*open("c"), "a:7", 0), "left") << "the one after that may have to ask too";
}

TEST_F(SlateTest, IsNotBelievedAfterTheMachineStartedAgain) {
    const auto killed = open("a");
    ASSERT_TRUE(killed->note("a:7", 0));
    const auto next = open("b", "boot 2");
    EXPECT_EQ(fate(*next, "a:7", 0), "unknown");
    EXPECT_EQ(fate(*next, "a:8", 0), "unknown");
    EXPECT_FALSE(Slate::open(directory, "c", "")) << "a system that does not say which";
    EXPECT_FALSE(Slate::this_boot().empty());
}

TEST_F(SlateTest, IsNotBelievedIfItIsDamagedOrCouldNotHoldAll) {
    const auto full = open("full");
    for (std::size_t i = 0; i < 16384; ++i) ASSERT_TRUE(full->note("full:1", i));
    EXPECT_EQ(fate(*open("b"), "full:1", 20000), "stayed");
    ASSERT_TRUE(full->note("full:1", 16384)) << "mails go on";
    EXPECT_EQ(fate(*open("c"), "full:1", 16384), "unknown");

    std::ofstream(directory / "damaged") << "mailroom";
    EXPECT_EQ(fate(*open("d"), "damaged:1", 0), "unknown");
}

TEST_F(SlateTest, TellsOfEachEndThatWasMeantToLeaveHowFarItCame) {
    const auto killed = open("a");
    const std::vector<std::size_t> places = {0, 1, 2, 3, 999};
    const auto slots = killed->mean("a:7", places);
    ASSERT_TRUE(slots);
    killed->leave(std::span(*slots).subspan(1, 3));
    killed->answer((*slots)[2], true, 250);
    killed->answer((*slots)[3], false, 550);
    EXPECT_FALSE(killed->mean("nonsense", places));

    const auto next = open("b");
    EXPECT_EQ(end(*next, "a:7", 0), "stayed");
    EXPECT_EQ(end(*next, "a:7", 1), "may have left");
    EXPECT_EQ(end(*next, "a:7", 2), "taken 250");
    EXPECT_EQ(end(*next, "a:7", 3), "refused 550");
    EXPECT_EQ(end(*next, "a:7", 999), "stayed");
    EXPECT_EQ(end(*next, "a:7", 4), "stayed") << "it was never meant to leave";
    EXPECT_EQ(end(*next, "a:8", 0), "stayed");
    EXPECT_EQ(end(*next, "c:7", 0), "unknown");
}

TEST_F(SlateTest, AfterTheMachineStartedAgainAnEndThatWasMeantToLeaveMayHaveLeft) {
    const auto killed = open("a");
    const std::vector<std::size_t> places = {0, 1, 2};
    const auto slots = killed->mean("a:7", places);
    ASSERT_TRUE(slots);
    killed->answer((*slots)[1], true, 250);
    killed->answer((*slots)[2], false, 451);
    for (const auto* later : {"b", "c"}) {
        const auto next = open(later, std::string("boot of ") + later);
        EXPECT_EQ(end(*next, "a:7", 0), "may have left");
        EXPECT_EQ(end(*next, "a:7", 1), "taken 250");
        EXPECT_EQ(end(*next, "a:7", 2), "refused 451");
        EXPECT_EQ(end(*next, "a:8", 0), "stayed");
    }
}

// The first one has refused it, and the slot of the second lies before or behind.
TEST_F(SlateTest, OfTwoServersOneAfterTheOtherTheOneThatMayHaveTheMailCounts) {
    const auto killed = open("a");
    const std::vector<std::size_t> place = {0};
    for (const std::string lease : {"a:1", "a:2"}) {
        const auto first = killed->mean(lease, place), second = killed->mean(lease, place);
        ASSERT_TRUE(first && second);
        const auto [refuser, other] =
            lease == "a:1" ? std::pair(*first, *second) : std::pair(*second, *first);
        killed->answer(refuser[0], false, 451);
        EXPECT_EQ(end(*open("of " + lease), lease, 0), "stayed");
        killed->leave(other);
        EXPECT_EQ(end(*open("after " + lease), lease, 0), "may have left");
    }
}

TEST_F(SlateTest, TakesAllPlacesOfAMailOrNone) {
    const auto full = open("full");
    const std::vector<std::size_t> places(10'000, 1);
    ASSERT_TRUE(full->mean("full:1", places));
    EXPECT_FALSE(full->mean("full:2", places));
    EXPECT_TRUE(full->mean("full:3", std::span(places).first(6'384)));
    EXPECT_FALSE(full->mean("full:4", std::span(places).first(1)));
    const auto next = open("b");
    EXPECT_EQ(end(*next, "full:2", 1), "stayed") << "its job is marked instead";
    EXPECT_EQ(end(*next, "full:3", 1), "stayed");
}

TEST_F(SlateTest, LeavesNothingBehindWhenAllIsSettledAndNotMuchOtherwise) {
    {
        const auto slate = open("a");
        const auto slot = slate->note("a:1", 0);
        ASSERT_TRUE(slot);
        slate->forget(*slot);
    }
    EXPECT_EQ(files(), 0U);
    for (int i = 0; i < 70; ++i) {
        ASSERT_TRUE(open("n" + std::to_string(i))->note("n" + std::to_string(i) + ":1", 0));
    }
    EXPECT_LE(files(), 66U);
}

}  // namespace
}  // namespace mailroom::outbox
