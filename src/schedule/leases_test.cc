// Claims on tables that several nodes share, whose clocks do not agree.
#include "schedule/crew.h"
#include "schedule/schedule_fixture.h"

namespace mailroom::schedule {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

class LeasesTest : public ScheduleTest {
protected:
    void SetUp() override {
        options.ownership = Ownership::shared;
        ScheduleTest::SetUp();
    }
    // From now on time passes by this one, and the other clock may be set.
    void use_steady_clock() {
        steady.set(clock.now());
        options.steady = &steady;
        reopen();
    }

    ManualClock steady{Time()};
};

TEST_F(LeasesTest, WithASharedStoreClaimsOfOthersHoldUntilTheyRunOut) {
    auto other = open();
    auto crashed = crew_of(*other, keep());
    add("k");
    ASSERT_EQ(crashed->run_due(), 1u);
    Transaction claiming;
    jobs[0]->claim(claiming);
    ASSERT_TRUE(other->commit(claiming));
    const auto late = std::move(jobs[0]);
    jobs.clear();
    crashed.reset();

    auto workers = crew(keep());
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(59'999));
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(1));
    ASSERT_EQ(workers->run_due(), 1u);
    EXPECT_TRUE(jobs[0]->interrupted());
    ASSERT_TRUE(claim(*jobs[0]));

    Transaction too_late;
    late->finish(too_late);
    other->add(too_late, {"q", "beside", clock.now()});
    const auto refused = other->commit(too_late);
    ASSERT_FALSE(refused);
    EXPECT_EQ(Error(refused.error()).code, Errc::conflict);
    EXPECT_EQ(rows(), 1u);
    ASSERT_TRUE(commit([&](Transaction& together) { jobs[0]->finish(together); }));
}

// While the store was away, say: the holder could not prolong then, either.
TEST_F(LeasesTest, WhoDidNotLookForLongWaitsForALeaseMoreAndNoLonger) {
    auto other = open();
    auto holders = crew_of(*other, keep());
    add("k");
    ASSERT_EQ(holders->run_due(), 1u);
    Transaction claiming;
    jobs[0]->claim(claiming);
    ASSERT_TRUE(other->commit(claiming));
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 0u);
    clock.advance(minutes(10));
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(59'999));
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(1));
    EXPECT_EQ(workers->run_due(), 1u);
}

TEST_F(LeasesTest, AHolderWhoWasOnlyLateAndProlongedKeepsTheJob) {
    auto other = open();
    auto holders = crew_of(*other, keep());
    add("k");
    ASSERT_EQ(holders->run_due(), 1u);
    Transaction claiming;
    jobs[0]->claim(claiming);
    ASSERT_TRUE(other->commit(claiming));
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 0u);
    clock.advance(seconds(61));
    ASSERT_EQ(workers->run_due(), 1u) << "it ran out";
    holders->run_due();
    EXPECT_FALSE(claim(*jobs[1]));
    Transaction ending;
    jobs[0]->finish(ending);
    EXPECT_TRUE(other->commit(ending));
}

TEST_F(LeasesTest, AClaimIsNotTakenByWhoeverSeesItFirstHoweverLateItsOwnClockIs) {
    auto other = open();
    auto holders = crew_of(*other, keep());
    add("k");
    ASSERT_EQ(holders->run_due(), 1u);
    Transaction claiming;
    jobs[0]->claim(claiming);
    ASSERT_TRUE(other->commit(claiming));

    // Its clock is an hour ahead, and is set forward by another one later.
    ManualClock ahead{clock.now() + hours(1)};
    options.steady = &clock;
    auto opened = Schedule::open(*store, ahead, random, options);
    ASSERT_TRUE(opened);
    Crew thief(**opened, ahead, {.queues = {"q"}, .threads = 0}, keep());
    for (int minutes = 0; minutes < 10; ++minutes) {
        EXPECT_EQ(thief.run_due(), 0u);
        clock.advance(seconds(45));
        holders->run_due();  // Prolongs.
        EXPECT_TRUE(jobs[0]->is_surely_held());
        EXPECT_EQ(thief.run_due(), 0u);
        ahead.advance(minutes == 5 ? hours(1) : seconds(45));
    }
    clock.advance(seconds(60));
    EXPECT_FALSE(jobs[0]->is_surely_held());
    EXPECT_EQ(thief.run_due(), 1u) << "nothing was heard of the holder for a lease";
    jobs.clear();
}

TEST_F(LeasesTest, AHolderWhoseClockGoesBackProlongsAllTheSame) {
    use_steady_clock();
    auto other = open();
    auto holders = crew_of(*other, keep());
    add("k");
    ASSERT_EQ(holders->run_due(), 1u);
    Transaction claiming;
    jobs[0]->claim(claiming);
    ASSERT_TRUE(other->commit(claiming));
    auto workers = crew(keep());
    clock.advance(-minutes(59));
    for (int i = 0; i < 10; ++i) {
        steady.advance(seconds(45));
        clock.advance(seconds(45));
        holders->run_due();
        EXPECT_EQ(workers->run_due(), 0u);
    }
    EXPECT_TRUE(jobs[0]->is_surely_held());
}

TEST_F(LeasesTest, JobsOfOthersAreFoundAlthoughTheClockWentBack) {
    use_steady_clock();
    auto other = open();
    auto workers = crew(finish());
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(-hours(1));
    Transaction together;
    other->add(together, {"q", "k", clock.now()});
    ASSERT_TRUE(other->commit(together));
    steady.advance(seconds(1));
    clock.advance(seconds(1));
    EXPECT_EQ(workers->run_due(), 1u);
}

}  // namespace
}  // namespace mailroom::schedule
