// What finding work costs must not depend on how much waits or was done.
#include "schedule/places.h"
#include "schedule/rows.h"
#include "schedule/schedule_fixture.h"

namespace mailroom::schedule {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

class CostTest : public ScheduleTest {
protected:
    struct Cost {
        std::size_t queries, rows;
        bool operator==(const Cost&) const = default;
    };
    Cost cost_of(const std::function<void()>& what) {
        store->queries = 0;
        store->rows_read = 0;
        what();
        return {store->queries, store->rows_read};
    }
    // Past the schedule, which takes a fraction of the time; crews are not told.
    void fill(std::size_t count, milliseconds from_now) {
        const auto due = clock.now() + from_now;
        table::BatchWrite write;
        write.tables.push_back({"MailroomSchedule", {}});
        auto& actions = write.tables[0].actions;
        for (std::size_t i = 1; i <= count; ++i) {
            const auto position = position_of("q", "m" + std::to_string(i), due);
            actions.push_back(table::BatchWrite::Put{row_item(position, {}, 0)});
            if (i % batch_items != 0 && i != count) continue;
            ASSERT_TRUE(engine->batch_write(write));
            actions.clear();
        }
    }
    // Finishes jobs, many in one transaction.
    std::size_t run_all(Crew& workers) {
        std::size_t count = 0;
        while (workers.run_due() != 0) {
            Transaction together;
            for (const auto& job : jobs) job->finish(together);
            EXPECT_TRUE(schedule->commit(together));
            count += jobs.size();
            jobs.clear();
        }
        return count;
    }

    static constexpr std::size_t batch_items = 25;
    static constexpr std::size_t transaction_items = 100;
};

TEST_F(CostTest, AJobThatIsDueWhenItIsAddedCostsNoQuery) {
    auto workers = crew(finish());
    workers->run_due();
    for (int i = 0; i < 20; ++i) {
        clock.advance(seconds(1));
        add("k" + std::to_string(i));
        EXPECT_EQ(cost_of([&] { EXPECT_EQ(workers->run_due(), 1u); }).queries, 0u);
    }
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CostTest, AJobThatIsDueLaterCostsTwoQueriesOneForItAndOneForTheNext) {
    auto workers = crew(finish());
    workers->run_due();
    for (int i = 0; i < 20; ++i) {
        add("k" + std::to_string(i), seconds(1));
        clock.advance(seconds(1));
        const auto cost = cost_of([&] { EXPECT_EQ(workers->run_due(), 1u); });
        EXPECT_EQ(cost.queries, 2u);
        EXPECT_EQ(cost.rows, 1u);
    }
}

TEST_F(CostTest, NothingToDoCostsNothing) {
    add("later", hours(1));
    auto workers = crew(finish());
    workers->run_due();
    for (int i = 0; i < 10; ++i) {
        clock.advance(seconds(60));
        EXPECT_EQ(cost_of([&] { workers->run_due(); }).queries, 0u);
    }
}

TEST_F(CostTest, JobsOfTheFutureDoNotCount) {
    fill(20'000, hours(24));
    add("first");
    auto workers = crew(finish());
    const auto first = cost_of([&] { EXPECT_EQ(workers->run_due(), 1u); });
    EXPECT_EQ(first.queries, 16u);
    EXPECT_EQ(first.rows, 9u) << "one job, and the next of each shard";
    add("k", seconds(1));
    clock.advance(seconds(1));
    const auto cost = cost_of([&] { EXPECT_EQ(workers->run_due(), 1u); });
    EXPECT_EQ(cost.queries, 2u);
    EXPECT_EQ(cost.rows, 2u) << "one job, and the next of its shard";
}

TEST_F(CostTest, AQueueThatGrowsIsLookedForAndNotKeptInMemory) {
    constexpr std::size_t count = 600;
    auto workers = crew(finish());
    workers->run_due();
    for (std::size_t i = 0; i < count; ++i) add("k" + std::to_string(i));
    const auto cost = cost_of([&] { EXPECT_EQ(workers->run_due(), count); });
    EXPECT_GE(cost.rows, count - 256);
    EXPECT_LE(cost.rows, count + 8 * 32) << "some may be seen twice";
    EXPECT_EQ(rows(), 0u);
}

TEST_F(CostTest, JobsThatCostNoQueryAreNotSteppedOverLater) {
    auto workers = crew(finish());
    workers->run_due();
    clock.advance(seconds(1));
    add("k");
    EXPECT_EQ(workers->run_due(), 1u);
    const auto after = position_of("q", "k", clock.now()).place;
    std::vector<std::string> values;
    store->after_query = [&](const table::Query& query) {
        for (const auto& [name, value] : query.bind.values)
            values.emplace_back(value.view().text());
    };
    add("k", seconds(1));
    clock.advance(seconds(1));
    EXPECT_EQ(workers->run_due(), 1u);
    ASSERT_EQ(values.size(), 5u) << "partition, from, to; partition, from";
    EXPECT_GT(values[1], after);
}

TEST_F(CostTest, FinishedJobsDoNotCount) {
    constexpr std::size_t count = 10'000;
    fill(count, milliseconds(0));
    auto workers = crew(keep(), {.queues = {"q"}, .jobs_max = transaction_items});
    const auto all = cost_of([&] { EXPECT_EQ(run_all(*workers), count); });
    EXPECT_EQ(all.rows, count);
    EXPECT_LE(all.queries, count / 32 + 3 * 8);
    std::vector<std::string> values;
    store->after_query = [&](const table::Query& query) {
        for (const auto& [name, value] : query.bind.values)
            values.emplace_back(value.view().text());
    };
    const auto finished = clock.now();
    add("k", seconds(1));
    clock.advance(seconds(1));
    const auto cost = cost_of([&] { EXPECT_EQ(run_all(*workers), 1u); });
    EXPECT_EQ(cost.queries, 2u);
    EXPECT_EQ(cost.rows, 1u);
    ASSERT_EQ(values.size(), 5u) << "partition, from, to; partition, from";
    EXPECT_GE(values[1], end_of(finished)) << "no erased row is stepped over";
}

}  // namespace
}  // namespace mailroom::schedule
