#include "reminders/audit.h"
#include "reminders/privacy.h"
#include "reminders/reminders_fixture.h"

namespace mailroom::reminders {
namespace {

constexpr auto first = ReminderType::first;
constexpr auto second = ReminderType::second;

class DraftsTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
    }
    std::string audit() {
        std::string text;
        for (const auto& entry :
             taken(books->audit.of("cust_001", {.limit = 100, .after = {}})).items) {
            text += entry.what + " by " + entry.by + "; ";
        }
        return text;
    }
};

TEST_F(DraftsTest, AKeyThatIsTakenGetsASuffixAndNothingIsOverwritten) {
    const auto one = taken(draft(first));
    taken(drafts->reject(one.id, {1, "no"}, bob));
    const auto two = taken(draft(first));
    EXPECT_EQ(one.id, "20250901_100000_cust_001");
    ASSERT_EQ(two.id.size(), one.id.size() + 5);
    EXPECT_TRUE(two.id.starts_with(one.id + "_"));
    EXPECT_EQ(rows("CUSTOMER#cust_001", "DRAFT#").size(), 2u);
    EXPECT_EQ(taken(drafts->find(one.id)).status, DraftStatus::rejected);
    EXPECT_EQ(taken(drafts->find(two.id)).customer_id, "cust_001");
}

TEST_F(DraftsTest, CustomersWhoseIdsLookLikeASuffixAreToldApart) {
    add_customer("cust_001_ab12", "other@example.com");
    add_invoice("cust_001_ab12", "INV-X", 100, "2025-08-01");
    const auto other = taken(draft(first, "cust_001_ab12"));
    EXPECT_EQ(other.id, "20250901_100000_cust_001_ab12");
    EXPECT_EQ(taken(drafts->find(other.id)).customer_id, "cust_001_ab12");
    const auto own = taken(draft(first));
    EXPECT_EQ(taken(drafts->find(own.id)).customer_id, "cust_001");
}

TEST_F(DraftsTest, AnEditIsANewVersionAndOldOnesCannotBeApproved) {
    const auto made = taken(draft(first));
    const auto edited = taken(
        drafts->edit(made.id, {.version = 1, .subject = "Hello", .text = "Dear <John>"}, bob));
    EXPECT_EQ(edited.version, 2);
    EXPECT_EQ(edited.letter.subject, "Hello");
    EXPECT_NE(edited.letter.html.find("Dear &lt;John&gt;"), std::string::npos);
    const auto stale = drafts->approve(made.id, {1}, bob);
    EXPECT_EQ(code(stale), "conflict");
    EXPECT_EQ(detail(stale, "status"), "\"draft\"");
    EXPECT_EQ(detail(stale, "version"), "2");
    EXPECT_EQ(code(drafts->edit(made.id, {.version = 1, .text = "x"}, bob)), "conflict");
    EXPECT_EQ(
        drafts->edit(made.id, {.version = 2, .subject = "a\nb"}, bob).error().fields.at(0).field,
        "email_subject");
    taken(drafts->approve(made.id, {2}, bob));
    EXPECT_EQ(code(drafts->edit(made.id, {.version = 2, .text = "x"}, bob)), "conflict");
    run();
    EXPECT_NE(transport.mails().at(0).message.find("Subject: Hello"), std::string::npos);
}

TEST_F(DraftsTest, AStaleDraftIsRebuiltWithTheNewFigures) {
    const auto made = taken(draft(first));
    taken(accounts->pay("INV-001", 10'000, clock.now()));
    EXPECT_EQ(code(approve(made)), "stale_draft");
    const auto rebuilt = taken(drafts->edit(made.id, {.version = 1, .rebuild = true}, ann));
    EXPECT_EQ(rebuilt.figures.cents, 140'000);
    EXPECT_NE(rebuilt.letter.text.find("$1,400.00"), std::string::npos);
    EXPECT_EQ(code(approve(rebuilt)), "ok");
}

TEST_F(DraftsTest, AnAddressThatChangedMakesADraftStale) {
    const auto made = taken(draft(first));
    taken(accounts->change("cust_001", {.email = "new@example.com"}, ann));
    EXPECT_EQ(code(approve(made)), "stale_draft");
    const auto rebuilt = taken(drafts->edit(made.id, {.version = 1, .rebuild = true}, ann));
    taken(approve(rebuilt));
    run();
    EXPECT_EQ(transport.mails().at(0).recipients, std::vector<std::string>{"new@example.com"});
}

TEST_F(DraftsTest, FourEyesKeepsAuthorsFromApproving) {
    open({.from = "", .reply_to = "", .four_eyes = true});
    const auto made = taken(draft(first));
    EXPECT_EQ(code(drafts->approve(made.id, {1}, ann)), "four_eyes");
    taken(drafts->edit(made.id, {.version = 1, .text = "Dear John"}, bob));
    EXPECT_EQ(code(drafts->approve(made.id, {2}, bob)), "four_eyes");
    EXPECT_EQ(code(drafts->approve(made.id, {2}, boss)), "ok");
}

TEST_F(DraftsTest, FourEyesAreThoseOfTwoPeopleHoweverManyKeysEachHolds) {
    open({.from = "", .reply_to = "", .four_eyes = true});
    const auto with_key = [](const std::string& key, const std::string& person) {
        return program::Actor{key, key, {}, std::nullopt, person};
    };
    const auto laptop = with_key("key-1", "ann@example.com"),
               phone = with_key("key-2", "ann@example.com");
    const auto colleague = with_key("key-3", "bob@example.com");
    const auto made = taken(drafts->create({.customer_id = "cust_001"}, laptop));
    EXPECT_EQ(code(drafts->approve(made.id, {1}, laptop)), "four_eyes");
    EXPECT_EQ(code(drafts->approve(made.id, {1}, phone)), "four_eyes");
    taken(drafts->edit(made.id, {.version = 1, .subject = "Hello"}, colleague));
    EXPECT_EQ(code(drafts->approve(made.id, {2}, with_key("key-4", "bob@example.com"))),
              "four_eyes")
        << "who edits it is an author, too";
    EXPECT_EQ(code(drafts->approve(made.id, {2}, with_key("key-1", ""))), "four_eyes")
        << "a key stays its author's, whoever is said to hold it";
    EXPECT_TRUE(drafts->approve(made.id, {2}, with_key("key-5", "eve@example.com")));
}

TEST_F(DraftsTest, OnlyAManagerOverridesAndOnlyWhatMayBe) {
    DraftWish wish{.customer_id = "cust_001", .type = second, .override_reason = "agreed by phone"};
    EXPECT_EQ(code(drafts->create(wish, ann)), "forbidden");
    wish.override_reason = "";
    EXPECT_EQ(drafts->create(wish, boss).error().fields.at(0).field, "override.reason");
    wish.override_reason = "agreed by phone";
    // The templates that are shipped need no earlier reminder.
    const auto made = taken(drafts->create(wish, boss));
    EXPECT_EQ(made.override_rule, "predecessor_missing");
    EXPECT_EQ(made.letter.text.find("we wrote to you"), std::string::npos);
    EXPECT_TRUE(made.warnings.empty()) << made.warnings.front().message;
    clock.advance(std::chrono::milliseconds(1));
    EXPECT_EQ(code(approve(made)), "ok") << "what the manager decided still holds";
    EXPECT_NE(audit().find("drafted by boss; approved by user_123"), std::string::npos) << audit();
    const auto entries = taken(books->audit.of_day("2025-09-01", {})).items;
    EXPECT_NE(entries.at(0).detail.find("overrides predecessor_missing: agreed by phone"),
              std::string::npos);
}

TEST_F(DraftsTest, RulesAreAskedAgainAtApproval) {
    const auto made = taken(draft(first));
    add_customer("twin", "John@Example.com");
    add_invoice("twin", "INV-T", 100, "2025-08-01");
    send(first, "twin");
    EXPECT_EQ(code(approve(made)), "duplicate_address");
    taken(suppressions->add("john@example.com", people::Extent::every(), "request"));
    EXPECT_EQ(code(approve(made)), "suppressed");
    run();
    EXPECT_EQ(transport.mails().size(), 1u);
}

TEST_F(DraftsTest, WhatIsSuppressedAfterApprovalDoesNotLeave) {
    const auto made = taken(approve(taken(draft(first))));
    taken(suppressions->add("john@example.com", people::Extent::every(), "request"));
    run();
    EXPECT_TRUE(transport.mails().empty());
    const auto failed = taken(drafts->find(made.id));
    EXPECT_EQ(failed.status, DraftStatus::failed);
    EXPECT_NE(failed.reason.find("suppressed"), std::string::npos);
}

TEST_F(DraftsTest, AFailedMailDoesNotCount) {
    transport.say({outbox::FakeTransport::refused(554, "not now, not ever")});
    const auto made = taken(approve(taken(draft(first))));
    run();
    const auto failed = taken(drafts->find(made.id));
    EXPECT_EQ(failed.status, DraftStatus::failed);
    EXPECT_NE(failed.reason.find("not ever"), std::string::npos);
    EXPECT_EQ(counted("2025-09-01", "emails_failed"), 1);
    EXPECT_EQ(decided(first), "allowed");
    EXPECT_TRUE(rows("CUSTOMER#cust_001", "SENT#").empty());
}

TEST_F(DraftsTest, AMailThatWaitsIsLookedAtUntilItIsSettled) {
    transport.say({outbox::FakeTransport::refused(450, "busy")});
    const auto made = taken(approve(taken(draft(first))));
    run();
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::approved);
    EXPECT_EQ(code(draft(first)), "sent_recently") << "one in flight counts";
    for (int i = 0; i < 30; ++i) {
        clock.advance(std::chrono::minutes(1));
        run();
    }
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::sent);
    EXPECT_EQ(counted("2025-09-01", "emails_sent"), 1);
}

TEST_F(DraftsTest, WhatIsApprovedCanBeCancelledUntilItLeaves) {
    const auto made = taken(approve(taken(draft(first))));
    EXPECT_EQ(taken(deliveries->cancel(made.id, "he paid", bob)).status, DraftStatus::cancelled);
    EXPECT_EQ(detail(deliveries->cancel(made.id, "", bob), "status"), "\"cancelled\"");
    run();
    EXPECT_TRUE(transport.mails().empty());
    EXPECT_EQ(decided(first), "allowed");
    clock.advance(std::chrono::seconds(1));
    const auto sent = send(first);
    const auto late = deliveries->cancel(sent.id, "", bob);
    EXPECT_EQ(detail(late, "status"), "\"sent\"");
}

TEST_F(DraftsTest, AMailIsCancelledWithItsDraftAndOneThatWasCancelsTheDraft) {
    const auto made = taken(approve(taken(draft(first))));
    const auto refused = outbox->cancel(made.mail_id);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::conflict);
    EXPECT_NE(refused.error().message.find("POST /v1/reminders/drafts/" + made.id + "/cancel"),
              std::string::npos)
        << refused.error().message;
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::approved);
    taken(outbox->withdraw(made.mail_id));
    run();
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::cancelled);
    EXPECT_EQ(decided(first), "allowed");
}

TEST_F(DraftsTest, ListsAreByStatusAndOldestFirst) {
    taken(draft(first));
    for (int i = 2; i < 5; ++i) {
        clock.advance(std::chrono::seconds(1));
        const auto id = "cust_00" + std::to_string(i);
        add_customer(id, id + "@example.com");
        add_invoice(id, "J" + id, 100, "2025-08-01");
        taken(draft(first, id));
    }
    const auto ids = [&](ListOrder order) {
        std::string text;
        table::PageWish wish{.limit = 3, .after = {}};
        do {
            auto page = taken(drafts->list({.order = order}, wish));
            for (const auto& one : page.items) text += one.customer_id.back();
            wish.after = page.next;
        } while (wish.after);
        return text;
    };
    EXPECT_EQ(ids(ListOrder::asc), "1234");
    EXPECT_EQ(ids(ListOrder::desc), "4321");
    EXPECT_FALSE(drafts->list({}, {.limit = 3, .after = "x"}));
    clock.advance(std::chrono::days(31));
    EXPECT_EQ(ids(ListOrder::asc), "") << "expired ones are nobody's work";
}

TEST_F(DraftsTest, ADraftOfAnotherProgramCanBeRejected) {
    table::Item item{{"PK", "CUSTOMER#cust_001"},
                     {"SK", "DRAFT#20250901_093000_cust_001"},
                     {"GSI1PK", "STATUS#draft"},
                     {"GSI1SK", "2025-09-01T09:30:00Z"},
                     {"customer_id", "cust_001"},
                     {"customer_name", "John Doe"},
                     {"customer_email", "john@example.com"},
                     {"reminder_type", "first"},
                     {"email_subject", "Hello"},
                     {"email_content", "Dear John..."},
                     {"status", "draft"},
                     {"created_date", "2025-09-01T09:30:00Z"},
                     {"created_by", "ai_system"},
                     {"overdue_amount", 1500},
                     {"overdue_invoices", table::Value::list({"INV-001", "INV-002"})}};
    taken(engine->put(table::write::Put("EmailTrackingTable", item)));
    const auto found = taken(drafts->find("20250901_093000_cust_001"));
    EXPECT_EQ(found.figures.cents, 150'000);
    EXPECT_NE(found.letter.html.find("Dear John..."), std::string::npos);
    EXPECT_EQ(taken(drafts->reject(found.id, {1, "not ours"}, bob)).status, DraftStatus::rejected);
}

TEST_F(DraftsTest, WhenTheRulesCannotBeCheckedNothingIsSent) {
    const auto made = taken(draft(first));
    taken(engine->delete_table("MailroomSuppressions"));
    engine->finish_jobs();
    const auto refused = approve(made);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, Refusal::Kind::unavailable);
    EXPECT_EQ(drafts->check({"cust_001", first}).error().kind, Refusal::Kind::unavailable);
    EXPECT_EQ(taken(drafts->find(made.id)).status, DraftStatus::draft);
    node->run_due();
    EXPECT_TRUE(transport.mails().empty());
}

TEST_F(DraftsTest, AnOptOutIsSomebodysDecision) {
    taken(accounts->change("cust_001", {.opt_out = true}, ann));
    taken(accounts->change("cust_001", {.opt_out = true}, ann));
    EXPECT_EQ(code(draft(first)), "suppressed");
    clock.advance(std::chrono::milliseconds(1));
    taken(accounts->change("cust_001", {.opt_out = false}, boss));
    clock.advance(std::chrono::milliseconds(1));
    EXPECT_EQ(code(draft(first)), "ok");
    EXPECT_TRUE(audit().starts_with("opted_out by ann; opt_out_ended by boss; drafted by ann"))
        << audit();
}

TEST_F(DraftsTest, WithoutASenderNothingIsApproved) {
    const auto made = taken(draft(first));
    Drafts nameless(*accounts, *outbox, *suppressions, *author, {});
    EXPECT_EQ(code(nameless.approve(made.id, {1}, bob)), "sender_not_set");
}

TEST_F(DraftsTest, EverythingIsGivenOutAndErasedButAnOptOut) {
    Privacy privacy(*accounts);
    const auto under_way = taken(approve(taken(draft(first))));
    EXPECT_EQ(code(privacy.erase("cust_001", boss)), "mail_under_way");
    run();
    taken(deliveries->report(under_way.id, DeliveryStatus::complained, ann));
    taken(suppressions->remove("john@example.com"));
    const auto known = taken(privacy.gather("cust_001"));
    EXPECT_EQ(known.invoices.size(), 2u);
    EXPECT_EQ(known.drafts.size(), 1u);
    EXPECT_EQ(known.sent.size(), 1u);
    EXPECT_GE(known.audit.size(), 4u);
    taken(privacy.erase("cust_001", boss));
    EXPECT_EQ(code(privacy.gather("cust_001")), "not_found");
    EXPECT_TRUE(rows("CUSTOMER#cust_001", "").empty());
    EXPECT_EQ(code(accounts->require_invoice("INV-001")), "not_found");
    EXPECT_EQ(audit(), "erased by boss; ");
    add_john();
    EXPECT_EQ(code(draft(first)), "suppressed") << "it outlives all";
}

}  // namespace
}  // namespace mailroom::reminders
