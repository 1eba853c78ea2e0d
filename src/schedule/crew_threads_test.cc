// Crews with real threads on the real engine.
#include "schedule/schedule_fixture.h"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace mailroom::schedule {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Long enough for a machine that is busy with other things.
constexpr auto patience = seconds(120);

// Counts, and waits for a count.
class Counter {
public:
    void add() {
        const std::lock_guard lock(mutex_);
        ++count_;
        changed_.notify_all();
    }
    bool wait_for(std::size_t count) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, patience, [&] { return count_ >= count; });
    }
    std::size_t count() {
        const std::lock_guard lock(mutex_);
        return count_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t count_ = 0;
};

class CrewThreadsTest : public ScheduleTest {
protected:
    std::unique_ptr<Crew> start(Schedule& of, const Clock& time, Crew::Handler handler,
                                CrewOptions crew_options) {
        if (crew_options.queues.empty()) crew_options.queues = {"q"};
        auto workers =
            std::make_unique<Crew>(of, time, std::move(crew_options), std::move(handler));
        workers->start();
        return workers;
    }
    Crew::Handler finish_and(Counter& counter) {
        return [this, &counter](JobInHand job) {
            EXPECT_TRUE(commit([&](Transaction& together) { job->finish(together); }));
            counter.add();
        };
    }
};

TEST_F(CrewThreadsTest, WorkOfTheSameProcessIsBegunWithoutPolling) {
    Counter done;
    const auto workers = start(*schedule, clock, finish_and(done),
                               {.queues = {"q"}, .threads = 2, .poll = hours(1)});
    for (std::size_t i = 1; i <= 50; ++i) {
        add("k" + std::to_string(i));
        ASSERT_TRUE(done.wait_for(i)) << i;
    }
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewThreadsTest, AJobOfTheFutureRunsAtItsTimeWithoutPolling) {
    const SystemClock system;
    Counter done;
    schedule.reset();
    auto opened = Schedule::open(*store, system, random, options);
    ASSERT_TRUE(opened);
    schedule = *std::move(opened);
    std::atomic<bool> early = false;
    const auto workers = start(*schedule, system,
                               [&](JobInHand job) {
                                   if (system.now() < job->due()) early = true;
                                   finish_and(done)(std::move(job));
                               },
                               {.queues = {"q"}, .threads = 2, .poll = hours(1)});
    for (std::int64_t i = 0; i < 40; ++i) {
        ASSERT_TRUE(commit([&](Transaction& together) {
            // The later ones first, so that whoever sleeps must be woken to sleep less.
            schedule->add(together,
                          {"q", std::to_string(i), system.now() + milliseconds(400 - 10 * i)});
        }));
    }
    EXPECT_TRUE(done.wait_for(40));
    EXPECT_FALSE(early);
}

TEST_F(CrewThreadsTest, AFutureJobIsSeenToAlthoughTheThreadThatFoundItIsBusy) {
    const SystemClock system;
    schedule.reset();
    auto opened = Schedule::open(*store, system, random, options);
    ASSERT_TRUE(opened);
    schedule = *std::move(opened);
    Counter done, begun;
    const auto workers = start(*schedule, system,
                               [&](JobInHand job) {
                                   begun.add();
                                   // Each blocks its thread until the other runs.
                                   EXPECT_TRUE(begun.wait_for(2));
                                   finish_and(done)(std::move(job));
                               },
                               {.queues = {"q"}, .threads = 2, .poll = hours(1)});
    ASSERT_TRUE(commit([&](Transaction& together) {
        schedule->add(together, {"q", "now", system.now()});
        schedule->add(together, {"q", "soon", system.now() + milliseconds(200)});
    }));
    EXPECT_TRUE(done.wait_for(2));
}

TEST_F(CrewThreadsTest, JobsThatEndElsewhereMakeRoomForOthers) {
    Counter done;
    std::vector<std::thread> answers;
    std::mutex mutex;
    Crew* self = nullptr;
    auto workers = std::make_unique<Crew>(
        *schedule, clock,
        CrewOptions{.queues = {"q"}, .threads = 2, .jobs_max = 3, .poll = hours(1)},
        [&](JobInHand job) {
            const std::lock_guard lock(mutex);
            answers.emplace_back([&, job = std::move(job)]() mutable {
                self->post([&, job = std::move(job)] { finish_and(done)(job); });
            });
        });
    self = workers.get();
    for (int i = 0; i < 100; ++i) add("k" + std::to_string(i));
    workers->start();
    EXPECT_TRUE(done.wait_for(100));
    EXPECT_EQ(workers->stop(patience), 0u);
    workers.reset();  // Its handlers have returned now: a job may end before that.
    for (auto& answer : answers) answer.join();
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewThreadsTest, ASoleProcessHandsOutEachJobOnceWhileOthersAreAddedBeforeIt) {
    constexpr std::size_t count = 2000;
    Counter done;
    std::mutex mutex;
    std::map<std::string, int> times;
    const auto workers =
        start(*schedule, clock,
              [&](JobInHand job) {
                  {
                      const std::lock_guard lock(mutex);
                      ++times[std::string(job->key())];
                  }
                  if (job->key().back() == '7') {
                      EXPECT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
                  }
                  finish_and(done)(std::move(job));
              },
              {.queues = {"q"}, .threads = 4, .poll = hours(1)});
    // Later ones are due before the earlier ones, so looks go back again and again.
    for (std::size_t i = 0; i < count; ++i) {
        add(std::to_string(i), -milliseconds(static_cast<std::int64_t>(i)));
    }
    EXPECT_TRUE(done.wait_for(count));
    EXPECT_EQ(workers->stop(patience), 0u);
    EXPECT_EQ(times.size(), count);
    for (const auto& [key, n] : times) EXPECT_EQ(n, 1) << key;
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CrewThreadsTest, ClaimsAreProlongedAlthoughEveryThreadIsBlocked) {
    const SystemClock system;
    schedule.reset();
    auto opened = Schedule::open(*store, system, random, options);
    ASSERT_TRUE(opened);
    schedule = *std::move(opened);
    Counter done;
    bool prolonged = false;
    const auto workers = start(
        *schedule, system,
        [&](JobInHand job) {
            ASSERT_TRUE(commit([&](Transaction& together) { job->claim(together); }));
            const auto until = row(job->position())->integer("LeaseUntil");
            for (const auto end = system.now() + patience; !prolonged && system.now() < end;) {
                std::this_thread::yield();
                prolonged = row(job->position())->integer("LeaseUntil") > until;
            }
            finish_and(done)(std::move(job));
        },
        {.queues = {"q"}, .threads = 1, .lease = milliseconds(300)});
    ASSERT_TRUE(commit([&](Transaction& together) {
        schedule->add(together, {"q", "k", system.now()});
    }));
    ASSERT_TRUE(done.wait_for(1));
    EXPECT_TRUE(prolonged);
}

TEST_F(CrewThreadsTest, StopWaitsForJobsInHandAndSaysHowManyAreLeft) {
    Counter begun;
    std::mutex mutex;
    const auto workers = start(*schedule, clock,
                               [&](JobInHand job) {
                                   const std::lock_guard lock(mutex);
                                   jobs.push_back(std::move(job));
                                   begun.add();
                               },
                               {.queues = {"q"}, .threads = 2, .poll = hours(1)});
    add("a");
    add("b");
    ASSERT_TRUE(begun.wait_for(2));
    EXPECT_EQ(workers->stop(milliseconds(1)), 2u);
    add("c");
    std::thread ending([&] {
        for (const auto& job : jobs) {
            workers->post([&, job] {
                EXPECT_TRUE(commit([&](Transaction& together) { job->finish(together); }));
            });
        }
    });
    EXPECT_EQ(workers->stop(patience), 0u);
    ending.join();
    EXPECT_EQ(begun.count(), 2u) << "c was not begun";
    EXPECT_EQ(rows(), 1u);
}

// Each job adds one to a row of its own, which must not be there, in the transaction that ends it.
class ExactlyOnceTest : public CrewThreadsTest, public ::testing::WithParamInterface<bool> {
protected:
    void SetUp() override {
        CrewThreadsTest::SetUp();
        table::CreateTable request;
        request.name = "Runs";
        request.attributes = {{"Id", table::Kind::string}};
        request.keys.hash = "Id";
        ASSERT_TRUE(engine->create_table(request));
    }
    std::size_t runs() {
        std::size_t count = 0;
        table::Scan scan;
        scan.table = "Runs";
        do {
            auto page = engine->scan(scan);
            EXPECT_TRUE(page);
            if (!page) return 0;
            count += page->count;
            scan.start_key = page->last_key;
        } while (scan.start_key);
        return count;
    }
};

TEST_P(ExactlyOnceTest, TwoNodesWithSeveralThreadsShareThousandsOfJobs) {
    constexpr std::size_t count = 3000;
    const bool claimed = GetParam();
    options.ownership = Ownership::shared;
    reopen();
    const auto other = open();
    Counter done;
    std::atomic<std::size_t> handed_out = 0;
    const auto run_on = [&](Schedule& node) {
        return [&, claimed](JobInHand job) {
            ++handed_out;
            if (claimed) {
                Transaction claiming;
                job->claim(claiming);
                if (!node.commit(claiming)) return;  // The other node was faster.
            }
            Transaction ending;
            ending.put("Runs", {{"Id", job->key()}}).if_absent("Id");
            job->finish(ending);
            const auto ended = node.commit(ending);
            if (ended) done.add();
            EXPECT_TRUE(ended || !claimed) << "a claim keeps the others off";
        };
    };
    const CrewOptions crew_options{
        .queues = {"q"}, .threads = 3, .jobs_max = 8, .poll = milliseconds(20)};
    const auto here = start(*schedule, clock, run_on(*schedule), crew_options);
    const auto there = start(*other, clock, run_on(*other), crew_options);
    std::vector<std::thread> adders;
    for (std::size_t adder = 0; adder < 2; ++adder) {
        adders.emplace_back([&, adder] {
            for (std::size_t i = adder; i < count; i += 2) {
                Transaction together;
                auto& node = i % 4 < 2 ? *schedule : *other;
                node.add(together, {"q", std::to_string(i), clock.now()});
                EXPECT_TRUE(node.commit(together));
            }
        });
    }
    for (auto& adder : adders) adder.join();
    EXPECT_TRUE(done.wait_for(count));
    EXPECT_EQ(done.count(), count);
    EXPECT_EQ(runs(), count);
    EXPECT_EQ(rows(), 0u);
    RecordProperty("handed_out", std::to_string(handed_out));
}

INSTANTIATE_TEST_SUITE_P(ClaimedOrNot, ExactlyOnceTest, ::testing::Bool());

}  // namespace
}  // namespace mailroom::schedule
