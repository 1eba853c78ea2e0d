#include "reminders/payments.h"

#include "base/hex.h"
#include "reminders/dates.h"
#include "reminders/row_fields.h"
#include "table/query_builder.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr std::size_t tail_bytes = 4;  // Payments of one second differ in these.

table::Item row_of(const Invoice& invoice, const Payment& payment) {
    table::Item row{{"PK", payments_partition(invoice.invoice_id)},
                    {"SK", payment.id},
                    {"cents", payment.cents},
                    {"recorded_ms", to_unix_ms(payment.recorded)},
                    {"source", payment.source},
                    {"by", payment.by}};
    const auto set = [&](const char* name, const std::string& text) {
        if (!text.empty()) row.set(name, table::Value(text));
    };
    set("by_id", payment.by_id);
    set("undone_by", payment.undone_by);
    set("undo_reason", payment.undo_reason);
    if (payment.paid) row.set("paid_ms", table::Value(to_unix_ms(*payment.paid)));
    if (payment.undone) row.set("undone_ms", table::Value(to_unix_ms(*payment.undone)));
    set_scale(row, invoice.currency);
    return row;
}

Payment read_payment(const RowFields& row, const Invoice& invoice) {
    Payment payment;
    payment.id = row.text("SK");
    payment.cents = row.scaled(row.number("cents"), invoice.currency);
    payment.paid = row.time("paid_ms");
    payment.recorded = from_unix_ms(row.number("recorded_ms"));
    payment.source = row.text("source");
    payment.by = row.text("by");
    payment.by_id = row.text("by_id");
    payment.undone = row.time("undone_ms");
    payment.undone_by = row.text("undone_by");
    payment.undo_reason = row.text("undo_reason");
    return payment;
}

}  // namespace

std::string payments_partition(std::string_view invoice_id) {
    return "PAYMENTS#" + std::string(invoice_id);
}

void record_payment(schedule::Transaction& transaction, const Books& books, const Invoice* before,
                    const Invoice& after, std::string_view source, Time now, const Person& person) {
    Payment payment;
    payment.cents = after.paid_cents - (before != nullptr ? before->paid_cents : 0);
    if (payment.cents == 0) return;
    payment.id = stamp_of(now) + "_" + hex_encode(random_bytes(books.random, tail_bytes));
    payment.paid = after.paid;
    payment.recorded = now;
    payment.source = source;
    payment.by = person.name;
    payment.by_id = person.id;
    transaction.put(books.tables.reminders, row_of(after, payment)).if_absent("PK");
}

Result<std::vector<Payment>> payments_of(const Books& books, const Invoice& invoice) {
    std::vector<Payment> payments;
    std::int64_t recorded = 0;
    std::optional<table::Item> after;
    do {
        auto page =
            TRY(books.store.query(table::from(books.tables.reminders)
                                      .partition("PK", payments_partition(invoice.invoice_id))
                                      .after(std::move(after))
                                      .consistent()));
        for (const auto& row : page.items) {
            payments.push_back(read_payment(row, invoice));
            if (!payments.back().undone) recorded += payments.back().cents;
        }
        after = std::move(page.last_key);
    } while (after);
    std::ranges::stable_sort(payments, {}, &Payment::recorded);
    if (recorded == invoice.paid_cents) return payments;
    Payment opening;
    opening.id = opening_payment;
    opening.cents = invoice.paid_cents - recorded;
    opening.paid = invoice.paid;
    opening.recorded = invoice.created;
    opening.source = opening_payment;
    payments.insert(payments.begin(), std::move(opening));
    return payments;
}

void mark_undone(schedule::Transaction& transaction, const Books& books, const Invoice& invoice,
                 Payment payment, std::string_view reason, Time now, const Person& person) {
    payment.undone = now;
    payment.undone_by = person.name;
    payment.undo_reason = reason;
    transaction.put(books.tables.reminders, row_of(invoice, payment)).if_absent("undone_ms");
}

}  // namespace mailroom::reminders
