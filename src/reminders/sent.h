// The records of what was sent.
//
// EmailTrackingTable, CUSTOMER#{customer_id} / SENT#{stamp}_{type}: the seed's attributes
// customer_id, reminder_type, email_subject, email_content, status ("sent"), sent_date,
// approved_by, ses_message_id, delivery_status; ours are draft_id, to_address, invoice_ids, amount,
// currency, cycle_id, mail_id, sent_ms.
#pragma once

#include "reminders/books.h"
#include "reminders/draft.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

enum class DeliveryStatus { sent, delivered, bounced, complained };
constexpr auto names_of(DeliveryStatus) {
    return std::array{
        Name{DeliveryStatus::sent, "sent"}, Name{DeliveryStatus::delivered, "delivered"},
        Name{DeliveryStatus::bounced, "bounced"}, Name{DeliveryStatus::complained, "complained"}};
}

inline constexpr auto currency_of = [](auto& record) -> auto& { return record.figures.currency; };
inline constexpr auto invoices_of = [](auto& record) -> auto& {
    return record.figures.invoice_ids;
};

struct SentRecord {
    std::string key;  // What comes after "SENT#".
    std::string customer_id;
    ReminderType type = ReminderType::first;
    std::string subject, text;
    Time sent;
    std::string approved_by;
    std::string message_id;  // In ses_message_id.
    DeliveryStatus delivery = DeliveryStatus::sent;
    std::string draft_id, to_address, mail_id;
    Figures figures;
    std::int64_t cycle = 0;

    std::string status() const { return "sent"; }
    Amount amount() const { return figures.amount(); }
    std::string cycle_id() const { return customer_id + ":" + std::to_string(cycle); }
    Time expires() const { return sent + sent_kept_for; }

    static constexpr std::string_view record_name = "SentReminder";
    static constexpr auto fields =
        std::tuple{kept("customer_id", &SentRecord::customer_id),
                   must_have("reminder_type", &SentRecord::type),
                   kept("email_subject", &SentRecord::subject),
                   kept("email_content", &SentRecord::text),
                   kept("status", &SentRecord::status),
                   spelled<OthersTime>(must_have("sent_date", &SentRecord::sent)),
                   stored("sent_ms", &SentRecord::sent),
                   kept("approved_by", &SentRecord::approved_by),
                   kept("ses_message_id", &SentRecord::message_id, "The mail's Message-ID."),
                   kept("delivery_status", &SentRecord::delivery),
                   kept("draft_id", &SentRecord::draft_id),
                   kept("to_address", &SentRecord::to_address),
                   kept("mail_id", &SentRecord::mail_id),
                   kept("amount", &SentRecord::amount),
                   kept("currency", currency_of),
                   kept("invoice_ids", invoices_of),
                   stored("cycle_id", &SentRecord::cycle_id),
                   spelled<table::InSeconds>(stored("expires_at", &SentRecord::expires))};
    static void derive(const SentRecord& record, table::Item& row);
    // Of another program's: type and time may also be read from the key alone. A time is all that a
    // record cannot be without.
    static void complete(table::Item& row);
    static Result<> settle(SentRecord& record, const table::ItemView& row);
};

std::string sent_key_of(Time sent, ReminderType type);
table::Item sent_row_key(std::string_view customer_id, std::string_view key);
// The newest of a customer, whoever wrote them, at most a hundred.
Result<std::vector<SentRecord>> newest_sent(const Books& books, const std::string& customer_id);

// Which of them: of the last year, if nothing is said. Both ends belong to it.
struct SentFilter {
    std::optional<std::string> customer_id;
    std::optional<Time> from, to;

    static constexpr auto fields =
        std::tuple{asked("customer_id", &SentFilter::customer_id),
                   spelled<table::FromDayOrTime>(
                       asked("from", &SentFilter::from, "The last year, if it is not said.")),
                   spelled<table::DayOrTime>(asked("to", &SentFilter::to))};
    static void check(const SentFilter& filter, table::Reading& reading);
};
// The oldest first. `invalid` if `after` is not what a page said; `bad_field` for an end before the
// beginning.
Answer<table::Slice<SentRecord>> list_sent(const Books& books, const SentFilter& filter,
                                           const table::PageWish& wish);

}  // namespace mailroom::reminders
