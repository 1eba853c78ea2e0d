#include "reminders/due.h"
#include "reminders/import.h"
#include "reminders/reminders_fixture.h"

#include <algorithm>
#include <thread>

namespace mailroom::reminders {
namespace {

class AccountsTest : public RemindersTest {};

TEST_F(AccountsTest, ACustomerIsCheckedAndThereOnce) {
    struct Case {
        CustomerDetails details;
        std::string_view want;  // The field that is refused, or "ok" or a code.
    };
    const Case cases[] = {
        {{"c1", "Ann", "ann@example.com", "USD"}, "ok"},
        {{"c1", "Ann", "ann@example.com", "USD"}, "customer_exists"},
        {{"", "Ann", "ann@example.com", "USD"}, "customer_id"},
        {{"a b", "Ann", "ann@example.com", "USD"}, "customer_id"},
        {{"a#b", "Ann", "ann@example.com", "USD"}, "customer_id"},
        {{std::string(101, 'x'), "Ann", "ann@example.com", "USD"}, "customer_id"},
        {{"c2", " ", "ann@example.com", "USD"}, "name"},
        {{"c2", "Ann\r\nBcc: x", "ann@example.com", "USD"}, "name"},
        {{"c2", "Ann", "ann", "USD"}, "email"},
        {{"c2", "Ann", "ann@localhost", "USD"}, "email"},
        {{"c2", "Ann", "Ann <ann@example.com>", "USD"}, "email"},
        {{"c2", "Ann", "ann@example.com", "dollars"}, "currency"},
    };
    for (const auto& c : cases) {
        const auto made = accounts->create(c.details);
        const auto got = made                          ? "ok"
                         : made.error().fields.empty() ? made.error().code
                                                       : made.error().fields.at(0).field;
        EXPECT_EQ(got, c.want) << c.details.customer_id << " " << c.details.name;
    }
}

TEST_F(AccountsTest, PaymentsReduceTheBalanceUntilItIsPaid) {
    add_john();
    EXPECT_EQ(taken(accounts->pay("INV-001", 40'000, clock.now())).remaining_cents(), 60'000);
    EXPECT_EQ(customer().figures(clock.now()).cents, 110'000);
    EXPECT_EQ(accounts->pay("INV-001", 60'001, clock.now()).error().fields.at(0).field, "amount");
    EXPECT_EQ(accounts->pay("INV-001", 0, clock.now()).error().fields.at(0).field, "amount");
    taken(accounts->pay("INV-001", 10'000, clock.now(), "once"));
    const auto again = taken(accounts->pay("INV-001", 10'000, clock.now(), "once"));
    EXPECT_EQ(again.remaining_cents(), 50'000) << "the same payment counts once";
    const auto paid = taken(accounts->pay("INV-001", 50'000, clock.now()));
    EXPECT_EQ(paid.status, InvoiceStatus::paid);
    EXPECT_EQ(code(accounts->pay("INV-001", 1, clock.now())), "not_open");
    EXPECT_EQ(customer().figures(clock.now()).invoice_ids, std::vector<std::string>{"INV-002"});
}

TEST_F(AccountsTest, AnInvoiceKeepsToItsStates) {
    struct Case {
        InvoiceStatus from, to;
        bool want;
    };
    using enum InvoiceStatus;
    const Case cases[] = {
        {InvoiceStatus::draft, sent, true},
        {InvoiceStatus::draft, paid, false},
        {sent, overdue, true},
        {sent, paid, true},
        {sent, InvoiceStatus::draft, false},
        {overdue, paid, true},
        {overdue, sent, false},
        {paid, cancelled, false},
        {cancelled, sent, false},
        {sent, cancelled, true},
    };
    for (const auto& c : cases) EXPECT_EQ(may_follow(c.from, c.to), c.want);
    add_john();
    EXPECT_EQ(code(accounts->erase("INV-001")), "not_erasable");
    taken(accounts->change_invoice("INV-001", {.status = cancelled}));
    EXPECT_EQ(code(accounts->change_invoice("INV-001", {.status = sent})), "invalid_transition");
    taken(accounts->erase("INV-001"));
    EXPECT_EQ(code(accounts->require_invoice("INV-001")), "not_found");
}

TEST_F(AccountsTest, OverdueBeginsAfterTheDayItIsDue) {
    add_customer("c", "c@example.com");
    add_invoice("c", "I", 100, "2025-09-01");
    const auto overdue = [&] { return taken(accounts->overdue({})).items.size(); };
    set_time("2025-09-01T23:59:59.999Z");
    EXPECT_EQ(overdue(), 0u);
    EXPECT_EQ(decided(ReminderType::first, "c"), "nothing_overdue");
    set_time("2025-09-02T00:00:00Z");
    EXPECT_EQ(overdue(), 1u);
    EXPECT_EQ(decided(ReminderType::first, "c"), "allowed");
    pay("I");
    EXPECT_EQ(overdue(), 0u);
}

TEST_F(AccountsTest, PayingEverythingEndsTheCycle) {
    add_john();
    send(ReminderType::first);
    clock.advance(std::chrono::days(10));
    EXPECT_EQ(decided(ReminderType::second), "allowed");
    pay("INV-001");
    EXPECT_EQ(decided(ReminderType::second), "allowed") << "something is still overdue";
    pay("INV-002");
    add_invoice("cust_001", "INV-100", 100, "2025-09-02");
    EXPECT_EQ(decided(ReminderType::second), "predecessor_missing");
    EXPECT_EQ(decided(ReminderType::first), "allowed");
}

TEST_F(AccountsTest, ParallelChangesOfOneCustomerAllCount) {
    add_customer("c", "c@example.com");
    std::vector<std::thread> writers;
    for (int i = 0; i < 8; ++i) {
        writers.emplace_back([this, i] {
            for (int j = 0; j < 5; ++j) {
                add_invoice("c", "I" + std::to_string(i) + "-" + std::to_string(j), 100,
                            "2025-08-01");
            }
        });
    }
    for (auto& writer : writers) writer.join();
    EXPECT_EQ(customer("c").figures(clock.now()).cents, 4000);
    EXPECT_EQ(customer("c").invoices_total, 40);
}

TEST_F(AccountsTest, ListsGoOnWhereTheyEnded) {
    for (int i = 0; i < 7; ++i) {
        const auto id = "c" + std::to_string(i);
        add_customer(id, id + "@example.com");
        add_invoice(id, "I" + id, 100, "2025-08-0" + std::to_string(9 - i));
    }
    const Assessor assessor(*books, *suppressions);
    std::vector<std::string> due, all;
    table::PageWish wish{.limit = 3, .after = {}};
    do {
        auto page = taken(list_due(*accounts, assessor, Which::all, wish));
        for (const auto& one : page.items) due.push_back(one.customer_id);
        wish.after = page.next;
    } while (wish.after);
    EXPECT_EQ(due, (std::vector<std::string>{"c6", "c5", "c4", "c3", "c2", "c1", "c0"}))
        << "the longest overdue first";
    wish.limit = 2;
    do {
        auto page = taken(accounts->list(wish));
        for (const auto& one : page.items) all.push_back(one.customer_id);
        wish.after = page.next;
    } while (wish.after);
    std::ranges::sort(all);
    EXPECT_EQ(all.size(), 7u);
    for (const std::string wrong : {"x", "", "!!"}) {
        EXPECT_FALSE(accounts->overdue({.limit = 3, .after = wrong})) << wrong;
    }
}

TEST_F(AccountsTest, DueTellsWhoMayBeRemindedAndWhyOthersMayNot) {
    add_john();
    add_customer("b", "b@example.com");
    add_invoice("b", "IB", 100, "2025-08-01");
    add_customer("same", "B@Example.com");
    add_invoice("same", "IS", 100, "2025-08-02");
    send(ReminderType::first, "b");
    const Assessor assessor(*books, *suppressions);
    const auto codes = [&](Which which) {
        std::string text;
        for (const auto& one : taken(list_due(*accounts, assessor, which, {})).items) {
            text += one.customer_id + ":" + std::string(name_of(one.decision.verdict)) + " ";
        }
        return text;
    };
    EXPECT_EQ(codes(Which::all),
              "b:predecessor_too_recent same:duplicate_address cust_001:allowed ");
    EXPECT_EQ(codes(Which::allowed), "cust_001:allowed ");
    EXPECT_EQ(codes(Which::not_allowed), "b:predecessor_too_recent same:duplicate_address ");
}

class ImportTest : public RemindersTest {
protected:
    // "created updated unchanged", or the first error.
    std::string shown(const Answer<ImportResult>& result) {
        if (!result) return result.error().fields.at(0).field + " " + result.error().message;
        if (!result->is_good()) {
            const auto& error = result->errors.front();
            return std::to_string(error.line) + ": " + error.field + " " + error.message;
        }
        return std::to_string(result->created) + " " + std::to_string(result->updated) + " " +
               std::to_string(result->unchanged);
    }
    std::string customers(std::string_view text, ImportMode mode = ImportMode::for_real) {
        return shown(import_customers(*accounts, text, mode));
    }
    std::string invoices(std::string_view text, ImportMode mode = ImportMode::for_real) {
        return shown(import_invoices(*accounts, text, mode));
    }
};

TEST_F(ImportTest, ADryRunTellsWhatARealOneDoes) {
    const std::string file =
        "customer_id,name,email\nc1,Ann,ann@example.com\nc2,Bob,b@example.com\n";
    EXPECT_EQ(customers(file, ImportMode::dry), "2 0 0");
    EXPECT_FALSE(accounts->require("c1"));
    EXPECT_EQ(customers(file), "2 0 0");
    EXPECT_EQ(customers(file), "0 0 2");
    EXPECT_EQ(customers("customer_id,name,email\nc1,Ann Lee,ann@example.com\n"), "0 1 0");

    const std::string bills =
        "invoice_id,customer_id,amount,due_date,status,paid_date\n"
        "I1,c1,10.00,2025-08-01,,\nI2,c2,20.00,2025-08-01,PAID,2025-08-20\nI3,c1,1.5,2025-08-02,"
        "SENT,\n";
    EXPECT_EQ(invoices(bills, ImportMode::dry), "3 0 0");
    EXPECT_EQ(customer("c1").figures(clock.now()).cents, 0);
    EXPECT_EQ(invoices(bills), "3 0 0");
    EXPECT_EQ(customer("c1").figures(clock.now()).cents, 1150);
    EXPECT_EQ(customer("c2").late_payments, 1);
    EXPECT_EQ(invoices(bills), "0 0 3");
    EXPECT_EQ(invoices("invoice_id,customer_id,amount,due_date,status\nI1,c1,10,2025-08-01,PAID\n"),
              "0 1 0");
    EXPECT_EQ(customer("c1").figures(clock.now()).cents, 150);
}

TEST_F(ImportTest, OneWrongRowKeepsAllBack) {
    ASSERT_EQ(customers("customer_id,name,email\nc1,Ann,ann@example.com\n"), "1 0 0");
    const std::string head = "invoice_id,customer_id,amount,due_date,status\nI1,c1,1,2025-08-01,\n";
    struct Case {
        std::string_view row, want;
    };
    const Case cases[] = {
        {"I2,c1,x,2025-08-01,", "3: amount must be an amount such as 1500.00"},
        {"I2,c1,0,2025-08-01,", "3: amount must be more than 0"},
        {"I2,c1,1,soon,", "3: due_date must be a date such as 2025-09-01, or a time of RFC 3339"},
        {"I2,nobody,1,2025-08-01,", "3: customer_id is no customer"},
        {"I1,c1,1,2025-08-01,", "3: invoice_id is there twice"},
        {"I2,c1,1,2025-08-01,LATE", "3: status must be DRAFT, SENT, OVERDUE, PAID or CANCELLED"},
        {",c1,1,2025-08-01,",
         "3: invoice_id must be 1 to 100 letters, digits or any of _ - . : @ / #"},
    };
    for (const auto& c : cases) EXPECT_EQ(invoices(head + std::string(c.row) + "\n"), c.want);
    EXPECT_EQ(customer("c1").invoices_total, 0) << "nothing of any of them";
    EXPECT_EQ(customers("customer_id,name\nc1,Ann\n"), "email is no column of the file");
    EXPECT_EQ(customers("customer_id,name,email,name\n"), "name is a column twice");
    EXPECT_EQ(customers("customer_id,name,email\nc1,Ann,nobody\n"),
              "2: email must be an e-mail address such as ann@example.com");
}

TEST_F(ImportTest, AFileAsASpreadsheetExportsIt) {
    const auto people = taken(import_customers(*accounts,
                                               "\xEF\xBB\xBF"
                                               "Customer_ID;Name;Email;Phone;Shoe size\r\n"
                                               "c1;\"Müller; Ann\";ann@example.com;1;2\r\n",
                                               ImportMode::for_real));
    EXPECT_EQ(people.created, 1u);
    EXPECT_EQ(people.ignored_columns, (std::vector<std::string>{"phone", "shoe size"}));
    EXPECT_EQ(customer("c1").name, "Müller; Ann");
    EXPECT_EQ(invoices("invoice_id;customer_id;amount;due_date\nI1;c1;1.234,50;2025-08-01\n"
                       "I2;c1;1.000;2025-08-01\n"),
              "2 0 0");
    EXPECT_EQ(customer("c1").figures(clock.now()).cents, 223'450);
}

TEST_F(ImportTest, AllMistakesAreToldAtOnceAndNothingIsImported) {
    ASSERT_EQ(customers("customer_id,name,email\nc1,Ann,ann@example.com\n"), "1 0 0");
    const auto result = taken(import_invoices(*accounts,
                                              "invoice_id,customer_id,amount,due_date,status\n"
                                              "I1,c1,x,soon,LATE\n"
                                              "I2,c1,1\n"
                                              "I3,nobody,1,2025-08-01,\n"
                                              "I4,c1,5,2025-08-01,\n"
                                              "I4,c1,-5,2025-08-01,\n",
                                              ImportMode::for_real));
    std::string told;
    for (const auto& error : result.errors) {
        told += std::to_string(error.line) + ":" + error.field + " ";
    }
    EXPECT_EQ(told, "2:due_date 2:status 3:line 4:customer_id 6:invoice_id 6:amount ");
    EXPECT_EQ(result.rows, 5u);
    EXPECT_FALSE(accounts->require_invoice("I4"));
    const auto people = taken(import_customers(
        *accounts, "customer_id,name,email,opt_out\n c 2,,nobody,maybe\n", ImportMode::for_real));
    EXPECT_EQ(people.errors.size(), 4u);
}

TEST_F(ImportTest, AnImportedOptOutIsTheAddresssAndInTheAudit) {
    EXPECT_EQ(customers("customer_id,name,email,opt_out\nc1,Ann,ann@example.com,yes\n"
                        "c2,Ann,Ann@example.com,yes\nc3,Ann,ann@example.com,\n"),
              "3 0 0");
    add_invoice("c3", "I3", 100, "2025-08-01");
    EXPECT_EQ(decided(ReminderType::first, "c3"), "suppressed");
    EXPECT_EQ(customers("customer_id,name,email,opt_out\nc1,Ann,new@example.com,no\n"), "0 1 0");
    EXPECT_TRUE(taken(accounts->show("c1")).opt_out) << "a file never takes it back";
}

TEST_F(ImportTest, ManyRowsGoInManyTransactions) {
    std::string file = "customer_id,name,email\n";
    std::string bills = "invoice_id,customer_id,amount,due_date\n";
    for (int i = 0; i < 250; ++i) {
        const auto id = "c" + std::to_string(i);
        file += id + ",Name," + id + "@example.com\n";
        for (int j = 0; j < 3; ++j)
            bills += id + "-" + std::to_string(j) + "," + id + ",5,2025-08-01\n";
    }
    EXPECT_EQ(customers(file), "250 0 0");
    EXPECT_EQ(invoices(bills), "750 0 0");
    EXPECT_EQ(customer("c249").figures(clock.now()).cents, 1500);
}

}  // namespace
}  // namespace mailroom::reminders
