// The acceptance scenarios of reminders, by their numbers, on a manual clock.
#include "reminders/reminders_fixture.h"

#include <atomic>
#include <thread>

namespace mailroom::reminders {
namespace {

constexpr auto first = ReminderType::first;
constexpr auto second = ReminderType::second;
constexpr auto last = ReminderType::final_notice;

class Scenario : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
    }
    // Scenarios 1 and 3: the first reminder was sent on 2025-09-01 at 10:05.
    Draft first_sent() {
        const auto drafted = taken(draft(first));
        set_time("2025-09-01T10:05:00Z");
        taken(approve(drafted));
        run();
        return taken(drafts->find(drafted.id));
    }
    void second_sent() {
        first_sent();
        set_time("2025-09-08T10:05:00Z");
        send(second);
    }
    void final_sent() {
        second_sent();
        set_time("2025-09-13T10:05:00Z");
        send(last);
    }
    // Refused a second before `at` and allowed then.
    void expect_opens(ReminderType type, std::string_view opens, const std::string& code_before) {
        clock.set(at(opens) - std::chrono::seconds(1));
        const auto before = draft(type);
        EXPECT_EQ(code(before), code_before);
        ASSERT_FALSE(before);
        EXPECT_EQ(detail(before, "next_allowed_at"), "\"" + format_rfc3339(at(opens)) + "\"");
        set_time(opens);
        EXPECT_EQ(code(draft(type)), "ok");
    }
};

TEST_F(Scenario, S01Draft) {
    const auto made = taken(drafts->create({.customer_id = "cust_001"}, ann));
    EXPECT_EQ(made.type, first);
    EXPECT_EQ(made.figures.cents, 150'000);
    EXPECT_EQ(made.figures.invoice_ids, (std::vector<std::string>{"INV-001", "INV-002"}));
    EXPECT_EQ(made.status, DraftStatus::draft);
    EXPECT_EQ(made.id, "20250901_100000_cust_001");
    const auto items = rows("CUSTOMER#cust_001", "DRAFT#");
    ASSERT_EQ(items.size(), 1u);
    EXPECT_EQ(items[0].text("SK"), "DRAFT#20250901_100000_cust_001");
    EXPECT_EQ(items[0].text("GSI1PK"), "STATUS#draft");
    EXPECT_EQ(items[0].text("GSI1SK"), "2025-09-01T10:00:00Z");
    EXPECT_EQ(items[0].find("overdue_amount")->number().text(), "1500");
    EXPECT_EQ(items[0].find("overdue_invoices")->list().at(1)->text(), "INV-002");
    EXPECT_EQ(counted("2025-09-01", "templates_created"), 1);
}

TEST_F(Scenario, S02MissingOrUnknown) {
    const auto unknown = drafts->create({.customer_id = "nope"}, ann);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().kind, Refusal::Kind::not_found);
    EXPECT_FALSE(named<ReminderType>("third-ish"));
}

TEST_F(Scenario, S03Approve) {
    const auto sent = first_sent();
    EXPECT_EQ(sent.status, DraftStatus::sent);
    ASSERT_EQ(transport.mails().size(), 1u);
    EXPECT_EQ(transport.mails()[0].recipients, std::vector<std::string>{"john@example.com"});
    const auto records = rows("CUSTOMER#cust_001", "SENT#");
    ASSERT_EQ(records.size(), 1u);
    EXPECT_EQ(records[0].text("SK"), "SENT#20250901_100500_first");
    EXPECT_EQ(records[0].text("approved_by"), "user_123");
    EXPECT_EQ(records[0].text("delivery_status"), "sent");
    EXPECT_EQ(records[0].text("draft_id"), sent.id);
    EXPECT_NE(transport.mails()[0].message.find(*records[0].text("ses_message_id")),
              std::string::npos);
    EXPECT_TRUE(taken(drafts->list({}, {})).items.empty());
    EXPECT_EQ(counted("2025-09-01", "emails_sent"), 1);
    EXPECT_EQ(counted("2025-09-01", "first_reminders"), 1);
}

TEST_F(Scenario, S04WindowOfFirst) {
    first_sent();
    expect_opens(first, "2025-09-08T10:05:00Z", "sent_recently");
}

TEST_F(Scenario, S05SecondNeedsFirst) { EXPECT_EQ(code(draft(second)), "predecessor_missing"); }

TEST_F(Scenario, S06SpacingOfSeven) {
    first_sent();
    expect_opens(second, "2025-09-08T10:05:00Z", "predecessor_too_recent");
}

TEST_F(Scenario, S07WindowOfFive) {
    second_sent();
    expect_opens(second, "2025-09-13T10:05:00Z", "sent_recently");
}

TEST_F(Scenario, S08SpacingOfFiveAndWindowOfThree) {
    second_sent();
    expect_opens(last, "2025-09-13T10:05:00Z", "predecessor_too_recent");
    const auto open = customer().open_draft_id(last, clock.now());
    taken(drafts->approve(*open, {1}, bob));
    run();
    expect_opens(last, "2025-09-16T10:05:00Z", "sent_recently");
    const auto again = customer().open_draft_id(last, clock.now());
    taken(drafts->approve(*again, {1}, bob));
    run();
    set_time("2025-10-16T10:05:00Z");
    EXPECT_EQ(code(draft(last)), "escalate") << "two are enough";
}

TEST_F(Scenario, S09SpellingCannotBypass) {
    final_sent();
    clock.advance(std::chrono::hours(24));
    EXPECT_EQ(code(draft(*named<ReminderType>("FINAL_NOTICE"))), "sent_recently");
}

TEST_F(Scenario, S10OpenDraft) {
    const auto made = taken(draft(first));
    const auto again = draft(first);
    EXPECT_EQ(code(again), "draft_exists");
    EXPECT_EQ(detail(again, "open_draft_id"), "\"" + made.id + "\"");

    add_customer("cust_002", "eve@example.com");
    add_invoice("cust_002", "INV-003", 100, "2025-08-01");
    std::atomic<int> drafted = 0, refused = 0;
    std::vector<std::thread> callers;
    for (int i = 0; i < 50; ++i) {
        callers.emplace_back([&] {
            const auto answer = draft(first, "cust_002");
            if (answer) ++drafted;
            if (!answer && answer.error().code == "draft_exists") ++refused;
        });
    }
    for (auto& caller : callers) caller.join();
    EXPECT_EQ(drafted, 1);
    EXPECT_EQ(refused, 49);
    EXPECT_EQ(rows("CUSTOMER#cust_002", "DRAFT#").size(), 1u);
    EXPECT_EQ(counted("2025-09-01", "templates_created"), 2);
}

TEST_F(Scenario, S11TwoApprovers) {
    const auto made = taken(draft(first));
    std::atomic<int> approved = 0, refused = 0;
    std::vector<std::thread> callers;
    for (int i = 0; i < 20; ++i) {
        callers.emplace_back([&] {
            const auto answer = approve(made);
            if (answer) ++approved;
            if (answer) return;
            if (detail(answer, "status") == "\"approved\"") ++refused;
        });
    }
    for (auto& caller : callers) caller.join();
    EXPECT_EQ(approved, 1);
    EXPECT_EQ(refused, 19);
    run();
    EXPECT_EQ(transport.mails().size(), 1u);
    EXPECT_EQ(counted("2025-09-01", "emails_sent"), 1);
}

TEST_F(Scenario, S12PaidMeanwhile) {
    const auto made = taken(draft(first));
    pay("INV-001");
    const auto stale = approve(made);
    EXPECT_EQ(code(stale), "stale_draft");
    EXPECT_EQ(detail(stale, "overdue_amount"), "500.00");
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::draft);
    pay("INV-002");
    EXPECT_EQ(code(approve(made)), "nothing_overdue");
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::cancelled);
    run();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(counted("2025-09-01", "drafts_cancelled"), 1);
}

TEST_F(Scenario, S13StateIsAdditive) {
    second_sent();
    const auto state = customer();
    EXPECT_EQ(state.last_sent_at[0], at("2025-09-01T10:05:00Z"));
    EXPECT_EQ(state.last_sent_at[1], at("2025-09-08T10:05:00Z"));
    EXPECT_EQ(state.last_sent_at[2], std::nullopt);
    EXPECT_EQ(state.total_emails_sent, 2);
}

TEST_F(Scenario, S14ModelDown) {
    DraftWish wish{.customer_id = "cust_001", .type = first, .writer = Writer::by_model};
    const auto failed = drafts->create(wish, ann);
    EXPECT_EQ(code(failed), "ai_unavailable");
    EXPECT_EQ(failed.error().kind, Refusal::Kind::provider);
    EXPECT_TRUE(rows("CUSTOMER#cust_001", "DRAFT#").empty());
    EXPECT_EQ(counted("2025-09-01", "templates_created"), 0);
    wish.fallback = true;
    const auto made = taken(drafts->create(wish, ann));
    EXPECT_EQ(made.created_by, "template");
    EXPECT_EQ(made.template_id, "reminder_first");
    EXPECT_EQ(made.template_version, 1);
    EXPECT_NE(made.letter.text.find("INV-001"), std::string::npos);
    const std::string line = R"({"invoice_id":"INV-002","balance":"$500.00","due":"2025-08-25"})";
    EXPECT_NE(model.prompts.front().data.find(line), std::string::npos);
}

TEST_F(Scenario, S15SubjectAndHtml) {
    const DraftWish wish{.customer_id = "cust_001", .type = first, .writer = Writer::by_model};
    model.text = "\nSUBJECT: Past due\r\n\nDear John";
    const auto made = taken(drafts->create(wish, ann));
    EXPECT_EQ(made.letter.subject, "Past due");
    EXPECT_EQ(made.letter.text, "Dear John");
    EXPECT_EQ(made.created_by, "ai_system");
    taken(drafts->reject(made.id, {std::nullopt, "no"}, bob));
    model.text = "Dear John, please pay.";
    EXPECT_EQ(taken(drafts->create(wish, ann)).letter.subject, "Payment Reminder from Innovate AI");

    add_customer("cust_eve", "eve@example.com", "<b>Eve</b>");
    add_invoice("cust_eve", "INV-009", 100, "2025-08-01");
    const auto eve = taken(draft(first, "cust_eve"));
    EXPECT_NE(eve.letter.html.find("&lt;b&gt;Eve&lt;/b&gt;"), std::string::npos);
    EXPECT_NE(eve.letter.text.find("Dear <b>Eve</b>,"), std::string::npos);
}

TEST_F(Scenario, S16TemplateHole) {
    const TemplateText text{.name = "Hole",
                            .type = first,
                            .subject = "Due {{ due_date }}",
                            .body = "Dear {{ customer_name }}, due {{ due_date }}",
                            .html = std::nullopt};
    const auto made = taken(templates->create("hole", text));
    const auto failed =
        author->preview(made, liquid::OwnedValue::object({{"customer_name", "Eve"}}));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().kind, Refusal::Kind::unprocessable);
    EXPECT_EQ(failed.error().code, "missing_variables");
    EXPECT_EQ(detail(failed, "missing_variables"), R"(["due_date"])");
}

TEST_F(Scenario, S17BounceAndOptOut) {
    const auto sent = first_sent();
    taken(deliveries->report(sent.id, DeliveryStatus::bounced, ann));
    taken(deliveries->report(sent.id, DeliveryStatus::bounced, ann));
    EXPECT_EQ(rows("CUSTOMER#cust_001", "SENT#")[0].text("delivery_status"), "bounced");
    EXPECT_EQ(customer().bounce_count, 1);
    EXPECT_EQ(counted("2025-09-01", "emails_bounced"), 1);
    EXPECT_EQ(code(draft(first)), "suppressed");
    taken(suppressions->remove("john@example.com"));
    EXPECT_EQ(decided(first), "allowed") << "a bounced one does not count";
    EXPECT_EQ(decided(second), "predecessor_missing");

    const auto again = send(first);
    taken(deliveries->report(again.id, DeliveryStatus::complained, ann));
    EXPECT_TRUE(taken(accounts->show("cust_001")).opt_out);
    taken(suppressions->remove("john@example.com"));
    clock.advance(std::chrono::days(30));
    const auto refused = drafts->create(
        {.customer_id = "cust_001", .type = second, .override_reason = "he called"}, boss);
    EXPECT_EQ(code(refused), "suppressed");
}

TEST_F(Scenario, S18CrashBeforeTheSentRecord) {
    const auto made = taken(approve(taken(draft(first))));
    node->run_due();  // A server takes the mail, and that is written down by the outbox.
    ASSERT_EQ(transport.mails().size(), 1u);
    restart();
    run();
    EXPECT_EQ(transport.mails().size(), 1u);
    EXPECT_EQ(rows("CUSTOMER#cust_001", "SENT#").size(), 1u);
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::sent);
    clock.advance(std::chrono::minutes(10));
    run();
    EXPECT_EQ(counted("2025-09-01", "emails_sent"), 1);
}

TEST_F(Scenario, S18CrashBeforeTheAnswerIsWrittenDown) {
    const auto made = taken(approve(taken(draft(first))));
    transport.patient = true;
    node->run_due();  // A server has the mail; its answer is never heard.
    ASSERT_EQ(transport.mails().size(), 1u);
    restart();
    run();
    clock.advance(std::chrono::minutes(10));
    run();
    EXPECT_EQ(transport.mails().size(), 1u) << "never a blind second one";
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::approved);
    EXPECT_EQ(decided(first), "sent_recently") << "it counts as long as nobody knows";
    taken(outbox->resolve_as_sent(made.mail_id));
    clock.advance(std::chrono::minutes(10));
    run();
    EXPECT_EQ(rows("CUSTOMER#cust_001", "SENT#").size(), 1u);
    EXPECT_EQ(transport.mails().size(), 1u);
}

TEST_F(Scenario, S19LatePayers) {
    const auto add = [&](const std::string& customer, const std::string& id,
                         std::chrono::milliseconds late) {
        add_invoice(customer, id, 1000, "2025-03-01T12:00:00Z");
        taken(accounts->change_invoice(
            id, {.status = InvoiceStatus::paid, .paid = at("2025-03-01T12:00:00Z") + late}));
    };
    using std::chrono::days, std::chrono::hours;
    add_customer("slow", "slow@example.com");
    add("slow", "A1", days(8));
    add("slow", "A2", days(9));
    add("slow", "A3", days(30));
    add("slow", "A4", days(7) + hours(23));
    add_invoice("slow", "A5", 1000, "2025-08-01");
    add_customer("often", "often@example.com");
    add("often", "B1", days(8));
    add("often", "B2", days(8));

    front->catch_up();
    const auto page = taken(accounts->late_payers({}));
    ASSERT_EQ(page.items.size(), 1u) << "two are not often";
    const auto& slow = page.items[0];
    EXPECT_EQ(slow.customer_id, "slow");
    EXPECT_EQ(slow.late_payments, 3);
    EXPECT_DOUBLE_EQ(slow.late_rate(), 0.6);
    EXPECT_NEAR(static_cast<double>(slow.late_days) / 3, 15.7, 0.05);
    EXPECT_TRUE(slow.is_frequent_late_payer());
}

TEST_F(Scenario, S20Retention) {
    add_customer("cust_002", "eve@example.com");
    add_invoice("cust_002", "INV-003", 100, "2025-08-01");
    const auto untouched = taken(draft(first, "cust_002"));
    first_sent();
    set_time("2025-10-01T10:00:01Z");
    const auto late = approve(untouched);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().kind, Refusal::Kind::gone);
    taken(engine->sweep_expired(1000));
    const auto gone = approve(untouched);
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().kind, Refusal::Kind::gone) << "also when the row is gone";
    EXPECT_EQ(code(draft(first, "cust_002")), "ok") << "it stands in nobody's way";

    set_time("2026-09-01T10:04:59Z");
    taken(engine->sweep_expired(1000));
    EXPECT_EQ(rows("CUSTOMER#cust_001", "SENT#").size(), 1u);
    set_time("2026-09-01T10:05:01Z");
    taken(engine->sweep_expired(1000));
    EXPECT_TRUE(rows("CUSTOMER#cust_001", "SENT#").empty());
    EXPECT_EQ(customer().total_emails_sent, 1) << "what the customer's row says stays";
}

}  // namespace
}  // namespace mailroom::reminders
