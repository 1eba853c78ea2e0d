// Payments: what was paid on an invoice, when, and who said so. They are never deleted; a wrong one
// is undone.
//
// MailroomReminders, PAYMENTS#{invoice_id} / {stamp}_{tail}: cents N, scale N, paid_ms N,
// recorded_ms N, source S, by S, by_id S; undone_ms N, undone_by S, undo_reason S.
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
    std::string id;
    std::int64_t cents = 0;    // Less than 0: a file said that less was paid.
    std::optional<Time> paid;  // None: nobody said when.
    Time recorded;
    std::string source;  // "payment", "status", "import", "opening"
    std::string by, by_id;
    std::optional<Time> undone;
    std::string undone_by, undo_reason;
};

// Adds the record of what `after` has more paid than `before`, which may be null; none if that is
// nothing. `now` is also when the customer's row is said to change.
void record_payment(schedule::Transaction& transaction, const Books& books, const Invoice* before,
                    const Invoice& after, std::string_view source, Time now, const Person& person);

// The oldest first, undone ones too; all that is not undone makes what is paid.
Result<std::vector<Payment>> payments_of(const Books& books, const Invoice& invoice);

// Marks it as undone. The transaction is refused if somebody did that already.
void mark_undone(schedule::Transaction& transaction, const Books& books, const Invoice& invoice,
                 Payment payment, std::string_view reason, Time now, const Person& person);

std::string payments_partition(std::string_view invoice_id);

}  // namespace mailroom::reminders
