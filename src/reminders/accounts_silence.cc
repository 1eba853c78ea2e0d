// What keeps customers from being reminded for a while.
#include "base/days.h"
#include "reminders/accounts_change.h"
#include "reminders/audit.h"

#include <chrono>

namespace mailroom::reminders {

namespace {

// Whether nobody is to hear anything until then.
Answer<> check_silence(std::optional<Time> until, Time now) {
    if (!until) return Ok{};
    if (*until <= now) return Refusal::bad_field("until", "must be later than now");
    if (*until > now + std::chrono::days(silence_days_max)) {
        return Refusal::bad_field("until", "must be within a year");
    }
    return Ok{};
}

std::string until_text(std::optional<Time> until) {
    return until ? " by " + format_day_or_time(*until) : "";
}

}  // namespace

Answer<Invoice> Accounts::hold(const std::string& invoice_id, const HoldWish& wish,
                               const program::Actor& person) {
    const auto now = books_.clock.now();
    TRY(check_silence(wish.until, now));
    if (wish.reason.empty() || wish.reason.size() > hold_reason_bytes_max) {
        return Refusal::bad_field("reason", "must be 1 to 500 bytes of text");
    }
    return with_invoice(invoice_id, [&](InHand& it) -> Answer<> {
        if (!it.invoice.is_open()) {
            return Refusal::conflict("not_open", "nothing is to be paid on an invoice that is " +
                                                     std::string(name_of(it.invoice.status)));
        }
        it.invoice.hold = Hold{wish.kind, wish.until, wish.reason, person.name, now};
        TRY(replace_invoice(it.customer, &it.before, &it.invoice, now));
        books_.audit.add(it.transaction, person,
                         {.customer_id = it.invoice.customer_id,
                          .what = "invoice_" + std::string(name_of(wish.kind)),
                          .detail = invoice_id + until_text(wish.until) + ": " + wish.reason});
        return Ok{};
    });
}

Answer<Invoice> Accounts::release(const std::string& invoice_id, const program::Actor& person) {
    return with_invoice(invoice_id, [&](InHand& it) -> Answer<> {
        const auto now = books_.clock.now();
        if (!it.invoice.hold || !it.invoice.hold->holds(now)) {
            return Refusal::conflict("not_held", "nothing keeps reminders of it back");
        }
        it.invoice.hold.reset();
        TRY(replace_invoice(it.customer, &it.before, &it.invoice, now));
        books_.audit.add(it.transaction, person,
                         {.customer_id = it.invoice.customer_id,
                          .what = "invoice_released",
                          .detail = invoice_id});
        return Ok{};
    });
}

Answer<Customer> Accounts::promise(const std::string& customer_id, const Promise& promise,
                                   const program::Actor& person) {
    TRY(check_silence(promise.until, books_.clock.now()));
    if (promise.note.size() > hold_reason_bytes_max) {
        return Refusal::bad_field("note", "must be at most 500 bytes of text");
    }
    return with_customer(
        customer_id, [&](schedule::Transaction& together, Customer& customer) -> Answer<> {
            if (customer.open_invoices.empty()) {
                return Refusal::conflict("nothing_open", "there is nothing that could be paid");
            }
            customer.promised_until = books_.calendar.end_of(promise.until, customer.time_zone);
            books_.audit.add(together, person,
                             {.customer_id = customer_id,
                              .what = "promised",
                              .detail = "to pay" + until_text(promise.until) +
                                        (promise.note.empty() ? "" : ": " + promise.note)});
            return Ok{};
        });
}

Answer<Customer> Accounts::end_promise(const std::string& customer_id,
                                       const program::Actor& person) {
    return with_customer(
        customer_id, [&](schedule::Transaction& together, Customer& customer) -> Answer<> {
            if (!customer.promised_until) {
                return Refusal::conflict("not_promised", "the customer promised nothing");
            }
            customer.promised_until.reset();
            books_.audit.add(together, person,
                             {.customer_id = customer_id, .what = "promise_ended"});
            return Ok{};
        });
}

}  // namespace mailroom::reminders
