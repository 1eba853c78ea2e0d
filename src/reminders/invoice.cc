#include "reminders/invoice.h"

#include "base/days.h"
#include "base/money.h"
#include "base/text.h"
#include "reminders/figures.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

using enum InvoiceStatus;

constexpr std::int64_t late_after_days = 7;

// Adds it with `sign` 1, takes it out with -1.
void count(Customer& customer, const Invoice& invoice, std::int64_t sign) {
    if (invoice.is_counted()) customer.invoices_total += sign;
    if (const auto late = invoice.late_days()) {
        customer.late_payments += sign;
        customer.late_days += sign * *late;
    }
}

bool is_before(const OpenInvoice& a, const OpenInvoice& b) {
    return a.due != b.due ? a.due < b.due : a.invoice_id < b.invoice_id;
}

}  // namespace

std::optional<InvoiceStatus> otherwise_named(InvoiceStatus, std::string_view name) {
    for (const auto& [status, its_name] : all_names<InvoiceStatus>) {
        if (ascii_equal_ignoring_case(name, its_name)) return status;
    }
    return std::nullopt;
}

bool may_follow(InvoiceStatus from, InvoiceStatus to) {
    switch (from) {
        case draft:
            return to == sent || to == cancelled;
        case sent:
            return to == paid || to == overdue || to == cancelled;
        case overdue:
            return to == paid || to == cancelled;
        case paid:
        case cancelled:
            break;
    }
    return false;
}

bool Invoice::is_open() const {
    return (status == InvoiceStatus::sent || status == InvoiceStatus::overdue) &&
           remaining_cents() > 0;
}

std::optional<std::int64_t> Invoice::late_days() const {
    if (status != InvoiceStatus::paid || !paid) return std::nullopt;
    const auto days = whole_days(due, *paid);
    return days > late_after_days ? std::optional(days) : std::nullopt;
}

void Invoice::derive(const Invoice& invoice, table::Item& row) { set_scale(row, invoice.currency); }

Result<> Invoice::settle(Invoice& invoice, const table::ItemView& row) {
    invoice.total_cents = scaled(row, invoice.total_cents, invoice.currency);
    invoice.paid_cents = scaled(row, invoice.paid_cents, invoice.currency);
    return Ok{};
}

bool is_invoice_id(std::string_view text) {
    std::string plain(text);
    std::ranges::replace_if(
        plain, [](char c) { return c == '/' || c == '#'; }, '-');
    return is_customer_id(plain);
}

Answer<> check_invoice(const Invoice& invoice) {
    if (!is_invoice_id(invoice.invoice_id)) {
        return Refusal::bad_field("invoice_id", std::string(wanted_invoice_id));
    }
    if (invoice.total_cents <= 0) return Refusal::bad_field("amount", "must be more than 0");
    if (invoice.paid_cents > invoice.total_cents) {
        return Refusal::bad_field("paid_amount", "must not be more than the amount");
    }
    if (invoice.status == paid && invoice.paid_cents != invoice.total_cents) {
        return Refusal::bad_field("paid_amount", "must be the whole amount of a PAID invoice");
    }
    return Ok{};
}

Answer<> replace_invoice(Customer& customer, const Invoice* before, const Invoice* after,
                         Time now) {
    auto& open = customer.open_invoices;
    const bool was_overdue = customer.figures(now).cents > 0;
    if (before != nullptr) {
        count(customer, *before, -1);
        std::erase_if(open,
                      [&](const OpenInvoice& one) { return one.invoice_id == before->invoice_id; });
    }
    if (after != nullptr) {
        count(customer, *after, 1);
        if (after->is_open()) {
            OpenInvoice added{after->invoice_id, after->due, after->remaining_cents()};
            if (after->hold) {
                added.hold = after->hold->kind;
                added.held_until = after->hold->until;
            }
            open.insert(std::ranges::lower_bound(open, added, is_before), added);
        }
    }
    if (open.size() > open_invoices_max) {
        return Refusal::conflict("too_many_open_invoices",
                                 "a customer may have 1000 open invoices at most");
    }
    if (was_overdue && customer.figures(now).cents == 0) {
        customer.past.close_cycle(now);
        customer.promised_until.reset();  // It was kept.
    }
    return Ok{};
}

}  // namespace mailroom::reminders
