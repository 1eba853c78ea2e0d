#include "schedule/crew.h"

#include "schedule/schedule_fixture.h"

#include <set>
#include <stdexcept>

namespace mailroom::schedule {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

class CrewTest : public ScheduleTest {
protected:
    std::vector<std::string> keys() const {
        std::vector<std::string> all;
        for (const auto& job : jobs) all.emplace_back(job->key());
        return all;
    }
};

using Keys = std::vector<std::string>;

TEST_F(CrewTest, JobsRunInOrderOfDueTimeAndNotBefore) {
    add("third", seconds(3));
    add("first", seconds(1));
    add("now");
    add("second", seconds(2));
    auto workers = crew(finish());
    EXPECT_EQ(workers->run_due(), 1u);
    clock.advance(milliseconds(999));
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(1));
    EXPECT_EQ(workers->run_due(), 1u);
    clock.advance(seconds(2));
    EXPECT_EQ(workers->run_due(), 2u);
    EXPECT_EQ(ran, (Keys{"now", "first", "second", "third"}));
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewTest, WhatIsAwaitedCanBeLeftForLater) {
    add("waits");
    std::shared_ptr<Crew::Awaited> answer;
    Crew* crew_itself = nullptr;
    auto workers = crew([&](JobInHand job) {
        jobs.push_back(std::move(job));
        answer = crew_itself->await();
    });
    crew_itself = workers.get();
    EXPECT_EQ(workers->run_ready(), 1u);
    answer->post([&] { ran.push_back("answered"); });
    EXPECT_TRUE(ran.empty());
    EXPECT_EQ(workers->run_ready(), 0u);
    EXPECT_EQ(ran, Keys{"answered"});
}

TEST_F(CrewTest, ManyJobsOfAllShardsRunInOrder) {
    Keys want;
    for (int i = 0; i < 1000; ++i) {
        const auto key = "k" + std::to_string((i * 7) % 1000);
        add(key, milliseconds((i * 7) % 1000));
        want.push_back("k" + std::to_string(i));
    }
    clock.advance(seconds(1));
    auto workers = crew(finish());
    EXPECT_EQ(workers->run_due(), 1000u);
    EXPECT_EQ(ran, want);
}

TEST_F(CrewTest, WhatAHandlerAddsRunsInTheSameTurnIfItIsDue) {
    auto workers = crew([&](JobInHand job) {
        ran.emplace_back(job->key());
        EXPECT_TRUE(commit([&](Transaction& together) {
            job->finish(together);
            if (ran.size() < 5) {
                schedule->add(together,
                              {"q", "k" + std::to_string(ran.size()), clock.now() - hours(1)});
            }
        }));
    });
    add("k0");
    EXPECT_EQ(workers->run_due(), 5u);
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewTest, AnUrgentQueueGoesFirstEveryTime) {
    for (int i = 0; i < 40; ++i) add("bulk" + std::to_string(i), -seconds(60), "bulk");
    add("u1", seconds(0), "urgent");
    auto workers = crew(
        [&](JobInHand job) {
            ran.emplace_back(job->key());
            EXPECT_TRUE(commit([&](Transaction& together) {
                job->finish(together);
                if (ran.size() == 3) schedule->add(together, {"urgent", "u2", clock.now()});
            }));
        },
        {.queues = {"urgent", "bulk"}});
    EXPECT_EQ(workers->run_due(), 42u);
    EXPECT_EQ(ran[0], "u1");
    EXPECT_EQ(ran[3], "u2");
}

TEST_F(CrewTest, NoMoreThanJobsMaxAreInHand) {
    for (int i = 0; i < 5; ++i) add("k" + std::to_string(i));
    auto workers = crew(keep(), {.queues = {"q"}, .jobs_max = 2});
    EXPECT_EQ(workers->run_due(), 2u);
    EXPECT_EQ(workers->in_hand(), 2u);
    EXPECT_EQ(workers->run_due(), 0u);
    ASSERT_TRUE(commit([&](Transaction& together) { jobs[0]->finish(together); }));
    EXPECT_EQ(workers->in_hand(), 1u) << "the end counts, not the object";
    EXPECT_EQ(workers->run_due(), 1u);
}

TEST_F(CrewTest, AJobAddedInHandIsClaimedFromTheStartAndHandedOutToNobody) {
    auto workers = crew(finish(), {.queues = {"q"}, .jobs_max = 1});
    add("other");
    Transaction together;
    auto job = workers->add_in_hand(together, {"q", "k", clock.now(), {{"a", 1}}});
    ASSERT_TRUE(job);
    EXPECT_FALSE(job->interrupted());
    EXPECT_EQ(job->data().integer("a"), 1);
    bool told = false, then = false;
    job->commit(
        std::move(together), [&](const auto& committed) { then = bool(committed); },
        [&](const auto& committed) { told = bool(committed); });
    EXPECT_EQ(workers->run_due(), 0u) << "it counts among jobs_max";
    EXPECT_TRUE(told && then);
    const auto stored = row(job->position());
    ASSERT_TRUE(stored);
    EXPECT_TRUE(stored->text("Lease"));
    EXPECT_EQ(stored->integer("Attempts"), 1);
    clock.advance(hours(1));
    EXPECT_EQ(workers->run_due(), 0u);

    ASSERT_TRUE(commit([&](Transaction& end) { job->finish(end); }));
    EXPECT_FALSE(row(job->position()));
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_EQ(ran, (Keys{"other"}));
}

TEST_F(CrewTest, AJobAddedInHandIsFoundAgainAfterTheProcessEnded) {
    {
        auto workers = crew(keep());
        Transaction together;
        const auto job = workers->add_in_hand(together, {"q", "k", clock.now()});
        ASSERT_TRUE(schedule->commit(together));
    }
    reopen();
    auto workers = crew(keep());
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_EQ(keys(), (Keys{"k"}));
    EXPECT_TRUE(jobs[0]->interrupted());
    EXPECT_EQ(jobs[0]->attempts(), 1);
}

TEST_F(CrewTest, AJobAddedInHandThatWasNotCommittedIsNotThere) {
    auto workers = crew(keep());
    {
        Transaction together;
        auto job = workers->add_in_hand(together, {"q", "k", clock.now()});
        together.check("MailroomSchedule", {{"Queue", "x"}, {"Position", "y"}}).if_present("Queue");
        bool refused = false;
        job->commit(std::move(together), [&](const auto& committed) { refused = !committed; });
        workers->run_due();
        EXPECT_TRUE(refused);
    }
    EXPECT_EQ(workers->in_hand(), 0u);
    clock.advance(hours(1));
    EXPECT_EQ(workers->run_due(), 0u);
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewTest, NoJobIsAddedInHandTwiceOrAfterTheStop) {
    auto workers = crew(keep());
    Transaction together;
    const auto job = workers->add_in_hand(together, {"q", "k", clock.now()});
    EXPECT_TRUE(job);
    EXPECT_FALSE(workers->add_in_hand(together, {"q", "k", clock.now()}));
    workers->stop(milliseconds(0));
    EXPECT_FALSE(workers->add_in_hand(together, {"q", "k2", clock.now()}));
    EXPECT_EQ(together.size(), 1u);
}

TEST_F(CrewTest, ADroppedJobComesBackAfterAPause) {
    add("k");
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    jobs.clear();
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(4999));
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(1));
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_FALSE(jobs[0]->interrupted());
}

TEST_F(CrewTest, ADroppedJobThatWasClaimedComesBackWhenTheClaimRanOut) {
    add("k");
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    ASSERT_TRUE(claim(*jobs[0]));
    jobs.clear();
    clock.advance(milliseconds(59'999));
    EXPECT_EQ(workers->run_due(), 0u);
    clock.advance(milliseconds(1));
    ASSERT_EQ(workers->run_due(), 1u);
    EXPECT_TRUE(jobs[0]->interrupted());
    EXPECT_EQ(jobs[0]->attempts(), 1);
}

TEST_F(CrewTest, AHandlerThatThrowsLeavesTheJobToBeFoundAgain) {
    add("k");
    int calls = 0;
    auto workers = crew([&](JobInHand job) {
        if (++calls == 1) throw std::runtime_error("first");
        if (calls == 2) throw 2;
        finish()(std::move(job));
    });
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(workers->run_due(), 1u);
        EXPECT_EQ(workers->in_hand(), 0u);
        clock.advance(seconds(5));
    }
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewTest, ASoleProcessTakesUpTheClaimsOfACrashedOneAtOnce) {
    add("k");
    {
        auto workers = crew(keep());
        ASSERT_EQ(workers->run_due(), 1u);
        ASSERT_TRUE(claim(*jobs[0]));
        workers.reset();
        jobs.clear();
    }
    reopen();
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    EXPECT_TRUE(jobs[0]->interrupted());
    EXPECT_EQ(jobs[0]->attempts(), 1);
    ASSERT_TRUE(claim(*jobs[0]));
    ASSERT_TRUE(commit([&](Transaction& together) { jobs[0]->finish(together); }));
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewTest, ClaimsAreProlongedWhenAThirdIsLeft) {
    const auto position = add("k");
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    ASSERT_TRUE(claim(*jobs[0]));
    const auto until = [&] { return from_unix_ms(row(position)->integer("LeaseUntil").value()); };
    const auto claimed_until = until();
    clock.advance(seconds(39));
    workers->run_due();
    EXPECT_EQ(until(), claimed_until);
    clock.advance(seconds(1));
    workers->run_due();
    EXPECT_EQ(until(), clock.now() + seconds(60));
    for (int i = 0; i < 10; ++i) {
        clock.advance(seconds(41));
        EXPECT_EQ(workers->run_due(), 0u);
        EXPECT_EQ(until(), clock.now() + seconds(60));
    }
    ASSERT_TRUE(commit([&](Transaction& together) { jobs[0]->finish(together); }));
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewTest, AJobThatIsClaimedTooOftenAndNeverEndedIsBuried) {
    add("poison");
    add("moved");
    for (int i = 0; i < 3; ++i) {
        auto workers = crew(keep(), {.queues = {"q"}, .attempts_max = 3});
        ASSERT_EQ(workers->run_due(), 2u);
        for (const auto& job : jobs) {
            EXPECT_EQ(job->attempts(), i);
            ASSERT_TRUE(claim(*job));
            if (job->key() == "poison") continue;
            ASSERT_TRUE(commit([&](Transaction& together) { job->move(together, clock.now()); }));
        }
        workers.reset();
        jobs.clear();
        reopen();
    }
    auto workers = crew(keep(), {.queues = {"q"}, .attempts_max = 3});
    EXPECT_EQ(workers->run_due(), 2u);
    EXPECT_EQ(keys(), Keys{"moved"}) << "attempts that ended do not count";
    EXPECT_EQ(jobs[0]->attempts(), 3);
    const auto dead = schedule->dead("q", 10, std::nullopt);
    ASSERT_EQ(dead->jobs.size(), 1u);
    EXPECT_EQ(dead->jobs[0].key, "poison");
    EXPECT_EQ(dead->jobs[0].attempts, 3);
    EXPECT_NE(dead->jobs[0].reason.find("3 times"), std::string::npos);
}

TEST_F(CrewTest, PostedWorkGoesFirstAndIsNotAJob) {
    add("k");
    auto workers = crew(finish());
    workers->post([&] { ran.emplace_back("posted"); });
    workers->post([] { throw std::runtime_error("posted work may fail"); });
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_EQ(ran, (Keys{"posted", "k"}));
}

TEST_F(CrewTest, StopTakesNoNewJobsAndStillRunsWhatIsPosted) {
    add("a");
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    add("b");
    workers->post([&] { ran.emplace_back("posted"); });
    EXPECT_EQ(workers->stop(milliseconds(0)), 1u);
    EXPECT_EQ(ran, Keys{"posted"});
    EXPECT_EQ(workers->run_due(), 0u);
    workers->post([&] { ran.emplace_back("later"); });
    workers->run_due();
    EXPECT_EQ(ran, (Keys{"posted", "later"}));
    ASSERT_TRUE(commit([&](Transaction& together) { jobs[0]->finish(together); }));
    EXPECT_EQ(workers->stop(hours(1)), 0u);
}

TEST_F(CrewTest, WhatIsPostedRunsBeforeTheCrewIsGoneAndLetsGoOfItsJob) {
    add("k");
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    workers->stop(milliseconds(0));
    const std::weak_ptr<Job> watch = jobs[0];
    workers->post([this, job = std::move(jobs[0])] { ran.emplace_back(job->key()); });
    jobs.clear();
    workers.reset();
    EXPECT_EQ(ran, Keys{"k"});
    EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace mailroom::schedule
