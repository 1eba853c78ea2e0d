// An invoice, as far as reminders need it.
//
// MailroomInvoices, one row for each: invoice_id, customer_id, status, currency, total_cents,
// paid_cents, due_ms, paid_ms, payment_ids L, created, updated, version; times are Unix
// milliseconds.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "reminders/customer.h"
#include "reminders/refusal.h"
#include "table/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

// DRAFT -> SENT | CANCELLED; SENT -> PAID | OVERDUE | CANCELLED; OVERDUE -> PAID | CANCELLED.
enum class InvoiceStatus { draft, sent, overdue, paid, cancelled };
std::string_view name_of(InvoiceStatus status);                            // "DRAFT", …
std::optional<InvoiceStatus> invoice_status_named(std::string_view name);  // In any case.
bool may_follow(InvoiceStatus from, InvoiceStatus to);

struct Invoice {
    std::string invoice_id, customer_id;
    InvoiceStatus status = InvoiceStatus::sent;
    std::string currency;
    std::int64_t total_cents = 0, paid_cents = 0;
    Time due;
    std::optional<Time> paid;              // When the last payment made it PAID.
    std::vector<std::string> payment_ids;  // Of those that have one: each counts once.
    Time created, updated;
    std::int64_t version = 0;  // 0: not stored yet.

    std::int64_t remaining_cents() const { return total_cents - paid_cents; }
    // Whether somebody is waiting for money.
    bool is_open() const;
    bool is_overdue(Time now) const { return is_open() && due < now; }
    // None unless it was paid more than seven whole days late.
    std::optional<std::int64_t> late_days() const;

    bool operator==(const Invoice&) const = default;
};

bool is_invoice_id(std::string_view text);  // As a customer's id, and also "/" and "#".
// `bad_field` if it does not hold together.
Answer<> check_invoice(const Invoice& invoice);

// What the customer's row says of its invoices, with `before` taken out and `after` put in; either
// may be absent. Closes the cycle of reminders when nothing is overdue any more. `conflict` if the
// customer has too many that are open.
Answer<> replace_invoice(Customer& customer, const Invoice* before, const Invoice* after, Time now);

table::Item invoice_key(std::string_view invoice_id);
table::Item invoice_item(const Invoice& invoice);
Result<Invoice> read_invoice(const table::ItemView& row);

}  // namespace mailroom::reminders
