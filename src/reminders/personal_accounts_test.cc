#include "reminders/personal_accounts.h"

#include "outbox/accept/personal_mails.h"
#include "people/people.h"
#include "reminders/reminders_fixture.h"

namespace mailroom::reminders {
namespace {

const std::string john = "john@example.com";

class PersonalAccountsTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
        add_customer("other", "other@example.com", "Jane Roe");
        add_invoice("other", "INV-O", 700, "2025-08-20");
        everybody.emplace(*suppressions, *node->schedule);
        privacy.emplace(*accounts);
        personal.emplace(*accounts, *privacy);
        mails.emplace(*outbox, node->ledger, node->blobs, *node->schedule, clock);
        everybody->keep(*mails);
        everybody->keep(*personal);
        work.emplace(*node->schedule, clock,
                     schedule::CrewOptions{.queues = {std::string(people::people_queue),
                                                      std::string(forgetting_queue),
                                                      std::string(outbox::forgetting_queue)},
                                           .threads = 0},
                     [this](schedule::JobInHand job) {
                         if (job->queue() == people::people_queue) {
                             everybody->run(*job);
                         } else if (job->queue() == forgetting_queue) {
                             personal->run(std::move(job));
                         } else {
                             mails->run(std::move(job));
                         }
                     });
        work->start();
    }
    void TearDown() override { work.reset(); }
    void erase() {
        taken(everybody->erase(john, {.source = "api"}));
        work->run_due();
    }
    // Till all that was to be done is done.
    void later() {
        for (int i = 0; i < 5; ++i) {
            clock.advance(std::chrono::minutes(11));
            run();
            work->run_due();
        }
    }
    std::string tables_with(const std::string& text) {
        std::string found;
        for (const char* table : {"MailroomCustomers", "MailroomInvoices", "MailroomReminders",
                                  "EmailTrackingTable", "EmailOutbox", "MailroomSchedule",
                                  "Audience", "MailroomPeople", "MailroomSuppressions"}) {
            table::Scan scan;
            scan.table = table;
            for (const auto& row : taken(engine->scan(scan)).items) {
                if (row.bytes().find(text) == std::string::npos) continue;
                found += std::string(table) + " ";
                break;
            }
        }
        return found;
    }

    std::optional<people::People> everybody;
    std::optional<Privacy> privacy;
    std::optional<PersonalAccounts> personal;
    std::optional<outbox::PersonalMails> mails;
    std::optional<schedule::Crew> work;
};

TEST_F(PersonalAccountsTest, WhoIsErasedIsNobodyToRemindersAndTheInvoicesStay) {
    taken(everybody->change(john, {.first_name = "John"}));
    send(ReminderType::first);
    taken(accounts->change("cust_001", {.name = "John F. Doe"}, ann));
    erase();
    later();
    const auto gone = customer();
    EXPECT_EQ(gone.name, "erased");
    EXPECT_TRUE(gone.email.ends_with("@erased.invalid"));
    EXPECT_EQ(gone.invoices_total, 2);
    EXPECT_EQ(taken(accounts->require_invoice("INV-001")).total_cents, 100'000);
    EXPECT_TRUE(rows("CUSTOMER#cust_001", "").empty());
    EXPECT_EQ(tables_with("john@"), "");
    EXPECT_EQ(tables_with("Doe"), "");
    clock.advance(std::chrono::days(30));
    EXPECT_EQ(decided(ReminderType::second), "suppressed");
    EXPECT_EQ(customer("other").name, "Jane Roe");
    // Who comes back with a customer of their own has it.
    add_customer("back", john);
    later();
    EXPECT_EQ(customer("back").email, john);
}

TEST_F(PersonalAccountsTest, AMailThatIsUnderWayIsCancelledFirst) {
    taken(everybody->change(john, {.first_name = "John"}));
    transport.say({outbox::FakeTransport::refused(451, "later")});
    const auto made = taken(approve(taken(draft(ReminderType::first))));
    run();
    const auto tries = transport.mails().size();
    erase();
    later();
    EXPECT_EQ(transport.mails().size(), tries);
    EXPECT_EQ(customer().name, "erased");
    EXPECT_EQ(tables_with("john@"), "");
}

TEST_F(PersonalAccountsTest, APersonIsGivenWhatRemindersKnowOfThem) {
    send(ReminderType::first);
    std::string text;
    json::Writer writer(text);
    taken(personal->show(john, writer));
    for (const auto* part : {"cust_001", "INV-002", "Dear John Doe"}) {
        EXPECT_NE(text.find(part), text.npos) << part;
    }
    EXPECT_EQ(text.find("Jane"), text.npos);
}

}  // namespace
}  // namespace mailroom::reminders
