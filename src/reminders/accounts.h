// Customers and their invoices.
#pragma once

#include "reminders/books.h"
#include "reminders/customer.h"
#include "reminders/invoice.h"
#include "reminders/payments.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mailroom::reminders {

struct CustomerPage {
    std::vector<Customer> customers;
    std::optional<std::string> next;
};
struct InvoicePage {
    std::vector<Invoice> invoices;
    std::optional<std::string> next;
};

// What is not set stays as it is.
struct CustomerChange {
    std::optional<std::string> name = std::nullopt, email = std::nullopt;
    std::optional<bool> opt_out = std::nullopt;
    std::string opt_out_reason = "request";
};
struct InvoiceChange {
    std::optional<std::int64_t> total_cents = std::nullopt;
    std::optional<Time> due = std::nullopt;
    std::optional<InvoiceStatus> status = std::nullopt;
    std::optional<Time> paid = std::nullopt;  // With status PAID: when; unknown if it is not set.
};

// Each change of an invoice is one transaction with the row of its customer. Thread-safe.
class Accounts {
public:
    // `books` must outlive this object.
    explicit Accounts(Books& books) : books_(books) {}

    Answer<Customer> create(const CustomerDetails& details);  // `conflict` if it is there.
    // An opt-out that begins or ends is in the audit, and so are other names and addresses.
    Answer<Customer> change(const std::string& customer_id, const CustomerChange& change,
                            const Person& person);
    Answer<Customer> require(const std::string& customer_id);  // Or `not_found`.
    Result<std::optional<Customer>> find(const std::string& customer_id);
    // `invalid` if `after` is not what a page said; the same below.
    Result<CustomerPage> list(std::size_t limit, const std::optional<std::string>& after);
    // The highest rate first; those with three late payments or more.
    Result<CustomerPage> late_payers(std::size_t limit, const std::optional<std::string>& after);
    // Those of whom something is overdue, the longest first.
    Result<CustomerPage> overdue(std::size_t limit, const std::optional<std::string>& after);

    // Each payment that these make or imply is a record (payments.h), and in the audit.
    // Without an id it gets one: INV-{year}-{six hexadecimal digits}.
    Answer<Invoice> create(Invoice invoice, const Person& person = mailroom_itself());
    Answer<Invoice> change(const std::string& invoice_id, const InvoiceChange& change,
                           const Person& person = mailroom_itself());
    // A payment of a part, or of all that remains: then the invoice is PAID. Of several with the
    // same `payment_id` only the first counts.
    Answer<Invoice> pay(const std::string& invoice_id, std::int64_t cents, Time at,
                        const std::optional<std::string>& payment_id = std::nullopt,
                        const Person& person = mailroom_itself());
    Answer<std::vector<Payment>> payments(const std::string& invoice_id);
    // Takes a payment back: an invoice that was PAID by it is open again, and so is the cycle of
    // reminders that it closed. `not_found`; `conflict` if that was done already.
    Answer<Invoice> undo_payment(const std::string& invoice_id, const std::string& payment_id,
                                 const std::string& reason, const Person& person);
    // Only of DRAFT and CANCELLED ones: `conflict`.
    Answer<> erase(const std::string& invoice_id);
    Answer<Invoice> require_invoice(const std::string& invoice_id);
    // Of a customer, the earliest due first.
    Result<InvoicePage> invoices(const std::string& customer_id, std::size_t limit,
                                 const std::optional<std::string>& after);
    // Of everybody, in no order.
    Result<InvoicePage> all_invoices(std::size_t limit, const std::optional<std::string>& after);

    // Puts the changed customer into a transaction that is refused if somebody changed the row
    // since it was read. `customer` becomes what is written.
    void save(schedule::Transaction& transaction, Customer& customer) const;
    void save(schedule::Transaction& transaction, Invoice& invoice) const;

    // Begins or ends an opt-out, of the customer and of its address, in the caller's transaction.
    Answer<> set_opt_out(schedule::Transaction& transaction, Customer& customer, bool opt_out,
                         const std::string& reason, const Person& person) const;
    // Tells the audit of another name or address.
    void audit_change(schedule::Transaction& transaction, const Customer& before,
                      const Customer& after, const Person& person) const;

    Books& books() { return books_; }

private:
    Answer<> opt_out_address(schedule::Transaction& transaction, const std::string& email,
                             std::string_view reason) const;
    template <class Change>
    Answer<Invoice> with_invoice(const std::string& invoice_id, std::string_view source,
                                 const Person& person, Change change);
    Answer<Invoice> try_create(Invoice invoice, const Person& person);
    void add_payment(schedule::Transaction& transaction, const Invoice* before,
                     const Invoice& after, std::string_view source, Time now,
                     const Person& person) const;

    Books& books_;
};

}  // namespace mailroom::reminders
