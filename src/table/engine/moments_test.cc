// The moments that a table goes back to: a transaction is in one of them, whole.
#include "table/engine/engine_fixture.h"

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

}  // namespace
}  // namespace mailroom::table
