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
std::string_view name_of(DeliveryStatus status);
std::optional<DeliveryStatus> delivery_status_named(std::string_view name);

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
};

struct SentPage {
    std::vector<SentRecord> records;
    std::optional<std::string> next;
};

std::string sent_key_of(Time sent, ReminderType type);
table::Item sent_row_key(std::string_view customer_id, std::string_view key);
table::Item sent_item(const SentRecord& record);
// Of ours, or of another program: type and time may also be read from the key alone. A time is all
// that a record cannot be without.
Result<SentRecord> read_sent(const table::ItemView& row);
// The newest of a customer, whoever wrote them, at most a hundred.
Result<std::vector<SentRecord>> newest_sent(const Books& books, const std::string& customer_id);

// The oldest first. Both ends belong to it; `invalid` if `after` is not what a page said.
struct SentFilter {
    std::optional<std::string> customer_id;
    Time from, to;
};
Result<SentPage> list_sent(const Books& books, const SentFilter& filter, std::size_t limit,
                           const std::optional<std::string>& after);

}  // namespace mailroom::reminders
