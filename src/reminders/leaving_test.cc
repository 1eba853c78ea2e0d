// What stands before a reminder that leaves, by whichever door.
#include "reminders/audit.h"
#include "reminders/reminders_fixture.h"
#include "table/write_builder.h"

namespace mailroom::reminders {
namespace {

using namespace std::chrono_literals;
using outbox::FakeTransport;
constexpr auto first = ReminderType::first;
constexpr auto second = ReminderType::second;

class LeavingTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
    }
    // As another program does it, through the table.
    void set(const std::string& draft_id, const std::string& name, const std::string& value) {
        taken(engine->update(
            table::write::Update("EmailTrackingTable", draft_key("cust_001", draft_id))
                .set(name, table::Value(value))));
    }
    Draft approved() { return taken(approve(taken(draft(first)))); }
    // The relay refuses it for now: it waits.
    Draft waiting() {
        transport.say({FakeTransport::refused(451, "later")});
        auto made = approved();
        run();
        return made;
    }
    Draft failed(int code = 554) {
        transport.say({FakeTransport::refused(code, "no")});
        const auto made = approved();
        run();
        auto found = taken(drafts->find(made.id));
        EXPECT_EQ(found.status, DraftStatus::failed);
        return found;
    }
    // Nobody knows whether it arrived.
    Draft held() {
        transport.say({FakeTransport::nobody_knows()});
        auto made = approved();
        run();
        return made;
    }
    void later() {
        clock.advance(1h);
        run();
        clock.advance(10min);
        run();
    }
    std::string audit() {
        std::string text;
        for (const auto& entry :
             taken(books->audit.of("cust_001", {.limit = 100, .after = {}})).items) {
            text += entry.what + " by " + entry.by + "; ";
        }
        return text;
    }
    std::string made;  // The draft that a case is about.
    std::size_t tries() const { return transport.mails().size(); }
};

TEST_F(LeavingTest, WhatWaitsDoesNotLeaveOnceItsReasonIsGone) {
    struct Case {
        std::string_view name;
        std::function<void()> happens;
        std::string_view want;  // In the draft's reason.
    };
    const Case cases[] = {
        {"paid", [this] { pay("INV-001"), pay("INV-002"); }, "nothing is overdue"},
        {"paid in part", [this] { pay("INV-002"); }, "another amount"},
        {"opted out", [this] { taken(accounts->change("cust_001", {.opt_out = true}, ann)); },
         "opted out"},
        {"moved",
         [this] { taken(accounts->change("cust_001", {.email = "new@example.com"}, ann)); },
         "address has changed"},
        {"erased by another program", [this] { set(made, "status", "rejected"); },
         "its draft is rejected"},
        {"edited by another program", [this] { set(made, "email_content", "Pay me $1"); },
         "changed after the approval"},
        {"another opted out at the same address",
         [this] {
             add_customer("twin", "John@example.com");
             taken(accounts->change("twin", {.opt_out = true}, ann));
         },
         "opted out"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        fresh();
        const auto before = tries();
        made = waiting().id;
        ASSERT_EQ(tries(), before + 1);
        c.happens();
        later();
        EXPECT_EQ(tries(), before + 1);
        const auto row = rows("CUSTOMER#cust_001", "DRAFT#").at(0);
        const auto stopped = taken(read_draft(row, ""));
        if (c.name != "erased by another program") {
            EXPECT_EQ(stopped.status, DraftStatus::cancelled);
            EXPECT_NE(stopped.reason.find(c.want), std::string::npos) << stopped.reason;
        }
        EXPECT_TRUE(rows("CUSTOMER#cust_001", "SENT#").empty());
    }
}

TEST_F(LeavingTest, WhatWaitsLeavesAsLongAsItIsTrue) {
    const auto made = waiting();
    add_invoice("cust_001", "INV-003", 700, "2025-08-31");  // One more: the letter is still true.
    later();
    EXPECT_EQ(tries(), 2u);
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::sent);
}

TEST_F(LeavingTest, AYearThatEndsMeanwhileChangesNothing) {
    set_time("2025-12-31T23:59:59Z");
    const auto made = waiting();
    later();
    EXPECT_EQ(tries(), 2u);
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::sent);
    EXPECT_TRUE(rows("CUSTOMER#cust_001", "SENT#2026").size() == 1u);
}

TEST_F(LeavingTest, WhatWaitedForDaysIsStillAskedAbout) {
    const auto made = waiting();
    for (int day = 0; day < 2; ++day) {
        transport.say({FakeTransport::refused(451, "later")});
        clock.advance(std::chrono::days(1));
        run();
    }
    const auto before = tries();
    taken(accounts->change("cust_001", {.opt_out = true}, ann));
    clock.advance(std::chrono::hours(8));
    run();
    EXPECT_EQ(tries(), before);
    clock.advance(std::chrono::hours(1));
    run();
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::cancelled);
}

TEST_F(LeavingTest, AnOptOutOfRemindersKeepsNoOtherMailBack) {
    taken(accounts->change("cust_001", {.opt_out = true}, ann));
    EXPECT_EQ(decided(first), "suppressed");
    EXPECT_EQ(taken(suppressions->refusal(people::Stream::transactional, "john@example.com")),
              std::nullopt);
    add_customer("twin", "JOHN@example.com");
    add_invoice("twin", "INV-T", 100, "2025-08-01");
    EXPECT_EQ(decided(first, "twin"), "suppressed") << "the same person, entered twice";
    taken(accounts->change("cust_001", {.opt_out = false}, boss));
    EXPECT_EQ(decided(first), "allowed");
    EXPECT_EQ(decided(first, "twin"), "allowed");
}

TEST_F(LeavingTest, AnOptOutOutlivesEverything) {
    taken(accounts->change("cust_001", {.opt_out = true}, ann));
    clock.advance(std::chrono::days(3 * 365));
    taken(engine->sweep_expired(1000));
    add_customer("again", "john@example.com");
    add_invoice("again", "INV-T", 100, "2025-08-01");
    EXPECT_EQ(decided(first, "again"), "suppressed");
}

TEST_F(LeavingTest, TheOutboxRefusesToSendAReminderAgainAndNamesTheRoute) {
    const auto draft = failed();
    const auto refused = outbox->retry(draft.mail_id);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().message.find("/v1/reminders/drafts/" + draft.id + "/retry"),
              std::string::npos)
        << refused.error().message;
    later();
    EXPECT_EQ(tries(), 1u);
}

TEST_F(LeavingTest, OthersMailsAreSentAgainAsBefore) {
    json::Parser parser;
    const std::string payload =
        R"({"from":"a@example.com","to":["b@example.org"],"subject":"x","text":"y"})";
    const auto request = outbox::parse_request(*parser.parse(payload), clock.now());
    transport.say({FakeTransport::refused(554, "no")});
    const auto accepted = taken(outbox->accept(*request, payload));
    node->run_due();
    taken(outbox->retry(accepted.id));
    node->run_due();
    EXPECT_EQ(tries(), 2u);
}

TEST_F(LeavingTest, AFailedDraftIsSentAgainWithItsRulesAskedAndARecord) {
    const auto draft = failed();
    EXPECT_EQ(taken(deliveries->retry(draft.id, std::nullopt, bob)).status, DraftStatus::approved);
    EXPECT_EQ(decided(first), "sent_recently") << "under way again";
    run();
    EXPECT_EQ(tries(), 2u);
    EXPECT_EQ(taken(drafts->find(draft.id)).status, DraftStatus::sent);
    EXPECT_NE(audit().find("retried by user_123"), std::string::npos) << audit();
    EXPECT_EQ(code(deliveries->retry(draft.id, std::nullopt, bob)), "conflict");
    later();
    EXPECT_EQ(tries(), 2u);
}

TEST_F(LeavingTest, ARetryIsRefusedAsAnApprovalWouldBe) {
    struct Case {
        std::string_view want;
        std::function<void()> happens;
    };
    const Case cases[] = {
        {"nothing_overdue", [this] { pay("INV-001"), pay("INV-002"); }},
        {"stale_draft", [this] { pay("INV-002"); }},
        {"suppressed", [this] { taken(accounts->change("cust_001", {.opt_out = true}, ann)); }},
        {"sent_recently", [this] { send(first); }},
        {"content_changed", [this] { set(made, "email_subject", "Another"); }},
        {"draft_exists", [this] { taken(draft(first)); }},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.want);
        fresh();
        made = failed().id;
        clock.advance(1s);
        c.happens();
        const auto before = tries();
        EXPECT_EQ(code(deliveries->retry(made, std::nullopt, bob)), c.want);
        later();
        EXPECT_EQ(tries(), before);
    }
}

TEST_F(LeavingTest, AHeldReminderIsSentAgainByItsDraftOnly) {
    const auto draft = held();
    EXPECT_FALSE(outbox->retry(draft.mail_id));
    taken(deliveries->retry(draft.id, std::nullopt, bob));
    later();
    EXPECT_EQ(tries(), 2u);
    EXPECT_EQ(taken(drafts->find(draft.id)).status, DraftStatus::sent);
}

TEST_F(LeavingTest, AHeldReminderOfWhatWasPaidIsNotSentAgain) {
    const auto draft = held();
    pay("INV-001"), pay("INV-002");
    EXPECT_EQ(code(deliveries->retry(draft.id, std::nullopt, bob)), "nothing_overdue");
}

TEST_F(LeavingTest, WhatTheServerSendsAgainByItselfAsksTheGuard) {
    outbox::Node::Options options;
    options.sender.unknown = outbox::UnknownPolicy::retry;
    node_options = options;
    restart();
    const auto draft = held();
    pay("INV-001"), pay("INV-002");
    later();
    EXPECT_EQ(tries(), 1u);
    const auto after = taken(drafts->find(draft.id));
    EXPECT_EQ(after.status, DraftStatus::failed) << "not cancelled: the first try may have arrived";
    EXPECT_NE(outbox->history(draft.mail_id)->value().mail.reason.find("may have arrived"),
              std::string::npos);
}

TEST_F(LeavingTest, AnotherProgramsStepIsStoppedByTheGuard) {
    const auto draft = failed();
    // As the seed's programs move a mail, with a job beside it as a server that takes it up has.
    taken(engine->update(
        table::write::Update("EmailOutbox", {{"Id", draft.mail_id}, {"Status", "_META"}})
            .set("Attributes",
                 table::Value::map(table::Item{
                     {"Latest", "READY"},
                     {"CreatedAt", "2025-09-01T10:00:00Z"},
                     {"UpdatedAt", "2025-09-01T10:00:00Z"},
                     {"PayloadFilePath", taken(node->ledger.find(draft.mail_id))->payload_path},
                     {"EMLFilePath", taken(node->ledger.find(draft.mail_id))->eml_path}}))
            .set("Recipients", table::Value::list({table::Value::map(table::Item{
                                   {"Address", "john@example.com"}, {"State", "waiting"}})}))));
    for (const char* state : {"PROCESSING", "FAILED"}) {
        taken(engine->erase(table::write::Erase(
            "EmailOutbox", {{"Id", draft.mail_id}, {"Status", table::Value(state)}})));
    }
    schedule::Transaction transaction;
    node->schedule->add(transaction,
                        {.queue = std::string(outbox::send_queue(outbox::Stream::transactional)),
                         .key = draft.mail_id,
                         .due = clock.now()});
    ASSERT_TRUE(node->schedule->commit(transaction));
    run();
    EXPECT_EQ(tries(), 1u);
    EXPECT_EQ(taken(node->ledger.find(draft.mail_id))->reason,
              "stopped: draft_changed: its draft is failed");
}

TEST_F(LeavingTest, APaymentBetweenTheQuestionAndTheLeavingIsSeen) {
    // Another node pays between the guard's answer and the commit: the customer's row is a
    // condition of leaving.
    const auto draft = approved();
    schedule::Transaction leaving;
    const auto mail = *taken(node->ledger.find(draft.mail_id));
    EXPECT_EQ(taken(guard->refusal(mail, leaving)), std::nullopt);
    pay("INV-002");
    const auto committed = node->schedule->commit(leaving);
    ASSERT_FALSE(committed);
    EXPECT_EQ(static_cast<Error>(committed.error()).code, Errc::conflict);
}

TEST_F(LeavingTest, ARefusedAddressIsAHardBounce) {
    const auto draft = failed(550);
    EXPECT_EQ(customer().bounce_count, 1);
    EXPECT_EQ(decided(first), "suppressed");
    EXPECT_EQ(counted("2025-09-01", "emails_bounced"), 1);
    const auto listed = taken(suppressions->find("john@example.com"));
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_EQ(listed[0].reason, "bounce");
    EXPECT_EQ(code(deliveries->retry(draft.id, std::nullopt, boss)), "suppressed");
    taken(suppressions->remove("john@example.com"));
    EXPECT_EQ(decided(first), "allowed") << "a bounced one does not count";
}

TEST_F(LeavingTest, ARefusalOfTheMessageSuppressesNobody) {
    failed(554);
    EXPECT_EQ(customer().bounce_count, 0);
    EXPECT_EQ(decided(first), "allowed");
}

TEST_F(LeavingTest, TheRecordIsOfWhatWasSent) {
    const auto draft = approved();
    node->run_due();
    set(draft.id, "email_content", "Something else");
    crew->run_due();
    const auto record = rows("CUSTOMER#cust_001", "SENT#").at(0);
    EXPECT_NE(record.text("email_content")->find("Dear John Doe"), std::string::npos);
}

TEST_F(LeavingTest, AnApprovalIsOfTheTextThatWasSeen) {
    const auto seen = taken(draft(first));
    set(seen.id, "email_content", "Pay $99,999.00 at http://evil.example/");
    const auto refused = approve(seen);
    EXPECT_EQ(code(refused), "content_changed");
    const auto shown = taken(drafts->find_with_check(seen.id));
    std::string codes;
    for (const auto& warning : shown.all_warnings()) codes += warning.code + " ";
    EXPECT_EQ(codes, "foreign_amount foreign_link html_differs changed_outside ");
    EXPECT_EQ(detail(refused, "content_hash"), "\"" + content_hash_of(shown) + "\"");
    EXPECT_EQ(code(drafts->approve(seen.id, Consent{1, std::nullopt, content_hash_of(seen)}, bob)),
              "content_changed");
    run();
    EXPECT_EQ(tries(), 0u);
    taken(drafts->approve(seen.id, Consent{1, std::nullopt, content_hash_of(shown)}, bob));
    run();
    EXPECT_EQ(tries(), 1u);
}

TEST_F(LeavingTest, AmountsThatTheCustomerDoesNotOweAreToldToTheReader) {
    struct Case {
        std::string text, codes;
    };
    const Case cases[] = {
        {"Dear John, $1,500.00 is overdue: INV-001 $1,000.00, INV-002 500.00 USD.", ""},
        {"Dear John, $1500 is overdue.", ""},
        {"Dear John, it was due on 2025-08-20, 12 days ago.", ""},
        {"Dear John, you owe $2,000.00.", "foreign_amount"},
        {"Dear John, you owe 99 EUR.", "foreign_amount"},
    };
    auto made = taken(draft(ReminderType::first));
    for (const auto& c : cases) {
        made = taken(drafts->edit(made.id, {.version = made.version, .text = c.text}, ann));
        std::string codes;
        for (const auto& warning : made.warnings) codes += warning.code;
        EXPECT_EQ(codes, c.codes) << c.text;
    }
}

}  // namespace
}  // namespace mailroom::reminders
