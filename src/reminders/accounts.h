// Customers and their invoices.
#pragma once

#include "reminders/books.h"
#include "reminders/customer.h"
#include "reminders/invoice.h"
#include "reminders/opt_outs.h"
#include "reminders/payments.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mailroom::reminders {

// What is not set stays as it is.
struct CustomerChange {
    std::optional<std::string> name = std::nullopt, email = std::nullopt;
    std::optional<bool> opt_out = std::nullopt;
    std::optional<std::string> language = std::nullopt, time_zone = std::nullopt;

    static constexpr auto fields =
        std::tuple{asked("name", &CustomerChange::name), asked("email", &CustomerChange::email),
                   asked("opt_out", &CustomerChange::opt_out, "false needs the scope admin."),
                   asked("language", &CustomerChange::language, "Nothing: the usual one."),
                   asked("time_zone", &CustomerChange::time_zone, "Nothing: the usual one.")};
};
struct InvoiceChange {
    std::optional<program::AskedAmount> amount = std::nullopt;
    std::optional<Time> due = std::nullopt;
    std::optional<InvoiceStatus> status = std::nullopt;
    std::optional<Time> paid = std::nullopt;

    static constexpr auto fields =
        std::tuple{asked("amount", &InvoiceChange::amount),
                   spelled<table::DayOrTime>(asked("due_date", &InvoiceChange::due)),
                   asked("status", &InvoiceChange::status),
                   spelled<table::DayOrTime>(asked("paid_date", &InvoiceChange::paid,
                                                   "With PAID: when. Unknown if it is not said."))};
};

struct InvoiceFilter {
    std::string customer_id;

    static constexpr auto fields = std::tuple{
        asked("customer_id", &InvoiceFilter::customer_id, "Of one, the earliest due first.")};
};

// Each change of an invoice is one transaction with the row of its customer. Thread-safe.
class Accounts {
public:
    // Both must outlive this object.
    Accounts(Books& books, people::Suppressions& suppressions)
        : books_(books),
          opt_outs_(suppressions),
          customers_(books.rows<Customer>(books.tables.customers)),
          invoices_(books.rows<Invoice>(books.tables.invoices)) {}

    Answer<Customer> create(const CustomerDetails& details);  // `conflict` if it is there.
    // An opt-out that begins or ends is in the audit, and so are other names and addresses. Only
    // an administrator ends one: `forbidden`.
    Answer<Customer> change(const std::string& customer_id, const CustomerChange& change,
                            const program::Actor& person);
    Answer<Customer> require(const std::string& customer_id);  // Or `not_found`.
    Answer<Customer> show(const std::string& customer_id);     // With what it said of reminders.
    Result<std::optional<Customer>> find(const std::string& customer_id);
    // `invalid` if `after` is not what a page said; the same below.
    Result<table::Slice<Customer>> list(const table::PageWish& wish);
    // The highest rate first; those with three late payments or more.
    Result<table::Slice<Customer>> late_payers(const table::PageWish& wish);
    // Those of whom something is overdue, the longest first.
    Result<table::Slice<Customer>> overdue(const table::PageWish& wish);

    // Each payment that these make or imply is a record (payments.h), and in the audit.
    // Without an id it gets one: INV-{year}-{six hexadecimal digits}.
    Answer<Invoice> create(Invoice invoice, const program::Actor& person = mailroom_itself());
    Answer<Invoice> change_invoice(const std::string& invoice_id, const InvoiceChange& change,
                                   const program::Actor& person = mailroom_itself());
    // A payment of a part, or of all that remains: then the invoice is PAID. Of several with the
    // same `payment_id` only the first counts.
    Answer<Invoice> pay(const std::string& invoice_id, std::int64_t cents, Time at,
                        const std::optional<std::string>& payment_id = std::nullopt,
                        const program::Actor& person = mailroom_itself());
    Answer<table::Slice<Payment>> payments(const std::string& invoice_id);  // All of them.
    // Takes a payment back: an invoice that was PAID by it is open again, and so is the cycle of
    // reminders that it closed. `not_found`; `conflict` if that was done already.
    Answer<Invoice> undo_payment(const std::string& invoice_id, const std::string& payment_id,
                                 const std::string& reason, const program::Actor& person);
    // Nobody is reminded of it until that is over or ended; in the audit. `conflict` if nothing is
    // to be paid on it, or there is no hold.
    Answer<Invoice> hold(const std::string& invoice_id, const HoldWish& wish,
                         const program::Actor& person);
    Answer<Invoice> release(const std::string& invoice_id, const program::Actor& person);
    // The customer says when it will pay, and hears nothing until then; or that no longer counts.
    // Again takes the place of the one before. `conflict` if nothing is open, or there is none.
    Answer<Customer> promise(const std::string& customer_id, const Promise& promise,
                             const program::Actor& person);
    Answer<Customer> end_promise(const std::string& customer_id, const program::Actor& person);
    // Only of DRAFT and CANCELLED ones: `conflict`.
    Answer<> erase(const std::string& invoice_id);
    Answer<Invoice> require_invoice(const std::string& invoice_id);
    // Of everybody in no order, or of a customer.
    Result<table::Slice<Invoice>> invoices(const InvoiceFilter& filter,
                                           const table::PageWish& wish);

    // Puts the changed customer into a transaction that is refused if somebody changed the row
    // since it was read. `customer` becomes what is written.
    void save(schedule::Transaction& transaction, Customer& customer) const;
    void save(schedule::Transaction& transaction, Invoice& invoice) const;

    // Begins or ends an opt-out of whoever reads at the customer's address, in the caller's
    // transaction: one change of that person.
    Answer<> set_opt_out(schedule::Transaction& transaction, Customer& customer, bool opt_out,
                         const std::string& reason, const program::Actor& person) const;
    // Who opted out stays so at another address. Whether the transaction has a change of that.
    Answer<bool> carry_opt_out(schedule::Transaction& transaction, const Customer& before,
                               const Customer& after, const program::Actor& person) const;
    // Tells the audit of another name or address.
    void audit_change(schedule::Transaction& transaction, const Customer& before,
                      const Customer& after, const program::Actor& person) const;

    Books& books() { return books_; }
    const OptOuts& opt_outs() const { return opt_outs_; }
    const table::Rows<Customer>& customer_rows() const { return customers_; }
    const table::Rows<Invoice>& invoice_rows() const { return invoices_; }

private:
    Answer<> change_opt_out(schedule::Transaction& transaction, const Customer& before,
                            Customer& customer, std::optional<bool> opt_out,
                            const program::Actor& person) const;
    Answer<Customer> shown(Customer customer) const;
    Result<table::Slice<Customer>> shown(Result<table::Slice<Customer>> page) const;
    // What a change of an invoice makes of its customer, with the payment that it implies.
    Answer<> follow(schedule::Transaction& transaction, Customer& customer, const Invoice* before,
                    const Invoice& after, std::string_view source,
                    const program::Actor& person) const;
    template <class Change>
    Answer<Customer> with_customer(const std::string& customer_id, const Change& change);
    struct InHand;
    // `change` makes the invoice and its customer what they are to be, and adds what goes with it.
    template <class Change>
    Answer<Invoice> with_invoice(const std::string& invoice_id, const Change& change);
    Answer<Invoice> try_create(Invoice invoice, const program::Actor& person);

    // Saves it, with when it was made and changed.
    template <class T>
    void save(const table::Rows<T>& rows, schedule::Transaction& transaction, T& record) const;

    Books& books_;
    const OptOuts opt_outs_;
    table::Rows<Customer> customers_;
    table::Rows<Invoice> invoices_;
};

}  // namespace mailroom::reminders
