// No reminder leaves at night, on a day off or on a holiday of the customer, whatever makes it
// leave.
#include "reminders/import.h"
#include "reminders/reminders_fixture.h"

namespace mailroom::reminders {
namespace {

class HoursTest : public RemindersTest {
protected:
    // Berlin: 20:00 to 08:00 is quiet, from Monday to Friday, but for 3 October.
    void SetUp() override {
        policy.times = {*QuietHours::parse("20:00-08:00"),
                        {"mon", "tue", "wed", "thu", "fri"},
                        {"10-03"},
                        "Europe/Berlin"};
        RemindersTest::SetUp();
        add_john();
    }
    std::size_t run_at(std::string_view time) {
        set_time(time);
        run();
        return transport.mails().size();
    }
};

TEST_F(HoursTest, WhatIsApprovedAtNightLeavesInTheMorning) {
    set_time("2025-09-01T19:00:00Z");
    const auto made = taken(draft(ReminderType::first));
    EXPECT_EQ(made.rule_check->leaves_at, at("2025-09-02T06:00:00Z"));
    const auto approved = taken(approve(made));
    EXPECT_EQ(approved.rule_check->leaves_at, at("2025-09-02T06:00:00Z"));
    EXPECT_EQ(run_at("2025-09-02T05:59:59Z"), 0u);
    EXPECT_EQ(run_at("2025-09-02T06:00:00Z"), 1u);
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::sent);
}

TEST_F(HoursTest, InTheDayNothingWaits) {
    const auto made = taken(draft(ReminderType::first));
    EXPECT_FALSE(made.rule_check->leaves_at);
    taken(approve(made));
    run();
    EXPECT_EQ(transport.mails().size(), 1u);
}

TEST_F(HoursTest, ARelayThatComesBackAtNightWaitsForTheMorning) {
    set_time("2025-09-05T17:50:00Z");  // A Friday, ten minutes before eight in Berlin.
    transport.say({outbox::FakeTransport::refused(451, "later")});
    taken(approve(taken(draft(ReminderType::first))));
    run();
    EXPECT_EQ(transport.mails().size(), 1u);
    for (const auto* quiet : {"2025-09-05T20:00:00Z", "2025-09-06T10:00:00Z",
                              "2025-09-07T12:00:00Z", "2025-09-08T05:59:59Z"}) {
        EXPECT_EQ(run_at(quiet), 1u) << quiet;
    }
    EXPECT_EQ(run_at("2025-09-08T06:00:00Z"), 2u);
}

TEST_F(HoursTest, AHolidayIsNoDayForReminders) {
    set_time("2025-10-02T18:30:00Z");
    const auto made = taken(draft(ReminderType::first));
    EXPECT_EQ(made.rule_check->leaves_at, at("2025-10-06T06:00:00Z")) << "and then comes a weekend";
}

TEST_F(HoursTest, TheCustomersOwnZoneCounts) {
    taken(accounts->change("cust_001", {.time_zone = "America/New_York"}, bob));
    EXPECT_EQ(taken(draft(ReminderType::first)).rule_check->leaves_at, at("2025-09-01T12:00:00Z"));
    taken(accounts->change("cust_001", {.time_zone = "Asia/Tokyo"}, bob));
    EXPECT_FALSE(taken(drafts->check({"cust_001", {}})).leaves_at) << "19:00";
}

TEST_F(HoursTest, ACustomerWhoMovesWhileAMailWaitsIsAskedWhereItIsThen) {
    set_time("2025-09-01T19:00:00Z");
    taken(approve(taken(draft(ReminderType::first))));
    taken(accounts->change("cust_001", {.time_zone = "America/Los_Angeles"}, bob));
    EXPECT_EQ(run_at("2025-09-02T06:00:00Z"), 0u) << "it is 23:00 there";
    EXPECT_EQ(run_at("2025-09-02T15:00:00Z"), 1u);
}

TEST_F(HoursTest, WhoPaysWhileTheMailWaitsGetsNone) {
    set_time("2025-09-01T19:00:00Z");
    const auto approved = taken(approve(taken(draft(ReminderType::first))));
    pay("INV-001");
    pay("INV-002");
    EXPECT_EQ(run_at("2025-09-02T06:00:00Z"), 0u);
    EXPECT_EQ(taken(drafts->find(approved.id)).status, DraftStatus::cancelled);
}

TEST_F(HoursTest, APromisedDayEndsWhereTheCustomerIs) {
    taken(accounts->change("cust_001", {.time_zone = "America/Los_Angeles"}, bob));
    taken(accounts->promise("cust_001", {taken(parse_day_or_time("2025-09-03")), ""}, bob));
    set_time("2025-09-04T06:59:59Z");
    EXPECT_EQ(decided(ReminderType::first), "promised");
    set_time("2025-09-04T07:00:00Z");
    EXPECT_EQ(decided(ReminderType::first), "allowed");
}

TEST_F(HoursTest, AZoneThatNobodyKnowsIsRefusedOnEachWayIn) {
    const auto field = [](const auto& answer) {
        return answer || answer.error().fields.empty() ? "" : answer.error().fields[0].field;
    };
    EXPECT_EQ(field(accounts->change("cust_001", {.time_zone = "Mars/Crater"}, bob)), "time_zone");
    EXPECT_EQ(field(accounts->create({.customer_id = "c2",
                                      .name = "Ann",
                                      .email = "ann@example.com",
                                      .time_zone = "../../etc/passwd"})),
              "time_zone");
    const auto imported = taken(import_customers(
        *accounts, "customer_id,name,email,time_zone\nc2,Ann,ann@example.com,Mars\n",
        ImportMode::for_real));
    ASSERT_EQ(imported.errors_total, 1);
    EXPECT_EQ(imported.errors[0].field, "time_zone");
    taken(import_customers(*accounts,
                           "customer_id,name,email,time_zone\nc2,Ann,ann@example.com,Asia/Tokyo\n",
                           ImportMode::for_real));
    EXPECT_EQ(customer("c2").time_zone, "Asia/Tokyo");
}

}  // namespace
}  // namespace mailroom::reminders
