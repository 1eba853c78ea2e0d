// Several nodes work off the jobs of one store that is as bad as the real one. Their clocks are
// half a minute apart, they stand still for longer than a lease, and they are killed.
#include "harsh/harsh_store.h"
#include "schedule/crew.h"
#include "table/query_builder.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mailroom::schedule {
namespace {

using namespace std::chrono_literals;

constexpr table::Harshness bad_day = {.throttled = 100,
                                      .conflicts = 100,
                                      .unprocessed = 300,
                                      .lost = 60,
                                      .cut = 200,
                                      .stale = 300,
                                      .lag = 5s,
                                      .attempts = 2};

class SkewedClock final : public Clock {
public:
    SkewedClock(const Clock& clock, std::chrono::milliseconds skew) : clock_(clock), skew_(skew) {}
    Time now() const override { return clock_.now() + skew_; }

private:
    const Clock& clock_;
    const std::chrono::milliseconds skew_;
};

class NoSleep final : public Sleeper {
public:
    bool sleep(std::chrono::milliseconds) override { return true; }
};

// Work that takes a while, outside of the tables.
struct Working {
    JobInHand job;
    Time until;
};

// One process: it can be stopped for a while and killed.
class WorkingNode {
public:
    WorkingNode(table::Store& store, const Clock& steady, std::chrono::milliseconds skew,
                Random& random)
        : store_(store), steady_(steady), clock_(steady, skew), random_(random) {}

    void begin() {
        while (!schedule_) {
            auto opened = Schedule::open(
                store_, clock_, random_,
                {.ownership = Ownership::shared, .sleeper = &sleeper_, .steady = &steady_});
            if (opened) schedule_ = *std::move(opened);
        }
        crew_ = std::make_unique<Crew>(*schedule_, clock_,
                                       CrewOptions{.queues = {"q"}, .threads = 0, .jobs_max = 6},
                                       [this](JobInHand job) { take_up(std::move(job)); });
    }
    void kill() {
        working_.clear();
        crew_.reset();
        schedule_.reset();
    }
    // What is due is begun; what has lasted long enough is ended, together with its effect.
    void step() {
        crew_->run_due();
        std::erase_if(working_, [&](Working& one) {
            if (one.until > steady_.now()) return false;
            end(*one.job);
            return true;
        });
    }
    // Is told that it is there, sooner or later.
    void add(const std::string& key, Time due) {
        for (;;) {
            Transaction together;
            schedule_->add(together, {.queue = "q", .key = key, .due = due});
            const auto added = schedule_->commit(together);
            if (added || Error(added.error()).code == Errc::conflict) return;
        }
    }

    const std::vector<Working>& working() const { return working_; }
    std::size_t begun() const { return begun_; }
    std::size_t stopped_for = 0;  // Steps.

private:
    void take_up(JobInHand job) {
        Transaction claiming;
        job->claim(claiming);
        if (!schedule_->commit(claiming)) return;
        ++begun_;
        const auto lasts = std::chrono::seconds(random_up_to(random_, 200));
        working_.push_back({std::move(job), steady_.now() + lasts});
    }
    void end(Job& job) {
        Transaction ending;
        job.finish(ending);
        ending.put("Effects", {{"key", job.key()}}).if_absent("key");
        // Whether it was refused because another has it, throttled, or not answered: who finds the
        // job knows.
        static_cast<void>(schedule_->commit(ending));
    }

    table::Store& store_;
    const Clock& steady_;
    SkewedClock clock_;
    Random& random_;
    NoSleep sleeper_;
    std::unique_ptr<Schedule> schedule_;
    std::unique_ptr<Crew> crew_;
    std::vector<Working> working_;
    std::size_t begun_ = 0;
};

class ScheduleNodesTest : public testing::TestWithParam<int> {
protected:
    void SetUp() override {
        auto opened = table::Engine::open(kv, clock, random, {});
        ASSERT_TRUE(opened);
        engine = *std::move(opened);
        table::CreateTable effects;
        effects.name = "Effects";
        effects.attributes = {{"key", table::Kind::string}};
        effects.keys = {"key", ""};
        ASSERT_TRUE(engine->create_table(effects));
        store = std::make_unique<table::HarshStore>(
            *engine, clock, static_cast<std::uint64_t>(GetParam()), bad_day);
        for (const auto skew : {0s, 30s, -30s}) {
            nodes.push_back(std::make_unique<WorkingNode>(*store, clock, skew, random));
            nodes.back()->begin();
        }
    }
    void TearDown() override {
        for (auto& node : nodes) node->kill();
    }

    std::uint64_t below(std::uint64_t end) { return random_up_to(random, end - 1); }
    std::size_t count(const std::string& table) {
        table::Scan scan;
        scan.table = table;
        const auto page = engine->scan(scan);
        EXPECT_TRUE(page);
        return page ? page->count : 0;
    }
    void expect_one_holder_each() {
        std::map<std::string, int, std::less<>> holders;
        for (const auto& node : nodes) {
            for (const auto& one : node->working()) {
                if (one.job->is_surely_held()) ++holders[std::string(one.job->key())];
            }
        }
        for (const auto& [key, number] : holders) EXPECT_EQ(number, 1) << key;
    }
    void step() {
        clock.advance(std::chrono::milliseconds(500 + below(5000)));
        for (auto& node : nodes) {
            if (node->stopped_for > 0 && --node->stopped_for > 0) continue;
            if (below(400) == 0) {
                node->kill();
                node->begin();
            }
            if (below(200) == 0) node->stopped_for = 20 + below(60);  // Past a lease.
            node->step();
            expect_one_holder_each();
        }
    }

    ManualClock clock{from_unix_ms(1'760'000'000'000)};
    SeededRandom random{static_cast<std::uint64_t>(GetParam()) + 1000};
    kv::MemoryStore kv;
    std::unique_ptr<table::Engine> engine;
    std::unique_ptr<table::HarshStore> store;
    std::vector<std::unique_ptr<WorkingNode>> nodes;
};

TEST_P(ScheduleNodesTest, NoJobIsLostAndNoneIsHeldTwice) {
    constexpr std::size_t jobs = 120;
    for (std::size_t i = 0; i < jobs; ++i) {
        const auto due = clock.now() + std::chrono::seconds(below(1800));
        nodes[below(nodes.size())]->add("k" + std::to_string(i), due);
    }
    int steps = 0;
    constexpr int steps_max = 10'000;
    while (count("MailroomSchedule") > 0 && ++steps < steps_max) step();
    EXPECT_LT(steps, steps_max);
    EXPECT_EQ(count("Effects"), jobs) << "each had its effect, once";
    std::size_t begun = 0;
    for (const auto& node : nodes) begun += node->begun();
    EXPECT_GT(begun, jobs) << "nobody was ever interrupted";
    EXPECT_LT(begun, 3 * jobs) << "live claims are stolen";
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScheduleNodesTest, testing::Range(1, 11));

}  // namespace
}  // namespace mailroom::schedule
