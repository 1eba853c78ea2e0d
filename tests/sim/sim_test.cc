// Worlds repeat exactly, and the judge finds bugs that were planted by hand.
#include "base/log.h"
#include "sim/world.h"

#include <gtest/gtest.h>

#include <iostream>
#include <string>

namespace mailroom::sim {
namespace {

// Far more than it took when this was written: 1 to 20.
constexpr std::uint64_t seeds_max = 300;

class SimTest : public ::testing::Test {
protected:
    void SetUp() override { log::configure(log::Level::off, log::Format::text); }
    void TearDown() override { log::configure(log::Level::info, log::Format::text); }

    static Report live(std::uint64_t seed, Fault fault = Fault::none) {
        auto plan = Plan::of(seed);
        plan.fault = fault;
        World world(plan);
        return world.run();
    }
    // The first complaint with these words about worlds with this fault; empty if there is none.
    static std::string found(Fault fault, const std::string& words) {
        for (std::uint64_t seed = 1; seed <= seeds_max; ++seed) {
            const auto report = live(seed, fault);
            for (const auto& complaint : report.complaints) {
                if (complaint.find(words) == std::string::npos) continue;
                return "seed " + std::to_string(seed) + ": " + complaint;
            }
        }
        return "";
    }
    static void expect_found(Fault fault, const std::string& words) {
        const auto complaint = found(fault, words);
        ASSERT_FALSE(complaint.empty());
        RecordProperty("found", complaint);
        std::cout << complaint << '\n';
    }
};

TEST_F(SimTest, TheSameSeedIsTheSameWorldToTheByte) {
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
        SCOPED_TRACE(seed);
        const auto first = live(seed), second = live(seed);
        EXPECT_EQ(first.trace, second.trace);
        EXPECT_EQ(first.complaints, second.complaints);
        EXPECT_GT(first.trace.size(), 500u);
    }
    EXPECT_NE(live(1).trace, live(2).trace);
}

TEST_F(SimTest, TheJudgeFindsAMailWhoseCommitWasNotSynced) { expect_found(Fault::lost_commit, ""); }

TEST_F(SimTest, TheJudgeFindsAClaimWithoutItsCondition) { expect_found(Fault::doubled_send, ""); }

TEST_F(SimTest, TheJudgeFindsAListOfSuppressedAddressesThatIsNotAsked) {
    expect_found(Fault::forgotten_suppression, "which was suppressed before");
}

TEST_F(SimTest, TheJudgeFindsPeopleWhoAreChangedWithoutConditions) {
    expect_found(Fault::careless_people, "");
}

TEST_F(SimTest, TheJudgeFindsEventsThatAreCountedTwice) {
    expect_found(Fault::careless_account, "Count is ");
}

TEST_F(SimTest, TheJudgeFindsAGuardOfRemindersThatIsNotAsked) {
    expect_found(Fault::forgotten_guard, "was reminded");
}

}  // namespace
}  // namespace mailroom::sim
