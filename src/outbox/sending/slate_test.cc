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
    EXPECT_EQ(files(), 1U) << "nobody will want it any more";
    EXPECT_FALSE(Slate::open(directory, "c", "")) << "a system that does not say which";
    EXPECT_FALSE(Slate::this_boot().empty());
}

TEST_F(SlateTest, IsNotBelievedIfItIsDamagedOrCouldNotHoldAll) {
    const auto full = open("full");
    for (std::size_t i = 0; i < 4096; ++i) ASSERT_TRUE(full->note("full:1", i));
    EXPECT_EQ(fate(*open("b"), "full:1", 5000), "stayed");
    ASSERT_TRUE(full->note("full:1", 4096)) << "mails go on";
    EXPECT_EQ(fate(*open("c"), "full:1", 4096), "unknown");

    std::ofstream(directory / "damaged") << "mailroom";
    EXPECT_EQ(fate(*open("d"), "damaged:1", 0), "unknown");
}

TEST_F(SlateTest, LeavesNothingBehindWhenAllIsSettledAndNotMuchOtherwise) {
    {
        const auto slate = open("a");
        const auto slot = slate->note("a:1", 0);
        ASSERT_TRUE(slot);
        slate->forget(*slot);
    }
    EXPECT_EQ(files(), 0U);
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(open("n" + std::to_string(i))->note("n" + std::to_string(i) + ":1", 0));
    }
    EXPECT_LE(files(), 66U);
}

}  // namespace
}  // namespace mailroom::outbox
