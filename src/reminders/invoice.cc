#include "reminders/invoice.h"

#include "base/text.h"
#include "reminders/dates.h"
#include "reminders/money.h"
#include "reminders/row_fields.h"

#include <algorithm>
#include <array>

namespace mailroom::reminders {

namespace {

using enum InvoiceStatus;

constexpr std::array statuses = {draft, sent, overdue, paid, cancelled};
constexpr std::int64_t late_after_days = 7;

bool is_counted(const Invoice& invoice) {
    return invoice.status != draft && invoice.status != cancelled;
}

// Adds it with `sign` 1, takes it out with -1.
void count(Customer& customer, const Invoice& invoice, std::int64_t sign) {
    if (is_counted(invoice)) customer.invoices_total += sign;
    if (const auto late = invoice.late_days()) {
        customer.late_payments += sign;
        customer.late_days += sign * *late;
    }
}

bool is_before(const OpenInvoice& a, const OpenInvoice& b) {
    return a.due != b.due ? a.due < b.due : a.invoice_id < b.invoice_id;
}

}  // namespace

std::string_view name_of(InvoiceStatus status) {
    constexpr std::string_view names[] = {"DRAFT", "SENT", "OVERDUE", "PAID", "CANCELLED"};
    return names[static_cast<std::size_t>(status)];
}

std::optional<InvoiceStatus> invoice_status_named(std::string_view name) {
    for (const auto status : statuses) {
        if (ascii_equal_ignoring_case(name, name_of(status))) return status;
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

bool is_invoice_id(std::string_view text) {
    std::string plain(text);
    std::ranges::replace_if(
        plain, [](char c) { return c == '/' || c == '#'; }, '-');
    return is_customer_id(plain);
}

Answer<> check_invoice(const Invoice& invoice) {
    if (!is_invoice_id(invoice.invoice_id)) {
        return Refusal::bad_field("invoice_id",
                                  "must be 1 to 100 letters, digits or any of _ - . : @ / #");
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
            const OpenInvoice added{after->invoice_id, after->due, after->remaining_cents()};
            open.insert(std::ranges::lower_bound(open, added, is_before), added);
        }
    }
    if (open.size() > open_invoices_max) {
        return Refusal::conflict("too_many_open_invoices",
                                 "a customer may have 1000 open invoices at most");
    }
    if (was_overdue && customer.figures(now).cents == 0) customer.past.close_cycle(now);
    return Ok{};
}

table::Item invoice_key(std::string_view invoice_id) { return {{"invoice_id", invoice_id}}; }

table::Item invoice_item(const Invoice& invoice) {
    table::Item item{
        {"invoice_id", invoice.invoice_id},       {"customer_id", invoice.customer_id},
        {"status", name_of(invoice.status)},      {"currency", invoice.currency},
        {"total_cents", invoice.total_cents},     {"paid_cents", invoice.paid_cents},
        {"due_ms", to_unix_ms(invoice.due)},      {"created", to_unix_ms(invoice.created)},
        {"updated", to_unix_ms(invoice.updated)}, {"version", invoice.version}};
    if (invoice.paid) item.set("paid_ms", table::Value(to_unix_ms(*invoice.paid)));
    if (!invoice.payment_ids.empty()) item.set("payment_ids", texts_value(invoice.payment_ids));
    set_scale(item, invoice.currency);
    return item;
}

Result<Invoice> read_invoice(const table::ItemView& item) {
    const RowFields row(item);
    Invoice invoice;
    invoice.invoice_id = row.text("invoice_id");
    const auto status = invoice_status_named(row.text("status"));
    const auto due = row.time("due_ms");
    if (invoice.invoice_id.empty() || !status || !due) {
        return Error{Errc::corrupt,
                     "the row of invoice " + invoice.invoice_id + " is not one of ours"};
    }
    invoice.customer_id = row.text("customer_id");
    invoice.status = *status;
    invoice.currency = row.text("currency");
    invoice.total_cents = row.scaled(row.number("total_cents"), invoice.currency);
    invoice.paid_cents = row.scaled(row.number("paid_cents"), invoice.currency);
    invoice.due = *due;
    invoice.paid = row.time("paid_ms");
    invoice.payment_ids = row.texts("payment_ids");
    invoice.created = from_unix_ms(row.number("created"));
    invoice.updated = from_unix_ms(row.number("updated"));
    invoice.version = row.number("version");
    return invoice;
}

}  // namespace mailroom::reminders
