// An invoice, as far as reminders need it.
//
// MailroomInvoices, one row for each; times are Unix milliseconds.
#pragma once

#include "base/clock.h"
#include "base/money.h"
#include "base/result.h"
#include "program/forms.h"
#include "reminders/customer.h"
#include "reminders/refusal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

// DRAFT -> SENT | CANCELLED; SENT -> PAID | OVERDUE | CANCELLED; OVERDUE -> PAID | CANCELLED.
enum class InvoiceStatus { draft, sent, overdue, paid, cancelled };
constexpr auto names_of(InvoiceStatus) {
    return std::array{Name{InvoiceStatus::draft, "DRAFT"}, Name{InvoiceStatus::sent, "SENT"},
                      Name{InvoiceStatus::overdue, "OVERDUE"}, Name{InvoiceStatus::paid, "PAID"},
                      Name{InvoiceStatus::cancelled, "CANCELLED"}};
}
std::optional<InvoiceStatus> otherwise_named(InvoiceStatus, std::string_view name);  // In any case.
bool may_follow(InvoiceStatus from, InvoiceStatus to);

// Of an invoice, at a moment.
struct InvoiceStanding {
    bool overdue = false;
    std::optional<Hold> hold = std::nullopt;

    static constexpr auto fields =
        std::tuple{shown("overdue", &InvoiceStanding::overdue),
                   shown_or_omitted("hold", &InvoiceStanding::hold,
                                    "Why nobody is reminded of it for a while.")};
};

struct Invoice {
    std::string invoice_id, customer_id;
    InvoiceStatus status = InvoiceStatus::sent;
    std::string currency;
    std::int64_t total_cents = 0, paid_cents = 0;
    Time due;
    std::optional<Time> paid;              // When the last payment made it PAID.
    std::vector<std::string> payment_ids;  // Of those that have one: each counts once.
    std::optional<Hold> hold;              // The last one; it may be over.
    Time created, updated;
    std::int64_t version = 0;  // 0: not stored yet.

    std::int64_t remaining_cents() const { return total_cents - paid_cents; }
    Amount total() const { return {total_cents, currency}; }
    Amount paid_amount() const { return {paid_cents, currency}; }
    Amount remaining() const { return {remaining_cents(), currency}; }
    // Whether somebody is waiting for money.
    bool is_open() const;
    // As Customer::invoices_total counts.
    bool is_counted() const {
        return status != InvoiceStatus::draft && status != InvoiceStatus::cancelled;
    }
    InvoiceStanding at(Time now) const {
        return {is_open() && due < now, hold && hold->holds(now) ? hold : std::nullopt};
    }
    // None unless it was paid more than seven whole days late.
    std::optional<std::int64_t> late_days() const;

    static constexpr std::string_view record_name = "Invoice";
    static constexpr auto fields =
        std::tuple{must_have("invoice_id", &Invoice::invoice_id),
                   kept("customer_id", &Invoice::customer_id),
                   must_have("status", &Invoice::status),
                   stored("total_cents", &Invoice::total_cents),
                   stored("paid_cents", &Invoice::paid_cents),
                   shown("amount", &Invoice::total),
                   shown("paid_amount", &Invoice::paid_amount),
                   shown("remaining_balance", &Invoice::remaining),
                   kept("currency", &Invoice::currency, "A code of ISO 4217."),
                   spelled<table::DayOrTime>(must_have("due_ms", "due_date", &Invoice::due)),
                   spelled<table::DayOrTime>(kept("paid_ms", "paid_date", &Invoice::paid)),
                   stored_if_any("payment_ids", &Invoice::payment_ids),
                   stored("hold", &Invoice::hold),
                   kept("version", &Invoice::version),
                   kept("created", "created_at", &Invoice::created),
                   kept("updated", "updated_at", &Invoice::updated)};
    static void derive(const Invoice& invoice, table::Item& row);
    static Result<> settle(Invoice& invoice, const table::ItemView& row);
    bool operator==(const Invoice&) const = default;
};

bool is_invoice_id(std::string_view text);  // As a customer's id, and also "/" and "#".
inline constexpr const char* wanted_invoice_id =
    "must be 1 to 100 letters, digits or any of _ - . : @ / #";
// `bad_field` if it does not hold together.
Answer<> check_invoice(const Invoice& invoice);

// What the customer's row says of its invoices, with `before` taken out and `after` put in; either
// may be absent. Closes the cycle of reminders when nothing is overdue any more. `conflict` if the
// customer has too many that are open.
Answer<> replace_invoice(Customer& customer, const Invoice* before, const Invoice* after, Time now);

}  // namespace mailroom::reminders
