// When a crew looks for its jobs, and what it must not miss or take twice by looking.
#include "schedule/crew.h"
#include "schedule/schedule_fixture.h"

#include <set>

namespace mailroom::schedule {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

class CrewLooksTest : public ScheduleTest {};

using Keys = std::vector<std::string>;

TEST_F(CrewLooksTest, JobsOfOthersAreFoundByPollingAndEarlierOnesOncePerLease) {
    options.ownership = Ownership::shared;
    reopen();
    auto other = open();
    const auto add_elsewhere = [&](const std::string& key, milliseconds from_now) {
        Transaction together;
        other->add(together, {"q", key, clock.now() + from_now});
        ASSERT_TRUE(other->commit(together));
    };
    auto workers = crew(finish());
    EXPECT_EQ(workers->run_due(), 0u);
    add_elsewhere("k", seconds(0));
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(seconds(1));
    EXPECT_EQ(workers->run_due(), 1u);
    add_elsewhere("k", -hours(1));
    clock.advance(seconds(1));
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(seconds(60));
    EXPECT_EQ(workers->run_due(), 1u);
}

TEST_F(CrewLooksTest, ALookThatFailsIsTriedAgain) {
    add("k");
    auto workers = crew(finish());
    store->queries_fail = true;
    EXPECT_EQ(workers->run_due(), 0u);
    store->queries_fail = false;
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(seconds(1));
    EXPECT_EQ(workers->run_due(), 1u);
}

TEST_F(CrewLooksTest, PausesBetweenLooksThatFailGrowAndAreRandom) {
    std::set<std::size_t> counts;
    for (int round = 0; round < 4; ++round) {
        auto workers = crew(finish());
        store->queries_fail = true;
        const auto before = store->queries.load();
        for (int i = 0; i < 300; ++i, clock.advance(seconds(1))) workers->run_due();
        const auto asked = (store->queries - before) / 8;  // Of each shard.
        EXPECT_GE(asked, 10u);
        EXPECT_LE(asked, 40u) << "a store that fails for five minutes is not asked every second";
        counts.insert(store->queries - before);
        store->queries_fail = false;
        clock.advance(seconds(30));
        add("k" + std::to_string(round), milliseconds(10));
        clock.advance(milliseconds(10));
        EXPECT_EQ(workers->run_due(), 1u);
    }
    EXPECT_GT(counts.size(), 1u);
}

TEST_F(CrewLooksTest, AJobThatNeedsNoLookHidesNoneOfALookThatFailed) {
    add("k");
    auto workers = crew(finish());
    store->queries_fail = true;
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(500));
    add("k");  // The same shard.
    EXPECT_EQ(workers->run_due(), 1u);
    store->queries_fail = false;
    clock.advance(milliseconds(500));
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewLooksTest, AJobCommittedWhileALookGoesOnIsFound) {
    auto workers = crew(finish());
    ASSERT_EQ(workers->run_due(), 0u);
    bool added = false;
    store->after_query = [&](const table::Query&) {
        if (std::exchange(added, true)) return;
        add("k", -seconds(30));  // The same shard as the one being looked at, and before it.
    };
    add("k", seconds(1));
    clock.advance(seconds(1));
    EXPECT_EQ(workers->run_due(), 2u);
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewLooksTest, AJobThatALookSeesBeforeItsCommitIsToldIsHandedOutOnce) {
    auto workers = crew(finish());
    workers->run_due();
    add("k", seconds(1));  // The same shard: there is something to look for.
    clock.advance(seconds(1));
    // The look comes when the row is there, and before the schedule knows.
    store->after_transact = [&] {
        store->after_transact = nullptr;
        EXPECT_EQ(workers->run_due(), 1u);
    };
    add("k", milliseconds(-1));
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_EQ(ran, (Keys{"k", "k"}));
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewLooksTest, AJobThatMayBeThereAlthoughItsCommitFailedIsLookedFor) {
    auto workers = crew(finish());
    workers->run_due();
    store->lose_answer = true;
    Transaction together;
    schedule->add(together, {"q", "k", clock.now()});
    EXPECT_FALSE(schedule->commit(together));
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewLooksTest, AJobThatEndsWhileALookReadsItsRowIsNotHandedOutAgain) {
    add("k");
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    bool ended = false;
    store->after_query = [&](const table::Query&) {
        if (std::exchange(ended, true)) return;
        EXPECT_TRUE(commit([&](Transaction& together) { jobs[0]->finish(together); }));
    };
    add("k", seconds(1));
    clock.advance(seconds(1));
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_TRUE(ended);
    EXPECT_EQ(jobs[1]->due(), clock.now());
}

TEST_F(CrewLooksTest, AClaimedJobInHandIsNotLookedAtAgain) {
    add("k");
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    ASSERT_TRUE(claim(*jobs[0]));
    add("k", -seconds(30));
    ASSERT_EQ(workers->run_due(), 1u);
    for (const auto& job : jobs) {
        ASSERT_TRUE(commit([&](Transaction& together) { job->finish(together); }));
    }
    clock.advance(hours(1));
    store->queries = 0;
    EXPECT_EQ(workers->run_due(), 0u);
    EXPECT_EQ(store->queries, 0u);
}

}  // namespace
}  // namespace mailroom::schedule
