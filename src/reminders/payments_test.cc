#include "reminders/payments.h"

#include "reminders/audit.h"
#include "reminders/import.h"
#include "reminders/privacy.h"
#include "reminders/reminders_fixture.h"

namespace mailroom::reminders {
namespace {

constexpr auto first = ReminderType::first;
constexpr auto second = ReminderType::second;
constexpr auto real = ImportMode::for_real;

class PaymentsTest : public RemindersTest {
protected:
    void SetUp() override {
        RemindersTest::SetUp();
        add_john();
    }
    // "400.00 payment, -100.00 import undone"
    std::string shown(const std::string& invoice) {
        std::string text;
        for (const auto& one : taken(accounts->payments(invoice)).items) {
            text += (text.empty() ? "" : ", ") + std::to_string(one.cents) + " " + one.source +
                    (one.undone ? " undone" : "");
        }
        return text;
    }
    Payment newest(const std::string& invoice) {
        return taken(accounts->payments(invoice)).items.back();
    }
    Invoice invoice(const std::string& id) { return taken(accounts->require_invoice(id)); }
    std::string audit() {
        std::string text;
        for (const auto& entry :
             taken(books->audit.of("cust_001", {.limit = 100, .after = {}})).items) {
            text += entry.what + " by " + entry.by + " (" + entry.detail + "); ";
        }
        return text;
    }
};

TEST_F(PaymentsTest, EachPaymentIsARecordAndCanBeTakenBack) {
    taken(accounts->pay("INV-001", 40'000, clock.now(), std::nullopt, ann));
    clock.advance(std::chrono::seconds(1));
    taken(accounts->pay("INV-001", 60'000, clock.now(), std::nullopt, ann));
    EXPECT_EQ(shown("INV-001"), "40000 payment, 60000 payment");
    EXPECT_EQ(invoice("INV-001").status, InvoiceStatus::paid);
    EXPECT_EQ(customer().figures(clock.now()).cents, 50'000);

    const auto wrong = newest("INV-001");
    EXPECT_EQ(accounts->undo_payment("INV-001", wrong.id, "", bob).error().fields.at(0).field,
              "reason");
    EXPECT_EQ(code(accounts->undo_payment("INV-001", "nope", "x", bob)), "not_found");
    const auto after = taken(accounts->undo_payment("INV-001", wrong.id, "another's money", bob));
    EXPECT_EQ(after.status, InvoiceStatus::sent);
    EXPECT_EQ(after.paid_cents, 40'000);
    EXPECT_EQ(after.paid, std::nullopt);
    EXPECT_EQ(customer().figures(clock.now()).cents, 110'000);
    EXPECT_EQ(shown("INV-001"), "40000 payment, 60000 payment undone");
    EXPECT_EQ(code(accounts->undo_payment("INV-001", wrong.id, "again", bob)), "already_undone");
    EXPECT_EQ(invoice("INV-001").paid_cents, 40'000);
    EXPECT_NE(audit().find("paid by ann (INV-001: $400.00)"), std::string::npos) << audit();
    EXPECT_NE(audit().find("payment_undone by user_123 (INV-001: $600.00: another's money)"),
              std::string::npos)
        << audit();
}

TEST_F(PaymentsTest, AWrongPaymentThatIsTakenBackLeavesRemindersAsTheyWere) {
    send(first);
    clock.advance(std::chrono::days(8));
    ASSERT_EQ(decided(second), "allowed");
    pay("INV-001"), pay("INV-002");
    EXPECT_EQ(decided(second), "nothing_overdue");
    clock.advance(std::chrono::days(40));
    taken(accounts->undo_payment("INV-002", newest("INV-002").id, "it bounced", bob));
    EXPECT_EQ(decided(second), "allowed") << "the first one still is its predecessor";
    const auto late = customer();
    EXPECT_EQ(late.late_payments, 0);
}

TEST_F(PaymentsTest, WhatWasPaidBeforeThereWereRecordsIsOne) {
    taken(accounts->pay("INV-001", 40'000, clock.now()));
    // As yesterday's server left it.
    const auto rows = taken(engine->query(
        table::from("MailroomReminders").partition("PK", payments_partition("INV-001"))));
    for (const auto& row : rows.items) {
        taken(engine->erase(table::write::Erase(
            "MailroomReminders",
            {{"PK", table::Value(*row.find("PK"))}, {"SK", table::Value(*row.find("SK"))}})));
    }
    EXPECT_EQ(shown("INV-001"), "40000 opening");
    taken(accounts->pay("INV-001", 10'000, clock.now()));
    EXPECT_EQ(shown("INV-001"), "40000 opening, 10000 payment");
    taken(accounts->undo_payment("INV-001", "opening", "never came", bob));
    EXPECT_EQ(invoice("INV-001").paid_cents, 10'000);
    EXPECT_EQ(code(accounts->undo_payment("INV-001", "opening", "never came", bob)),
              "already_undone");
}

TEST_F(PaymentsTest, AFileChangesOnlyWhatItSays) {
    const std::string file =
        "invoice_id,customer_id,amount,due_date\nINV-001,cust_001,1000,2025-08-20\n"
        "INV-002,cust_001,500,2025-08-25\n";
    taken(accounts->pay("INV-001", 40'000, clock.now()));
    pay("INV-002");
    const auto again = taken(import_invoices(*accounts, file, real));
    EXPECT_EQ(again.unchanged, 2u);
    EXPECT_EQ(invoice("INV-001").paid_cents, 40'000);
    EXPECT_EQ(invoice("INV-002").status, InvoiceStatus::paid);
    const std::string with_status =
        "invoice_id;customer_id;amount;due_date;status;paid_amount\n"
        "INV-001;cust_001;1000;2025-08-20;SENT;\nINV-002;cust_001;500;2025-08-25;OVERDUE;\n";
    EXPECT_EQ(taken(import_invoices(*accounts, with_status, real)).unchanged, 2u);
    EXPECT_EQ(invoice("INV-001").paid_cents, 40'000);
    EXPECT_EQ(invoice("INV-002").status, InvoiceStatus::paid) << "a file may be older";
}

TEST_F(PaymentsTest, WhatAFileSaysIsPaidIsARecord) {
    const std::string head = "invoice_id,customer_id,amount,due_date,paid_amount,paid_date\n";
    taken(import_invoices(*accounts, head + "INV-001,cust_001,1000,2025-08-20,300,\n", real, ann));
    EXPECT_EQ(shown("INV-001"), "30000 import");
    clock.advance(std::chrono::milliseconds(1));
    taken(import_invoices(*accounts, head + "INV-001,cust_001,1000,2025-08-20,200,\n", real, ann));
    EXPECT_EQ(shown("INV-001"), "30000 import, -10000 import");
    taken(import_invoices(*accounts, head + "INV-001,cust_001,1000,2025-08-20,1000,2025-08-19\n",
                          real, ann));
    EXPECT_EQ(invoice("INV-001").status, InvoiceStatus::paid);
    EXPECT_EQ(customer().late_payments, 0);
    EXPECT_NE(audit().find("paid by ann (imported: INV-001 $800.00)"), std::string::npos)
        << audit();
}

TEST_F(PaymentsTest, PaidOnAnUnknownDayIsNotLate) {
    set_time("2026-01-05T00:00:00Z");
    taken(import_invoices(*accounts,
                          "invoice_id,customer_id,amount,due_date,status\n"
                          "INV-001,cust_001,1000,2025-08-20,PAID\n",
                          real));
    pay("INV-002");
    EXPECT_EQ(customer().late_payments, 0);
    EXPECT_EQ(invoice("INV-001").paid, std::nullopt);
    EXPECT_EQ(invoice("INV-001").paid_cents, 100'000);
}

TEST_F(PaymentsTest, ErasingTakesThePaymentsAlong) {
    taken(accounts->pay("INV-001", 40'000, clock.now()));
    taken(accounts->change("cust_001", {.opt_out = true}, ann));
    Privacy privacy(*accounts);
    EXPECT_EQ(taken(privacy.gather("cust_001")).payments.size(), 1u);
    taken(privacy.erase("cust_001", boss));
    EXPECT_TRUE(
        taken(engine->query(
                  table::from("MailroomReminders").partition("PK", payments_partition("INV-001"))))
            .items.empty());
    EXPECT_EQ(taken(suppressions->refusal(people::Stream::transactional, "john@example.com")),
              std::nullopt)
        << "other mail still reaches them";
    add_customer("again", "john@example.com");
    add_invoice("again", "INV-X", 100, "2025-08-01");
    EXPECT_EQ(decided(first, "again"), "suppressed");
}

TEST_F(PaymentsTest, CurrenciesHaveTheirOwnDecimals) {
    taken(accounts->create(CustomerDetails{"yen", "Aiko", "aiko@example.com", "JPY"}));
    taken(accounts->create(CustomerDetails{"dinar", "Ali", "ali@example.com", "KWD"}));
    EXPECT_EQ(accounts->create(CustomerDetails{"x", "X", "x@example.com", "XYZ"})
                  .error()
                  .fields.at(0)
                  .field,
              "currency");
    const auto imported = taken(import_invoices(*accounts,
                                                "invoice_id,customer_id,amount,due_date\n"
                                                "Y1,yen,150000,2025-08-01\n"
                                                "D1,dinar,12.345,2025-08-01\n",
                                                real));
    EXPECT_EQ(imported.created, 2u);
    EXPECT_NE(taken(draft(first, "yen")).letter.text.find("¥150,000."), std::string::npos);
    const auto dinar = taken(draft(first, "dinar"));
    EXPECT_NE(dinar.letter.text.find("12.345 KWD"), std::string::npos) << dinar.letter.text;
    EXPECT_TRUE(dinar.warnings.empty()) << dinar.warnings.front().message;
    EXPECT_EQ(taken(drafts->find(dinar.id)).figures, dinar.figures);
    taken(approve(dinar));
    run();
    EXPECT_EQ(taken(drafts->find(dinar.id)).status, DraftStatus::sent);
    const auto wrong = taken(import_invoices(*accounts,
                                             "invoice_id,customer_id,amount,due_date\n"
                                             "Y2,yen,1.50,2025-08-01\nD2,dinar,1.2345,2025-08-01\n",
                                             real));
    ASSERT_EQ(wrong.errors.size(), 2u);
    EXPECT_EQ(wrong.errors[0].message, "must be a whole number: JPY has no decimals");
    EXPECT_EQ(wrong.errors[1].message, "must have at most three decimals");
}

TEST_F(PaymentsTest, RowsFromBeforeThousandthsMeanTheSame) {
    taken(accounts->create(CustomerDetails{"dinar", "Ali", "ali@example.com", "KWD"}));
    add_invoice("dinar", "D1", 0 + 12'340, "2025-08-01");  // 12.340
    for (const auto& [table, name, id] : {std::tuple("MailroomCustomers", "customer_id", "dinar"),
                                          std::tuple("MailroomInvoices", "invoice_id", "D1")}) {
        auto row = *taken(books->get(table, table::Item{{name, id}}));
        ASSERT_EQ(row.integer("scale"), 3);
        taken(engine->update(table::write::Update(table, {{name, id}}).remove("scale")));
    }
    // The numbers that are there are hundredths now, as yesterday's server wrote them.
    EXPECT_EQ(invoice("D1").total_cents, 123'400);
    EXPECT_EQ(customer("dinar").figures(clock.now()).cents, 123'400);
}

}  // namespace
}  // namespace mailroom::reminders
