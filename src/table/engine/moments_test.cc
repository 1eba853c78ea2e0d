// The moments that a table goes back to: a transaction is in one of them, whole.
#include "kv/key.h"
#include "table/engine/engine_fixture.h"
#include "table/engine/rows.h"

#include <map>
#include <set>

namespace mailroom::table {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

// A millisecond passes whenever somebody looks at it.
class RestlessClock final : public Clock {
public:
    explicit RestlessClock(Time start) : clock_(start) {}
    Time now() const override {
        clock_.advance(milliseconds(1));
        return clock_.now();
    }
    void advance(milliseconds by) { clock_.advance(by); }

private:
    mutable ManualClock clock_;
};

class MomentsTest : public EngineTest {
protected:
    void SetUp() override {
        reopen_restless();
        for (const auto* table : {"Left", "Right"}) {
            create(simple_table(table));
            ASSERT_TRUE(engine->backups().set_continuous(table, {true, 35}));
        }
    }
    void reopen_restless() {
        engine.reset();
        auto opened = Engine::open(kv, restless, random, options);
        ASSERT_TRUE(opened) << opened.error().message;
        engine = *std::move(opened);
    }
    // Items of two tables, all changed together.
    void write(int number) {
        TransactWrite request;
        for (const auto* table : {"Left", "Right"}) {
            for (const auto* key : {"a", "b", "c", "d"}) {
                request.actions.emplace_back(put(table, {{"pk", key}, {"n", number}}));
            }
        }
        const auto written = engine->transact(request);
        ASSERT_TRUE(written) << written.error().message;
    }
    // The number that the items of a table have at a moment; -1: they are not there. Fails the test
    // unless all have the same.
    std::int64_t number_at(const std::string& table, std::optional<Time> at) {
        const auto name = "Restored" + std::to_string(++restored_);
        const auto made = engine->backups().restore(RestoreToTime{table, name, at, {}});
        EXPECT_TRUE(made) << made.error().message;
        if (!made) return -2;
        engine->finish_jobs();
        Scan request;
        request.table = name;
        const auto page = engine->scan(request);
        EXPECT_TRUE(page && (page->items.empty() || page->items.size() == 4));
        if (!page) return -2;
        std::set<std::int64_t> numbers;
        for (const auto& item : page->items) numbers.insert(item.integer("n").value_or(-2));
        EXPECT_LE(numbers.size(), 1u) << "a part of a transaction";
        EXPECT_TRUE(engine->delete_table(name));
        return numbers.empty() ? -1 : *numbers.begin();
    }

    RestlessClock restless{from_unix_ms(1'760'000'000'000)};
    int restored_ = 0;
};

TEST_F(MomentsTest, ATransactionIsWholeInEachOfThemAndTheSameInEachTable) {
    const auto first = engine->backups().continuous("Left")->latest;
    for (int number = 0; number < 6; ++number) write(number);
    const auto last = engine->backups().continuous("Left")->latest;
    std::int64_t before = -1;
    for (auto at = first; at <= last; at += milliseconds(1)) {
        SCOPED_TRACE(to_unix_ms(at) - to_unix_ms(first));
        const auto number = number_at("Left", at);
        EXPECT_EQ(number_at("Right", at), number);
        EXPECT_GE(number, before);
        before = number;
    }
    EXPECT_EQ(before, 5);
}

TEST_F(MomentsTest, DoNotGoBackWithTheClock) {
    write(1);
    const auto noon = engine->backups().continuous("Left")->latest;
    write(2);
    restless.advance(-hours(1));
    write(3);
    EXPECT_EQ(number_at("Left", std::nullopt), 3) << "nothing is after the last moment";
    reopen_restless();
    EXPECT_EQ(number_at("Left", std::nullopt), 3);
    write(4);
    EXPECT_EQ(number_at("Left", noon), 1) << "what came later is later, whatever the clock said";
    EXPECT_EQ(number_at("Left", std::nullopt), 4);
    restless.advance(hours(2));
    write(5);
    EXPECT_EQ(number_at("Left", std::nullopt), 5);
}

TEST_F(MomentsTest, OneThatWasToldIsOver) {
    // The clock of the fixture stands still: all of this happens within one millisecond.
    clock.set(restless.now());
    reopen();
    write(1);
    const auto told = engine->backups().continuous("Left")->latest;
    write(2);
    const auto told_next = engine->backups().continuous("Left")->latest;
    write(3);
    EXPECT_EQ(number_at("Left", told), 1);
    EXPECT_EQ(number_at("Left", told_next), 2);
    EXPECT_EQ(number_at("Left", std::nullopt), 3);
}

// A clock that is wrong by more than a year for a moment.
class AheadTest : public MomentsTest {
protected:
    void SetUp() override {
        MomentsTest::SetUp();
        auto request = simple_table("Streamed");
        request.stream = {true, StreamView::new_image};
        create(request);
    }
    void write_ahead(int number) {
        restless.advance(ahead);
        write(number);
        ASSERT_TRUE(engine->put(put("Streamed", {{"pk", "ahead"}})));
        restless.advance(-ahead);
    }
    ContinuousBackups range() {
        const auto range = engine->backups().continuous("Left");
        EXPECT_TRUE(range) << range.error().message;
        return range ? *range : ContinuousBackups{};
    }
    Time told() { return range().latest; }
    std::size_t records() { return rows_in(Space::record); }
    std::size_t rows_in(Space space) {
        const std::string from(1, static_cast<char>(space));
        const auto cursor = kv.scan(from, kv::after_prefix(from));
        std::size_t count = 0;
        for (cursor->seek(from); cursor->valid(); cursor->next()) ++count;
        return count;
    }
    void sweep() { ASSERT_TRUE(engine->sweep_expired(100)); }

    static constexpr auto ahead = hours(24 * 400);
};

TEST_F(AheadTest, TablesStillGoBackToMomentsBeforeAndAfter) {
    write(1);
    const auto first = told();
    write_ahead(2);
    const auto second = told();
    EXPECT_LE(range().earliest, second);
    EXPECT_LE(second, restless.now());
    write(3);
    const auto third = told();
    restless.advance(hours(24));
    write(4);
    for (const bool reopened : {false, true}) {
        if (reopened) reopen_restless();
        for (const auto* table : {"Left", "Right"}) {
            EXPECT_EQ(number_at(table, first), 1);
            EXPECT_EQ(number_at(table, second), 2);
            EXPECT_EQ(number_at(table, third), 3);
            EXPECT_EQ(number_at(table, std::nullopt), 4);
        }
    }
    EXPECT_LE(told(), restless.now() + milliseconds(10));
}

TEST_F(AheadTest, ATransactionStaysWholeThoughOnlyOneOfItsTablesIsWrittenAgain) {
    write(1);
    const auto first = told();
    write_ahead(2);
    restless.advance(hours(1));
    for (const auto* key : {"a", "b", "c", "d"}) {
        ASSERT_TRUE(engine->put(put("Left", {{"pk", key}, {"n", 3}})));
    }
    reopen_restless();
    for (const auto at : {first + std::chrono::minutes(30), restless.now() - milliseconds(1)}) {
        EXPECT_EQ(number_at("Left", at) >= 2, number_at("Right", at) >= 2);
    }
    EXPECT_EQ(number_at("Right", std::nullopt), 2);
    EXPECT_EQ(number_at("Right", first), 1);
}

TEST_F(AheadTest, NoRecordIsThereWithoutWhatItsMomentRestsOn) {
    write(1);
    const auto first = told();
    write_ahead(2);
    kv.fail_commit(1, {Errc::unavailable, "disk"});
    EXPECT_FALSE(engine->put(put("Left", {{"pk", "a"}, {"n", 9}})));
    kv.heal();
    write(3);
    reopen_restless();
    EXPECT_EQ(number_at("Left", first), 1);
    EXPECT_EQ(number_at("Left", std::nullopt), 3);
    EXPECT_LE(told(), restless.now() + milliseconds(10));
}

TEST_F(AheadTest, RecordsGoWhenTheirTimeIsOverWhetherOthersFollowOrNot) {
    for (const bool others_follow : {true, false}) {
        SCOPED_TRACE(others_follow);
        write_ahead(1);
        if (others_follow) {
            write(2);
            ASSERT_TRUE(engine->put(put("Streamed", {{"pk", "behind"}})));
        }
        sweep();
        const auto histories = records() - (others_follow ? 2 : 1);
        restless.advance(hours(23));
        sweep();
        EXPECT_GT(records(), histories);
        reopen_restless();
        restless.advance(hours(2));
        sweep();
        EXPECT_EQ(records(), histories) << "the stream is trimmed";
        restless.advance(hours(24 * 36));
        sweep();
        EXPECT_EQ(records(), 0u);
        ASSERT_TRUE(engine->delete_table("Streamed"));
        auto request = simple_table("Streamed");
        request.stream = {true, StreamView::new_image};
        create(request);
    }
}

TEST_F(AheadTest, AStreamThatEndedMeanwhileIsGoneADayLater) {
    restless.advance(ahead);
    ASSERT_TRUE(engine->delete_table("Streamed"));
    restless.advance(-ahead);
    const auto others = rows_in(Space::stream) - 1;
    sweep();
    restless.advance(hours(23));
    sweep();
    EXPECT_EQ(rows_in(Space::stream), others + 1);
    restless.advance(hours(2));
    sweep();
    EXPECT_EQ(rows_in(Space::stream), others);
}

TEST_F(AheadTest, WhatWasDroppedMeanwhileIsNotPromised) {
    write(1);
    const auto first = told();
    write(2);
    const auto second = told();
    restless.advance(ahead);
    sweep();
    restless.advance(-ahead);
    EXPECT_GT(range().earliest, first);
    EXPECT_EQ(engine->backups().restore(RestoreToTime{"Left", "Lost", first, {}}).error().fault,
              Fault::invalid_restore_time);
    EXPECT_EQ(number_at("Left", second), 2);
    write(3);
    EXPECT_EQ(number_at("Left", second), 2);
    EXPECT_EQ(number_at("Left", std::nullopt), 3);
}

TEST_F(AheadTest, AHistoryThatBeganMeanwhileBeginsWhenTheClockIsBack) {
    create(simple_table("Late"));
    restless.advance(ahead);
    ASSERT_TRUE(engine->backups().set_continuous("Late", {true, 35}));
    restless.advance(-ahead);
    const auto earliest = engine->backups().continuous("Late")->earliest;
    EXPECT_LE(earliest, restless.now());
    restless.advance(hours(1));
    ASSERT_TRUE(engine->put(put("Late", {{"pk", "a"}})));
    EXPECT_EQ(engine->backups().continuous("Late")->earliest, earliest);
    EXPECT_EQ(number_at("Late", earliest + std::chrono::minutes(1)), -1);
}

}  // namespace
}  // namespace mailroom::table
