#include "schedule/job.h"

#include "schedule/schedule_fixture.h"
#include "table/write_builder.h"

#include <algorithm>
#include <optional>

namespace mailroom::schedule {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class JobTest : public ScheduleTest {
protected:
    JobInHand job_in_hand(const std::string& key, table::Item data = {}) {
        add(key, seconds(0), "q", std::move(data));
        if (!keeper) keeper = crew(keep());
        EXPECT_EQ(keeper->run_due(), 1u);
        auto job = std::move(jobs.back());
        jobs.clear();
        return job;
    }
    static bool is_conflict(const table::Outcome<>& outcome) {
        return !outcome && Error(outcome.error()).code == Errc::conflict;
    }

    std::unique_ptr<Crew> keeper;
};

TEST_F(JobTest, ANewOneShowsWhatWasAdded) {
    const auto job = job_in_hand("k", {{"n", 7}});
    EXPECT_EQ(job->queue(), "q");
    EXPECT_EQ(job->key(), "k");
    EXPECT_EQ(job->due(), clock.now());
    EXPECT_EQ(job->data(), (table::Item{{"n", 7}}));
    EXPECT_EQ(job->attempts(), 0);
    EXPECT_FALSE(job->interrupted());
}

TEST_F(JobTest, TheSameJobTwiceIsAConflict) {
    add("k");
    EXPECT_TRUE(is_conflict(commit([&](Transaction& together) {
        schedule->add(together, {"q", "k", clock.now()});
    })));
}

TEST_F(JobTest, FinishingErasesTheRow) {
    const auto job = job_in_hand("k");
    ASSERT_TRUE(commit([&](Transaction& together) { job->finish(together); }));
    EXPECT_EQ(rows(), 0u);
    EXPECT_EQ(keeper->in_hand(), 0u);
}

TEST_F(JobTest, AClaimIsSeenInTheRowAndKeptByItsEnd) {
    const auto job = job_in_hand("k");
    ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
    const auto claimed = row(job->position());
    ASSERT_TRUE(claimed);
    EXPECT_TRUE(claimed->has("Lease"));
    EXPECT_EQ(claimed->integer("LeaseUntil"), to_unix_ms(clock.now() + seconds(60)));
    EXPECT_EQ(claimed->integer("Attempts"), 1);
    ASSERT_TRUE(commit([&](Transaction& together) { job->finish(together); }));
    EXPECT_EQ(rows(), 0u);
}

TEST_F(JobTest, MovingKeepsAttemptsAndDataAndNothingOfTheClaim) {
    const auto job = job_in_hand("k", {{"n", 7}});
    ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
    std::optional<Position> moved;
    ASSERT_TRUE(commit(
        [&](Transaction& together) { moved = job->move(together, clock.now() + seconds(30)); }));
    EXPECT_EQ(rows(), 1u);
    const auto after = row(*moved);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->integer("Attempts"), 1);
    EXPECT_FALSE(after->has("Lease") || after->has("LeaseUntil"));
    EXPECT_EQ(keeper->run_due(), 0u);
    clock.advance(seconds(30));
    ASSERT_EQ(keeper->run_due(), 1u);
    EXPECT_EQ(jobs[0]->attempts(), 1);
    EXPECT_FALSE(jobs[0]->interrupted());
    EXPECT_EQ(jobs[0]->data(), (table::Item{{"n", 7}}));
}

TEST_F(JobTest, MovingToAnotherQueueBeginsAnew) {
    const auto job = job_in_hand("k", {{"n", 7}});
    ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
    ASSERT_TRUE(commit([&](Transaction& together) {
        job->move(together, {"other", "k2", clock.now(), {{"n", 8}}});
    }));
    auto others = crew(keep(), {.queues = {"other"}});
    ASSERT_EQ(others->run_due(), 1u);
    EXPECT_EQ(jobs[0]->key(), "k2");
    EXPECT_EQ(jobs[0]->attempts(), 0);
    EXPECT_EQ(jobs[0]->data(), (table::Item{{"n", 8}}));
    EXPECT_EQ(rows(), 1u);
    jobs.clear();
}

TEST_F(JobTest, MovingToItsOwnPlaceGivesItAgain) {
    const auto job = job_in_hand("k", {{"n", 7}});
    ASSERT_TRUE(commit([&](Transaction& together) {
        const auto moved = job->move(together, {"", "", job->due(), {{"n", 8}}});
        EXPECT_EQ(moved, job->position());
    }));
    ASSERT_EQ(keeper->run_due(), 1u);
    EXPECT_EQ(jobs[0]->data(), (table::Item{{"n", 8}}));
    EXPECT_EQ(rows(), 1u);
    jobs.clear();
}

TEST_F(JobTest, WhatIsNotHeldAnyMoreRefusesTheWholeTransaction) {
    struct Case {
        const char* name;
        std::function<void(Job&, Transaction&)> end;
    };
    const Case cases[] = {
        {"claim", [](Job& job, Transaction& together) { job.claim(together); }},
        {"finish", [](Job& job, Transaction& together) { job.finish(together); }},
        {"move",
         [&](Job& job, Transaction& together) { job.move(together, clock.now() + seconds(9)); }},
        {"move to its place",
         [](Job& job, Transaction& together) { job.move(together, job.due()); }},
        {"bury", [](Job& job, Transaction& together) { job.bury(together, "x"); }},
    };
    for (const auto& c : cases) {
        for (const bool was_claimed : {false, true}) {
            SCOPED_TRACE(std::string(c.name) + (was_claimed ? " claimed" : ""));
            const auto job = job_in_hand(c.name);
            if (was_claimed) {
                ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
            }
            // Somebody else takes it.
            table::UpdateItem theft;
            theft.table = "MailroomSchedule";
            theft.key = {{"Queue", job->position().partition}, {"Position", job->position().place}};
            theft.update = "SET Lease = :lease";
            theft.bind.values = {{":lease", "somebody:1"}};
            ASSERT_TRUE(engine->update(theft));
            const auto before = rows();
            EXPECT_TRUE(is_conflict(commit([&](Transaction& together) {
                c.end(*job, together);
                schedule->add(together, {"other", "beside", clock.now()});
            })));
            EXPECT_EQ(rows(), before) << "nothing of it happened";
            EXPECT_EQ(row(job->position())->text("Lease"), "somebody:1");

            // And once the row is gone.
            table::DeleteItem erase;
            erase.table = theft.table;
            erase.key = theft.key;
            ASSERT_TRUE(engine->erase(erase));
            EXPECT_TRUE(is_conflict(commit([&](Transaction& together) { c.end(*job, together); })));
            EXPECT_FALSE(row(job->position()));
        }
    }
}

TEST_F(JobTest, OnlyUnclaimedJobsCanBeCancelled) {
    const auto waiting = add("waiting", seconds(10));
    ASSERT_TRUE(commit([&](Transaction& together) { schedule->cancel(together, waiting); }));
    EXPECT_TRUE(
        is_conflict(commit([&](Transaction& together) { schedule->cancel(together, waiting); })));

    const auto job = job_in_hand("in hand");
    ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
    EXPECT_TRUE(is_conflict(
        commit([&](Transaction& together) { schedule->cancel(together, job->position()); })));

    const auto unclaimed = job_in_hand("unclaimed");
    ASSERT_TRUE(
        commit([&](Transaction& together) { schedule->cancel(together, unclaimed->position()); }));
    EXPECT_TRUE(is_conflict(commit([&](Transaction& together) { unclaimed->finish(together); })));
}

TEST_F(JobTest, TheBuriedAreListedRevivedAndDiscarded) {
    for (const char* key : {"a", "b", "c"}) {
        const auto job = job_in_hand(key, {{"n", 7}});
        ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
        ASSERT_TRUE(commit([&](Transaction& together) { job->bury(together, "no route"); }));
        clock.advance(milliseconds(1));
    }
    EXPECT_EQ(keeper->run_due(), 0u);
    const auto first = schedule->dead("q", 2, std::nullopt);
    ASSERT_TRUE(first);
    ASSERT_EQ(first->jobs.size(), 2u);
    EXPECT_EQ(first->jobs[0].key, "a");
    EXPECT_EQ(first->jobs[0].queue, "q");
    EXPECT_EQ(first->jobs[0].reason, "no route");
    EXPECT_EQ(first->jobs[0].attempts, 1);
    EXPECT_EQ(first->jobs[0].data, (table::Item{{"n", 7}}));
    EXPECT_EQ(first->jobs[0].buried, clock.now() - milliseconds(3));
    ASSERT_TRUE(first->next);
    const auto rest = schedule->dead("q", 2, first->next);
    ASSERT_TRUE(rest);
    ASSERT_EQ(rest->jobs.size(), 1u);
    EXPECT_EQ(rest->jobs[0].key, "c");
    EXPECT_FALSE(rest->next);
    EXPECT_TRUE(schedule->dead("other", 2, std::nullopt)->jobs.empty());
    EXPECT_EQ(schedule->dead("q", 2, "nonsense").error().code, Errc::invalid);

    ASSERT_TRUE(schedule->revive("q", first->jobs[0].place));
    ASSERT_EQ(keeper->run_due(), 1u);
    EXPECT_EQ(jobs[0]->key(), "a");
    EXPECT_EQ(jobs[0]->attempts(), 0);
    EXPECT_EQ(jobs[0]->data(), (table::Item{{"n", 7}}));
    EXPECT_EQ(schedule->revive("q", first->jobs[0].place).error().code, Errc::not_found);
    EXPECT_EQ(schedule->revive("q", "nonsense").error().code, Errc::not_found);

    ASSERT_TRUE(schedule->discard("q", first->jobs[1].place));
    EXPECT_EQ(schedule->discard("q", first->jobs[1].place).error().code, Errc::not_found);
    EXPECT_EQ(schedule->dead("q", 10, std::nullopt)->jobs.size(), 1u);
    jobs.clear();
}

// What mark() is told, once the crew has nothing left to do.
class MarkTest : public JobTest {
protected:
    std::string mark(Job& job, const std::string& text, Crew& of) {
        std::optional<table::Outcome<>> told;
        job.mark(text, [&told](const table::Outcome<>& outcome) { told.emplace(outcome); });
        of.run_due();
        if (!told) return "nothing";
        return *told ? "ok" : is_conflict(*told) ? "conflict" : told->error().message;
    }
    static std::string joined(std::vector<std::string> marks) {
        std::ranges::sort(marks);
        std::string text;
        for (const auto& mark : marks) text += mark + ";";
        return text;
    }
};

TEST_F(MarkTest, IsFoundByWhoeverFindsTheJobInterruptedAndGoneWhenItIsMoved) {
    auto job = job_in_hand("k", {{"n", 7}});
    ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together, {{"n", 8}}); }));
    EXPECT_TRUE(job->marks().empty());
    EXPECT_EQ(mark(*job, "b", *keeper), "ok");
    EXPECT_EQ(mark(*job, "a", *keeper), "ok");
    EXPECT_EQ(mark(*job, "a", *keeper), "ok");
    job.reset();
    keeper.reset();
    reopen();
    keeper = crew(keep());
    ASSERT_EQ(keeper->run_due(), 1u);
    auto next = std::move(jobs.back());
    jobs.clear();
    EXPECT_TRUE(next->interrupted());
    EXPECT_EQ(joined(next->marks()), "a;b;");
    EXPECT_EQ(next->data(), (table::Item{{"n", 8}}));
    ASSERT_TRUE(commit([&](Transaction& together) { next->move(together, next->due()); }));
    next.reset();
    ASSERT_EQ(keeper->run_due(), 1u);
    EXPECT_TRUE(jobs.back()->marks().empty());
    jobs.clear();
}

TEST_F(MarkTest, IsRefusedToWhoeverLostTheClaim) {
    for (const auto ownership : {Ownership::sole, Ownership::shared}) {
        SCOPED_TRACE(ownership == Ownership::sole ? "sole" : "shared");
        options.ownership = ownership;
        keeper.reset();
        reopen();
        const auto key = ownership == Ownership::sole ? "a" : "b";
        const auto job = job_in_hand(key);
        ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
        EXPECT_EQ(mark(*job, "mine", *keeper), "ok");
        const auto place = row(job->position());
        ASSERT_TRUE(place);
        auto stolen = *place;
        stolen.set("Lease", table::Value("somebody:1"));
        ASSERT_TRUE(engine->put(table::write::Put("MailroomSchedule", stolen)));
        EXPECT_EQ(mark(*job, "late", *keeper), "conflict");
        EXPECT_EQ(row(job->position()), stolen) << "nothing of it was written";
        ASSERT_TRUE(engine->erase(table::write::Erase(
            "MailroomSchedule",
            {{"Queue", job->position().partition}, {"Position", job->position().place}})));
        EXPECT_EQ(mark(*job, "late", *keeper), "conflict");
        EXPECT_FALSE(row(job->position())) << "a mark makes no job";
    }
}

TEST_F(MarkTest, IsNotDurableBeforeItIsTold) {
    const auto job = job_in_hand("k");
    ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
    kv.fail_commits({Errc::corrupt, "the disk is broken"});
    const auto told = mark(*job, "a", *keeper);
    EXPECT_NE(told, "ok");
    EXPECT_NE(told, "nothing");
    kv.heal();
    EXPECT_FALSE(row(job->position())->has("Marks"));
}

TEST_F(JobTest, MayOutliveItsCrewAndStillEnd) {
    auto job = job_in_hand("k"), dropped = job_in_hand("dropped");
    keeper.reset();
    dropped.reset();
    ASSERT_TRUE(commit([&](Transaction& together) { job->finish(together); }));
    EXPECT_EQ(rows(), 1u);
}

TEST_F(JobTest, MayBeDroppedAfterItsSchedule) {
    auto job = job_in_hand("k");
    keeper.reset();
    schedule.reset();
    job.reset();
    schedule = open();
    EXPECT_EQ(rows(), 1u);
}

TEST_F(JobTest, StaysInHandAsLongAsATransactionNamesIt) {
    auto job = job_in_hand("k");
    Transaction together;
    job->finish(together);
    job.reset();
    EXPECT_EQ(keeper->in_hand(), 1u);
    ASSERT_TRUE(schedule->commit(together));
    EXPECT_EQ(keeper->in_hand(), 0u);
    EXPECT_EQ(rows(), 0u);
}

}  // namespace
}  // namespace mailroom::schedule
