#include "reminders/payments.h"

#include "base/days.h"
#include "base/hex.h"
#include "reminders/figures.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr std::size_t tail_bytes = 4;  // Payments of one second differ in these.

}  // namespace

void Payment::derive(const Payment& payment, table::Item& row) {
    row.set("PK", table::Value(payments_partition(payment.invoice_id)));
    set_scale(row, payment.currency);
}

std::string payments_partition(std::string_view invoice_id) {
    return "PAYMENTS#" + std::string(invoice_id);
}

void record_payment(schedule::Transaction& transaction, const Books& books, const Invoice* before,
                    const Invoice& after, std::string_view source, Time now,
                    const program::Actor& person) {
    const auto cents = after.paid_cents - (before != nullptr ? before->paid_cents : 0);
    if (cents == 0) return;
    const Payment payment{
        .invoice_id = after.invoice_id,
        .currency = after.currency,
        .id = stamp_of(now) + "_" + hex_encode(random_bytes(books.random, tail_bytes)),
        .cents = cents,
        .paid = after.paid,
        .recorded = now,
        .source = std::string(source),
        .by = person.name,
        .by_id = person.id};
    transaction.put(books.tables.reminders, table::to_item(payment)).if_absent("PK");
}

Result<std::vector<Payment>> payments_of(const Books& books, const Invoice& invoice) {
    std::vector<Payment> payments;
    std::int64_t recorded = 0;
    const auto rows = TRY(
        table::query_all(books.store, table::from(books.tables.reminders)
                                          .partition("PK", payments_partition(invoice.invoice_id))
                                          .consistent()));
    for (const auto& row : rows) {
        auto& payment = payments.emplace_back(TRY(table::from_item<Payment>(row)));
        payment.invoice_id = invoice.invoice_id;
        payment.currency = invoice.currency;
        payment.cents = scaled(row, payment.cents, invoice.currency);
        if (!payment.undone) recorded += payment.cents;
    }
    std::ranges::stable_sort(payments, {}, &Payment::recorded);
    if (recorded == invoice.paid_cents) return payments;
    payments.insert(payments.begin(), {.invoice_id = invoice.invoice_id,
                                       .currency = invoice.currency,
                                       .id = std::string(opening_payment),
                                       .cents = invoice.paid_cents - recorded,
                                       .paid = invoice.paid,
                                       .recorded = invoice.created,
                                       .source = std::string(opening_payment)});
    return payments;
}

void mark_undone(schedule::Transaction& transaction, const Books& books, Payment payment,
                 std::string_view reason, Time now, const program::Actor& person) {
    payment.undone = now;
    payment.undone_by = person.name;
    payment.undo_reason = reason;
    transaction.put(books.tables.reminders, table::to_item(payment)).if_absent("undone_ms");
}

}  // namespace mailroom::reminders
