#include "schedule/schedule_fixture.h"

#include <atomic>
#include <future>

namespace mailroom::schedule {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class CommitTest : public ScheduleTest {
protected:
    void SetUp() override {
        options.sleeper = &sleeper;
        ScheduleTest::SetUp();
    }

    // Refuses the next `times` transactions.
    void refuse(int times, table::Failure failure) {
        store->refuse = [this, times, failure](
                            const table::TransactWrite& request) -> std::optional<table::Failure> {
            tokens.push_back(request.token);
            if (static_cast<int>(tokens.size()) > times) return std::nullopt;
            return failure;
        };
    }
    table::Outcome<> add_one() {
        tokens.clear();
        sleeper.slept.clear();
        return commit([&](Transaction& together) {
            schedule->add(together, {"q", "k", clock.now()});
        });
    }

    RememberingSleeper sleeper;
    std::vector<std::string> tokens;  // Of each transaction that was tried.
};

table::Failure cancelled(std::initializer_list<const char*> codes) {
    table::Failure failure{table::Fault::transaction_canceled, "cancelled"};
    for (const auto* code : codes) failure.reasons.push_back({code, "", std::nullopt});
    return failure;
}

TEST_F(CommitTest, WhatIsRefusedForNowIsTriedEightTimes) {
    refuse(7, cancelled({"None", "TransactionConflict"}));
    EXPECT_TRUE(add_one());
    EXPECT_EQ(tokens.size(), 8u);
    EXPECT_EQ(rows(), 1u);

    clock.advance(seconds(1));
    refuse(8, cancelled({"None", "TransactionConflict"}));
    const auto refused = add_one();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, table::Fault::transaction_canceled);
    EXPECT_EQ(tokens.size(), 8u);
    EXPECT_EQ(rows(), 1u);
}

TEST_F(CommitTest, PausesAreRandomAndLessThanFourSecondsInAll) {
    refuse(1'000'000, {table::Fault::throttling, "slow down"});
    auto longest = milliseconds(0);
    for (int i = 0; i < 200; ++i) {
        EXPECT_FALSE(add_one());
        ASSERT_EQ(sleeper.slept.size(), 7u);
        auto bound = milliseconds(30);
        auto sum = milliseconds(0);
        for (const auto pause : sleeper.slept) {
            EXPECT_GE(pause, milliseconds(0));
            EXPECT_LE(pause, bound);
            bound = std::min(bound * 2, milliseconds(1000));
            sum += pause;
        }
        EXPECT_LT(sum, seconds(4));
        longest = std::max(longest, sleeper.slept.back());
    }
    EXPECT_GT(longest, milliseconds(900));
}

TEST_F(CommitTest, OnlyWhatMayPassByWaitingIsTriedAgain) {
    struct Case {
        const char* name;
        table::Failure failure;
        bool again;
    };
    // clang-format off
    const Case cases[] = {
        {"throttling",            {table::Fault::throttling, ""},                              true},
        {"in progress",           {table::Fault::transaction_in_progress, ""},                 true},
        {"conflict",              cancelled({"TransactionConflict"}),                          true},
        {"load",                  cancelled({"ThrottlingError", "None"}),                      true},
        {"throughput",            cancelled({"None", "ProvisionedThroughputExceeded"}),        true},
        {"condition",             cancelled({"ConditionalCheckFailed"}),                       false},
        {"condition and conflict", cancelled({"TransactionConflict", "ConditionalCheckFailed"}), false},
        {"conflict and nonsense", cancelled({"ValidationError", "TransactionConflict"}),       false},
        {"no reasons",            cancelled({}),                                               false},
        {"validation",            {table::Fault::validation, ""},                              false},
        {"storage",               {table::Fault::internal, ""},                                false},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        refuse(1, c.failure);
        EXPECT_EQ(static_cast<bool>(add_one()), c.again);
        EXPECT_EQ(tokens.size(), c.again ? 2u : 1u);
        clock.advance(seconds(1));
    }
}

TEST_F(CommitTest, WithASharedStoreTheSameTransactionIsDoneOnceHoweverOftenItIsSent) {
    options.ownership = Ownership::shared;
    reopen();
    // Done, but the answer is lost.
    store->refuse = [&](const table::TransactWrite& request) -> std::optional<table::Failure> {
        tokens.push_back(request.token);
        if (tokens.size() > 1) return std::nullopt;
        EXPECT_TRUE(engine->transact(request));
        return table::Failure{table::Fault::throttling, "who knows"};
    };
    EXPECT_TRUE(add_one());
    ASSERT_EQ(tokens.size(), 2u);
    EXPECT_FALSE(tokens[0].empty());
    EXPECT_EQ(tokens[0], tokens[1]);
    EXPECT_EQ(rows(), 1u);
}

TEST_F(CommitTest, ASoleProcessPaysForNoToken) {
    refuse(0, {});
    EXPECT_TRUE(add_one());
    EXPECT_EQ(tokens, std::vector<std::string>{""});
}

TEST_F(CommitTest, NothingIsLostWhenTheStoreFailsAnyOneWrite) {
    for (std::uint64_t failing = 1; failing <= 8; ++failing) {
        SCOPED_TRACE(failing);
        int finished = 0;
        auto workers = crew([&](JobInHand job) {
            if (!commit([&](Transaction& together) { job->claim(together); })) return;
            if (commit([&](Transaction& together) { job->finish(together); })) ++finished;
        });
        add("a");
        add("b");
        kv.fail_commit(failing, {Errc::unavailable, "disk"});
        for (int turn = 0; turn < 4; ++turn) {
            workers->run_due();
            clock.advance(seconds(60));
        }
        EXPECT_EQ(finished, 2);
        EXPECT_EQ(rows(), 0u);
        kv.heal();
    }
}

TEST_F(CommitTest, AJobCommitsWithoutWaitingAndIsToldByItsCrew) {
    add("k");
    std::optional<table::Outcome<>> told;
    auto workers = crew([&](JobInHand job) {
        Transaction together;
        job->finish(together);
        job->commit(std::move(together), [&, job](table::Outcome<> committed) {
            told = std::move(committed);
            ran.emplace_back(job->key());
        });
        EXPECT_FALSE(told) << "not before the handler has returned";
    });
    EXPECT_EQ(workers->run_due(), 1u);
    ASSERT_TRUE(told);
    EXPECT_TRUE(*told);
    EXPECT_EQ(rows(), 0u);
    EXPECT_EQ(workers->in_hand(), 0u);
}

TEST_F(CommitTest, WhatAJobCommitsWithoutWaitingIsTriedAgainIfItIsRefusedForNow) {
    add("k");
    std::vector<bool> told;
    auto workers = crew([&](JobInHand job) {
        Transaction together;
        job->finish(together);
        job->commit(std::move(together), [&, job](const table::Outcome<>& committed) {
            told.push_back(bool(committed));
        });
    });
    refuse(3, {table::Fault::throttling, "slow down"});
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_EQ(told, std::vector<bool>{true});
    EXPECT_EQ(tokens.size(), 4u);
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CommitTest, AJobIsToldOnceOfWhatIsRefusedForGood) {
    add("k");
    std::vector<table::Fault> told;
    auto workers = crew([&](JobInHand job) {
        Transaction together;
        job->finish(together);
        job->commit(std::move(together), [&, job](const table::Outcome<>& committed) {
            ASSERT_FALSE(committed);
            told.push_back(committed.error().fault);
        });
    });
    refuse(1, cancelled({"ConditionalCheckFailed"}));
    EXPECT_EQ(workers->run_due(), 1u);
    EXPECT_EQ(told, std::vector{table::Fault::transaction_canceled});
    EXPECT_EQ(tokens.size(), 1u);
    EXPECT_EQ(rows(), 1u);
    EXPECT_EQ(workers->in_hand(), 0u) << "dropped, to be found again";
}

TEST_F(CommitTest, ACrewWithThreadsDoesNotGoBeforeItsJobsAreTold) {
    constexpr std::size_t count = 200;
    std::atomic<std::size_t> told = 0;
    {
        Crew workers(*schedule, clock, {.queues = {"q"}, .threads = 2}, [&](JobInHand job) {
            Transaction together;
            job->finish(together);
            job->commit(std::move(together), [&, job](const table::Outcome<>& committed) {
                EXPECT_TRUE(committed);
                ++told;
            });
        });
        workers.start();
        for (std::size_t i = 0; i < count; ++i) add("k" + std::to_string(i));
    }
    EXPECT_EQ(rows(), count - told);
}

TEST_F(CommitTest, AJobThatOnlyWantsToBeToldIsToldOnceAlsoAfterTriesThatWereRefusedForNow) {
    for (const int refusals : {0, 3}) {
        add("k");
        std::vector<bool> told;
        auto workers = crew([&](JobInHand job) {
            Transaction together;
            job->finish(together);
            job->commit(std::move(together), nullptr, [&, job](const table::Outcome<>& committed) {
                told.push_back(bool(committed));
            });
        });
        if (refusals > 0) refuse(refusals, {table::Fault::throttling, "slow down"});
        EXPECT_EQ(workers->run_due(), 1u);
        EXPECT_EQ(told, std::vector<bool>{true});
        EXPECT_EQ(rows(), 0u);
        EXPECT_EQ(workers->in_hand(), 0u);
    }
}

TEST_F(CommitTest, ACrewWithThreadsDoesNotGoBeforeThoseAreToldWhoOnlyWantToBe) {
    constexpr std::size_t count = 200;
    std::atomic<std::size_t> told = 0;
    std::weak_ptr<Job> last;
    {
        Crew workers(*schedule, clock, {.queues = {"q"}, .threads = 1}, [&](JobInHand job) {
            last = job;
            Transaction together;
            job->finish(together);
            job->commit(std::move(together), nullptr, [&, job](const table::Outcome<>& committed) {
                EXPECT_TRUE(committed);
                ++told;
            });
        });
        workers.start();
        for (std::size_t i = 0; i < count; ++i) add("k" + std::to_string(i));
    }
    EXPECT_EQ(rows(), count - told);
    EXPECT_TRUE(last.expired()) << "nothing of it is left when the crew has gone";
}

TEST_F(CommitTest, WithoutWaitingJobsRunOnceTheyAreDurable) {
    auto workers = crew(finish());
    workers->run_due();
    Transaction together;
    schedule->add(together, {"q", "k", clock.now()});
    std::promise<bool> told;
    schedule->commit(std::move(together),
                     [&](const table::Outcome<>& done) { told.set_value(bool(done)); });
    EXPECT_TRUE(told.get_future().get());
    EXPECT_EQ(workers->run_due(), 1u);

    refuse(1, {table::Fault::throttling, "slow down"});
    Transaction refused;
    schedule->add(refused, {"q", "k", clock.now() + seconds(1)});
    std::optional<table::Fault> fault;
    schedule->commit(std::move(refused),
                     [&](const table::Outcome<>& done) { fault = done.error().fault; });
    EXPECT_EQ(fault, table::Fault::throttling) << "nothing waits to try it again";
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CommitTest, WhatWasNotCommittedDoesNotRun) {
    auto workers = crew(finish());
    kv.fail_commits({Errc::unavailable, "disk"});
    EXPECT_FALSE(add_one());
    EXPECT_EQ(workers->run_due(), 0u);
    kv.heal();
    clock.advance(std::chrono::hours(1));
    EXPECT_EQ(workers->run_due(), 0u);
}

TEST_F(CommitTest, AJobWhoseEndWasRefusedIsStillInHand) {
    add("k");
    auto workers = crew(keep());
    ASSERT_EQ(workers->run_due(), 1u);
    refuse(8, {table::Fault::throttling, ""});
    EXPECT_FALSE(commit([&](Transaction& together) { jobs[0]->finish(together); }));
    EXPECT_EQ(workers->in_hand(), 1u);
    EXPECT_TRUE(commit([&](Transaction& together) { jobs[0]->finish(together); }));
    EXPECT_EQ(workers->in_hand(), 0u);
}

TEST_F(CommitTest, TheTableIsMadeOnceAndWaitedFor) {
    EXPECT_TRUE(engine->describe_table("MailroomSchedule"));
    options.table = "MailroomOther";
    EXPECT_TRUE(open());
    EXPECT_TRUE(open());
    EXPECT_TRUE(engine->describe_table("MailroomOther"));
}

}  // namespace
}  // namespace mailroom::schedule
