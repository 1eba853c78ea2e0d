// What the tests of the schedule share: one on a store in memory, whose process can be ended and
// begun again.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "kv/memory_store.h"
#include "schedule/crew.h"
#include "schedule/schedule.h"
#include "schedule/watched_store.h"
#include "table/engine/engine.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::schedule {

// Does not wait, and remembers for how long it should have.
class RememberingSleeper final : public Sleeper {
public:
    bool sleep(std::chrono::milliseconds duration) override {
        slept.push_back(duration);
        return true;
    }
    std::vector<std::chrono::milliseconds> slept;
};

class ScheduleTest : public ::testing::Test {
protected:
    void SetUp() override {
        auto opened = table::Engine::open(kv, clock, random);
        ASSERT_TRUE(opened) << opened.error().message;
        engine = *std::move(opened);
        store = std::make_unique<WatchedStore>(*engine);
        reopen();
    }
    void TearDown() override { jobs.clear(); }

    std::unique_ptr<Schedule> open() {
        auto opened = Schedule::open(*store, clock, random, options);
        EXPECT_TRUE(opened) << opened.error().message;
        return opened ? *std::move(opened) : nullptr;
    }
    // As after a restart of the process. Crews and jobs must be gone.
    void reopen() {
        schedule.reset();
        schedule = open();
        ASSERT_TRUE(schedule);
    }

    Position add(const std::string& key, std::chrono::milliseconds from_now,
                 const std::string& queue = "q", table::Item data = {}) {
        Transaction together;
        auto position = schedule->add(together, {queue, key, clock.now() + from_now, data});
        const auto committed = schedule->commit(together);
        EXPECT_TRUE(committed) << committed.error().message;
        return position;
    }
    Position add(const std::string& key) { return add(key, std::chrono::milliseconds(0)); }

    // Without threads: to be driven with run_due().
    std::unique_ptr<Crew> crew(Crew::Handler handler, CrewOptions crew_options = {}) {
        return crew_of(*schedule, std::move(handler), std::move(crew_options));
    }
    std::unique_ptr<Crew> crew_of(Schedule& of, Crew::Handler handler,
                                  CrewOptions crew_options = {}) {
        if (crew_options.queues.empty()) crew_options.queues = {"q"};
        crew_options.threads = 0;
        return std::make_unique<Crew>(of, clock, std::move(crew_options), std::move(handler));
    }
    // Keeps the jobs in `jobs`.
    Crew::Handler keep() {
        return [this](JobInHand job) { jobs.push_back(std::move(job)); };
    }
    // Finishes each job and writes its key to `ran`.
    Crew::Handler finish() {
        return [this](JobInHand job) {
            ran.emplace_back(job->key());
            EXPECT_TRUE(commit([&](Transaction& together) { job->finish(together); }));
        };
    }

    table::Outcome<> commit(const std::function<void(Transaction&)>& build) {
        Transaction together;
        build(together);
        return schedule->commit(together);
    }
    bool claim(Job& job) {
        return static_cast<bool>(commit([&](Transaction& together) { job.claim(together); }));
    }

    std::optional<table::Item> row(const Position& position) {
        table::GetItem get;
        get.table = "MailroomSchedule";
        get.key = {{"Queue", position.partition}, {"Position", position.place}};
        auto got = engine->get(get);
        EXPECT_TRUE(got);
        return got ? got->item : std::nullopt;
    }
    std::size_t rows() {
        table::Scan scan;
        scan.table = "MailroomSchedule";
        const auto page = engine->scan(scan);
        EXPECT_TRUE(page);
        return page ? page->count : 0;
    }

    kv::MemoryStore kv;
    ManualClock clock{from_unix_ms(1'760'000'000'000)};
    SeededRandom random{1};
    ScheduleOptions options;
    std::unique_ptr<table::Engine> engine;
    std::unique_ptr<WatchedStore> store;
    std::unique_ptr<Schedule> schedule;
    std::vector<JobInHand> jobs;
    std::vector<std::string> ran;
};

}  // namespace mailroom::schedule
