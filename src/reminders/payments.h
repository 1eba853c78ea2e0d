// Payments: what was paid on an invoice, when, and who said so. They are never deleted; a wrong one
// is undone.
//
// MailroomReminders, PAYMENTS#{invoice_id} / {stamp}_{tail}.
#pragma once

#include "reminders/books.h"
#include "reminders/invoice.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

// What was paid before payments were recorded, as one. It has a row only once it is undone.
inline constexpr std::string_view opening_payment = "opening";

struct Payment {
    std::string invoice_id, currency;  // Not kept: those of the invoice.
    std::string id;
    std::int64_t cents = 0;    // Less than 0: a file said that less was paid.
    std::optional<Time> paid;  // None: nobody said when.
    Time recorded;
    std::string source;  // "payment", "status", "import", "opening"
    std::string by = {}, by_id = {};
    std::optional<Time> undone = std::nullopt;
    std::string undone_by = {}, undo_reason = {};

    Amount amount() const { return {cents, currency}; }

    static constexpr std::string_view record_name = "Payment";
    static constexpr auto fields =
        std::tuple{must_have("SK", "payment_id", &Payment::id),
                   stored("cents", &Payment::cents),
                   spelled<table::DayOrTime>(kept("paid_ms", "paid_date", &Payment::paid)),
                   kept("recorded_ms", "recorded_at", &Payment::recorded),
                   kept("source", &Payment::source),
                   kept_if_any("by", &Payment::by),
                   stored_if_any("by_id", &Payment::by_id),
                   kept("undone_ms", "undone_at", &Payment::undone),
                   kept_if_any("undone_by", &Payment::undone_by),
                   kept_if_any("undo_reason", &Payment::undo_reason),
                   shown("amount", &Payment::amount),
                   shown("currency", &Payment::currency)};
    static void derive(const Payment& payment, table::Item& row);
};

// Adds the record of what `after` has more paid than `before`, which may be null; none if that is
// nothing. `now` is also when the customer's row is said to change.
void record_payment(schedule::Transaction& transaction, const Books& books, const Invoice* before,
                    const Invoice& after, std::string_view source, Time now,
                    const program::Actor& person);

// The oldest first, undone ones too; all that is not undone makes what is paid.
Result<std::vector<Payment>> payments_of(const Books& books, const Invoice& invoice);

// Marks it as undone. The transaction is refused if somebody did that already.
void mark_undone(schedule::Transaction& transaction, const Books& books, Payment payment,
                 std::string_view reason, Time now, const program::Actor& person);

std::string payments_partition(std::string_view invoice_id);

}  // namespace mailroom::reminders
