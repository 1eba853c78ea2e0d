#include "reminders/counters.h"
#include "reminders/reminders_fixture.h"
#include "table/write_builder.h"

#include <set>

namespace mailroom::reminders {
namespace {

class CountersTest : public RemindersTest {
protected:
    // In a transaction of its own, as many times.
    void count_times(int times, std::string_view name) {
        for (int i = 0; i < times; ++i) {
            schedule::Transaction transaction;
            books->counters.add(transaction, clock.now(), {name});
            taken(books->commit(transaction));
        }
    }
    std::set<std::string> rows_of(const std::string& day) {
        std::set<std::string> keys;
        const auto page = taken(
            engine->query(table::from("MailroomReminders").partition("PK", "ANALYTICS#" + day)));
        for (const auto& row : page.items) keys.emplace(*row.text("SK"));
        return keys;
    }
};

TEST_F(CountersTest, ABusyDayIsCountedInSeveralRowsAndShownAsOne) {
    count_times(60, counter::approved);
    count_times(7, counter::rejected);
    EXPECT_GE(rows_of("2025-09-01").size(), 4u) << "all decisions of a day meet at one row";
    EXPECT_EQ(counted("2025-09-01", counter::approved), 60);
    EXPECT_EQ(counted("2025-09-01", counter::rejected), 7);
}

TEST_F(CountersTest, WhatWasCountedInOneRowIsStillCounted) {
    taken(engine->put(table::write::Put("MailroomReminders", {{"PK", "ANALYTICS#2025-09-01"},
                                                              {"SK", "DAILY_SUMMARY"},
                                                              {"expires_at", 1'900'000'000},
                                                              {"emails_sent", 5}})));
    count_times(20, counter::sent);
    EXPECT_EQ(counted("2025-09-01", counter::sent), 25);
}

TEST_F(CountersTest, EachDayHasItsOwnAndDaysWithoutAnyAreThere) {
    count_times(3, counter::sent);
    clock.advance(std::chrono::days(2));
    count_times(4, counter::sent);
    const auto days =
        taken(books->counters.between(at("2025-08-31T23:00:00Z"), at("2025-09-03T01:00:00Z")));
    std::string text;
    for (const auto& day : days) {
        text += day.day + " " + std::to_string(day.of(counter::sent)) + "; ";
    }
    EXPECT_EQ(text, "2025-08-31 0; 2025-09-01 3; 2025-09-02 0; 2025-09-03 4; ");
    EXPECT_EQ(taken(books->counters.between(at("2020-01-01T00:00:00Z"), clock.now())).size(),
              static_cast<std::size_t>(program::DayCounters::days_max));
}

TEST_F(CountersTest, ADayIsKeptForTwoYears) {
    count_times(20, counter::sent);
    clock.advance(std::chrono::days(2 * 365 - 1));
    taken(engine->sweep_expired(100));
    EXPECT_EQ(counted("2025-09-01", counter::sent), 20);
    clock.advance(std::chrono::days(2));
    taken(engine->sweep_expired(100));
    EXPECT_EQ(counted("2025-09-01", counter::sent), 0);
    EXPECT_TRUE(rows_of("2025-09-01").empty());
}

}  // namespace
}  // namespace mailroom::reminders
