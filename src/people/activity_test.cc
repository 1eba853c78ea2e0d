#include "people/activity.h"

#include "table/engine/engine_fixture.h"
#include "table/records/ensure_table.h"
#include "table/records/table_of.h"

namespace mailroom::people {
namespace {

using namespace std::chrono_literals;

class ActivityTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        const table::OwnTable own{table::TableOf("MailroomPeople", "PK", "SK")};
        ASSERT_TRUE(table::ensure_table(*engine, own));
    }
    table::write::Transaction note(Deed deed, Time at) {
        table::write::Transaction transaction;
        EXPECT_TRUE(activities().add_to(transaction, "ann@example.com", deed, at));
        return transaction;
    }
    Activity known() {
        auto found = activities().of("ann@example.com");
        EXPECT_TRUE(found);
        return found ? *found : Activity();
    }
    Activities activities() { return Activities(*engine, "MailroomPeople"); }
};

TEST_F(ActivityTest, KeepsTheLastTimeOfEachDeedAndHowOften) {
    const auto first = clock.now(), second = first + 24h;
    ASSERT_TRUE(engine->transact(note(Deed::opened, second)));
    ASSERT_TRUE(engine->transact(note(Deed::opened, first)));  // Heard of late.
    ASSERT_TRUE(engine->transact(note(Deed::clicked, first)));
    EXPECT_EQ(known().of(Deed::opened), (Activity::Done{second, 2, {first}}));
    EXPECT_EQ(known().of(Deed::clicked), (Activity::Done{first, 1}));
    EXPECT_EQ(known().of(Deed::replied), std::nullopt);
}

TEST_F(ActivityTest, OneThatWasReadBeforeALaterOneWasNotedIsTriedAgain) {
    const auto now = clock.now();
    ASSERT_TRUE(engine->transact(note(Deed::opened, now)));
    const auto early = note(Deed::opened, now + 1min);
    ASSERT_TRUE(engine->transact(note(Deed::opened, now + 2min)));
    EXPECT_FALSE(engine->transact(early));
    EXPECT_EQ(known().of(Deed::opened), (Activity::Done{now + 2min, 2, {now}}));
}

TEST_F(ActivityTest, KeepsTheLastTenTimesInWhateverOrderTheyCome) {
    const auto start = clock.now();
    for (const int hour : {3, 1, 2, 12, 4, 5, 6, 7, 8, 9, 10, 11, 0}) {
        ASSERT_TRUE(engine->transact(note(Deed::opened, start + std::chrono::hours(hour))));
    }
    const auto done = *known().of(Deed::opened);
    EXPECT_EQ(done.count, 13);
    EXPECT_EQ(done.last, start + 12h);
    EXPECT_EQ(done.before.size(), Activity::times_kept - 1);
    EXPECT_EQ(done.before.front(), start + 3h);
    EXPECT_EQ(done.since(start + 11h), 2);
    EXPECT_EQ(done.since(start), 10);
}

TEST_F(ActivityTest, OneThatIsOlderThanAllThatAreKeptIsCounted) {
    const auto now = clock.now();
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(engine->transact(note(Deed::sent, now)));
    const auto late = note(Deed::sent, now - 1h);
    ASSERT_TRUE(engine->transact(note(Deed::sent, now - 2h)));
    EXPECT_TRUE(engine->transact(late));
    EXPECT_EQ(known().of(Deed::sent)->count, 12);
    EXPECT_EQ(known().of(Deed::sent)->since(now), 10);
}

TEST_F(ActivityTest, WhatAnotherProgramLeftThereIsNoObstacle) {
    auto row = Activities::key_of("ann@example.com");
    row.set("openedAt", table::Value("yesterday")).set("clickedAt", table::Value(5));
    row.set("clickedBefore", table::Value::binary("odd bytes that are no times"));
    ASSERT_TRUE(engine->put(put("MailroomPeople", row)));
    const auto now = clock.now();
    ASSERT_TRUE(engine->transact(note(Deed::opened, now)));
    ASSERT_TRUE(engine->transact(note(Deed::clicked, now)));
    EXPECT_EQ(known().of(Deed::opened)->last, now);
    EXPECT_EQ(known().of(Deed::clicked)->since(now), 1);
}

TEST_F(ActivityTest, ARowThatAnotherProgramWroteIsReadAsFarAsItGoes) {
    auto row = Activities::key_of("ann@example.com");
    row.set("openedAt", table::Value("yesterday")).set("clickedAt", table::Value(5));
    ASSERT_TRUE(engine->put(put("MailroomPeople", row)));
    EXPECT_EQ(known().of(Deed::opened), std::nullopt);
    EXPECT_EQ(known().of(Deed::clicked), (Activity::Done{from_unix_ms(5), 1}));
}

}  // namespace
}  // namespace mailroom::people
