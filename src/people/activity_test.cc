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
    EXPECT_EQ(known().of(Deed::opened), (Activity::Done{second, 2}));
    EXPECT_EQ(known().of(Deed::clicked), (Activity::Done{first, 1}));
    EXPECT_EQ(known().of(Deed::replied), std::nullopt);
}

TEST_F(ActivityTest, OneThatWasReadBeforeALaterOneWasNotedIsTriedAgain) {
    const auto now = clock.now();
    ASSERT_TRUE(engine->transact(note(Deed::opened, now)));
    const auto early = note(Deed::opened, now + 1min);
    ASSERT_TRUE(engine->transact(note(Deed::opened, now + 2min)));
    EXPECT_FALSE(engine->transact(early));
    EXPECT_EQ(known().of(Deed::opened), (Activity::Done{now + 2min, 2}));
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
