// Grace days, holds of invoices and promises to pay: nobody is reminded then, and everybody after.
#include "reminders/due.h"
#include "reminders/reminders_fixture.h"

namespace mailroom::reminders {
namespace {

class SilenceTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
    }
    void hold(const std::string& invoice, HoldKind kind, std::optional<Time> until = std::nullopt) {
        taken(accounts->hold(invoice, {kind, until, "they called"}, bob));
    }
    std::string reason_of(const Draft& draft) {
        const auto found = taken(drafts->find(draft.id));
        return found.reason_code + ": " + found.reason;
    }
};

TEST_F(SilenceTest, DaysOfGraceEndToTheMillisecond) {
    policy.grace_days = 20;
    open({});
    // INV-001 was due on 20 August.
    set_time("2025-09-09T23:59:59.999Z");
    const auto decision = taken(drafts->check({"cust_001", {}}));
    EXPECT_EQ(decision.verdict, Verdict::in_grace);
    EXPECT_EQ(decision.next_allowed_at, at("2025-09-10T00:00:00.000Z"));
    EXPECT_EQ(code(draft(ReminderType::first)), "in_grace");
    EXPECT_EQ(code(drafts->create({.customer_id = "cust_001", .override_reason = "now"}, boss)),
              "in_grace")
        << "there is nothing that a letter could speak of";
    set_time("2025-09-10T00:00:00Z");
    EXPECT_EQ(decided(ReminderType::first), "allowed");
}

TEST_F(SilenceTest, ALetterSpeaksOnlyOfWhatIsPastItsGraceAndNotHeld) {
    policy.grace_days = 10;
    open({});
    const auto made = taken(draft(ReminderType::first));
    EXPECT_EQ(made.figures.invoice_ids, std::vector<std::string>{"INV-001"});
    EXPECT_EQ(made.letter.text.find("INV-002"), std::string::npos) << made.letter.text;
    EXPECT_TRUE(approve(made)) << "that another is in its grace makes no letter stale";
    EXPECT_EQ(customer().figures(clock.now()).cents, 150'000) << "all of it is overdue";
}

TEST_F(SilenceTest, AnInvoiceThatIsHeldIsLeftOutUntilThatIsOver) {
    hold("INV-001", HoldKind::disputed);
    const auto made = taken(draft(ReminderType::first));
    EXPECT_EQ(made.figures.invoice_ids, std::vector<std::string>{"INV-002"});
    hold("INV-002", HoldKind::paused, at("2025-09-03T10:00:00Z"));
    const auto decision = taken(drafts->check({"cust_001", {}}));
    EXPECT_EQ(decision.verdict, Verdict::on_hold);
    EXPECT_EQ(decision.next_allowed_at, at("2025-09-03T10:00:00Z"));
    EXPECT_EQ(code(approve(made)), "on_hold");
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::draft) << "it is not cancelled";
    set_time("2025-09-03T10:00:00Z");
    EXPECT_TRUE(approve(made)) << "the pause ended by itself";
    taken(accounts->release("INV-001", bob));
    EXPECT_EQ(code(accounts->release("INV-001", bob)), "not_held");
    EXPECT_EQ(code(accounts->release("INV-002", bob)), "not_held") << "it is over";
}

TEST_F(SilenceTest, WhatWasApprovedBeforeADisputeDoesNotLeave) {
    const auto approved = taken(approve(taken(draft(ReminderType::first))));
    hold("INV-002", HoldKind::disputed);
    run();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(taken(drafts->find(approved.id)).status, DraftStatus::cancelled);
    EXPECT_NE(reason_of(approved).find("amount_changed: it speaks of another amount"),
              std::string::npos);
}

TEST_F(SilenceTest, ADisputeDoesNotEndTheCycleOfReminders) {
    send(ReminderType::first);
    hold("INV-001", HoldKind::disputed);
    hold("INV-002", HoldKind::disputed);
    set_time("2025-09-20T10:00:00Z");
    taken(accounts->release("INV-001", bob));
    EXPECT_EQ(decided(ReminderType::second), "allowed") << "it goes on where it was";
}

TEST_F(SilenceTest, APromiseIsSilenceUntilItsDateAndThenItGoesOn) {
    const auto made = taken(draft(ReminderType::first));
    taken(
        accounts->promise("cust_001", {taken(parse_day_or_time("2025-09-05")), "on Friday"}, bob));
    const auto decision = taken(drafts->check({"cust_001", ReminderType::second}));
    EXPECT_EQ(decision.verdict, Verdict::promised);
    EXPECT_EQ(decision.next_allowed_at, at("2025-09-05T23:59:59.999Z"));
    EXPECT_EQ(code(approve(made)), "promised");
    set_time("2025-09-05T23:59:59.998Z");
    EXPECT_EQ(code(approve(made)), "promised");
    set_time("2025-09-06T00:00:00Z");
    EXPECT_TRUE(approve(made));
}

TEST_F(SilenceTest, APromiseAfterTheApprovalKeepsTheMailBackUnlessAManagerDecidedSo) {
    const auto approved = taken(approve(taken(draft(ReminderType::first))));
    taken(accounts->promise("cust_001", {at("2025-09-05T12:00:00Z"), ""}, bob));
    run();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_NE(reason_of(approved).find("promised: "), std::string::npos);

    const auto urgent = taken(drafts->create(
        {.customer_id = "cust_001", .override_reason = "it is the third promise"}, boss));
    EXPECT_TRUE(approve(urgent)) << "what a manager decided holds";
    run();
    EXPECT_EQ(transport.mails().size(), 1u);
}

TEST_F(SilenceTest, APromiseEndsWithTheDebtOrByAPersonsWord) {
    taken(accounts->promise("cust_001", {at("2025-10-01T00:00:00Z"), ""}, bob));
    pay("INV-001");
    EXPECT_TRUE(customer().promised_until) << "a part was paid";
    pay("INV-002");
    EXPECT_FALSE(customer().promised_until);
    add_invoice("cust_001", "INV-003", 5'000, "2025-08-30");
    EXPECT_EQ(decided(ReminderType::first), "allowed") << "that was not promised";
    taken(accounts->promise("cust_001", {at("2025-10-01T00:00:00Z"), ""}, bob));
    taken(accounts->end_promise("cust_001", bob));
    EXPECT_EQ(decided(ReminderType::first), "allowed");
    EXPECT_EQ(code(accounts->end_promise("cust_001", bob)), "not_promised");
}

TEST_F(SilenceTest, WhatCannotBeIsRefused) {
    const auto now = clock.now();
    const auto field = [](const auto& answer) {
        return answer || answer.error().fields.empty() ? "" : answer.error().fields[0].field;
    };
    EXPECT_EQ(field(accounts->hold("INV-001", {HoldKind::paused, now, "x"}, bob)), "until");
    EXPECT_EQ(field(accounts->hold("INV-001", {HoldKind::paused, std::nullopt, ""}, bob)),
              "reason");
    EXPECT_EQ(field(accounts->promise("cust_001", {now + std::chrono::days(367), ""}, bob)),
              "until");
    pay("INV-001");
    EXPECT_EQ(code(accounts->hold("INV-001", {HoldKind::paused, std::nullopt, "x"}, bob)),
              "not_open");
    pay("INV-002");
    EXPECT_EQ(code(accounts->promise("cust_001", {at("2025-10-01T00:00:00Z"), ""}, bob)),
              "nothing_open");
}

TEST_F(SilenceTest, WhoIsDueSaysWhyNobodyIsRemindedOfIt) {
    hold("INV-001", HoldKind::disputed);
    hold("INV-002", HoldKind::disputed);
    const Assessor assessor(*books, *suppressions);
    front->catch_up();
    const auto all = taken(list_due(*accounts, assessor, Which::all, {}));
    ASSERT_EQ(all.items.size(), 1u);
    EXPECT_EQ(all.items[0].decision.verdict, Verdict::on_hold);
    EXPECT_EQ(all.items[0].figures.cents, 150'000);
    EXPECT_TRUE(taken(list_due(*accounts, assessor, Which::allowed, {})).items.empty());
}

}  // namespace
}  // namespace mailroom::reminders
