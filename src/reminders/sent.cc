#include "reminders/sent.h"

#include "base/log.h"
#include "base/text.h"
#include "base/time_format.h"
#include "reminders/customer.h"
#include "reminders/dates.h"
#include "reminders/list_cursor.h"
#include "reminders/row_fields.h"
#include "table/query_builder.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace mailroom::reminders {

namespace {

constexpr std::array delivery_statuses = {DeliveryStatus::sent, DeliveryStatus::delivered,
                                          DeliveryStatus::bounced, DeliveryStatus::complained};

Result<table::Item> parse_cursor(const std::string& cursor, bool of_index) {
    const auto texts = TRY(parse_list_cursor(cursor, 3));
    const auto &sent = texts[0], &customer = texts[1], &record = texts[2];
    if (!customer.starts_with("CUSTOMER#") || !record.starts_with("SENT#")) {
        return wrong_list_cursor();
    }
    table::Item key{{"PK", customer}, {"SK", record}};
    if (!of_index) return key;
    if (!parse_rfc3339(sent)) return wrong_list_cursor();
    key.set("GSI1PK", table::Value("STATUS#sent"));
    key.set("GSI1SK", table::Value(sent));
    return key;
}

// "20250921_150000_first", and maybe a suffix.
std::optional<ReminderType> type_in_key(std::string_view key) {
    for (const auto type : all_types) {
        if (key.find("_" + std::string(name_of(type))) != key.npos) return type;
    }
    return std::nullopt;
}

// "{customer}:{number}"; 0 for any other text.
std::int64_t cycle_in(std::string_view text) {
    const auto digits = text.substr(text.rfind(':') + 1);
    std::int64_t cycle = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), cycle);
    return cycle;
}

}  // namespace

std::string_view name_of(DeliveryStatus status) {
    constexpr std::string_view names[] = {"sent", "delivered", "bounced", "complained"};
    return names[static_cast<std::size_t>(status)];
}

std::optional<DeliveryStatus> delivery_status_named(std::string_view name) {
    const auto found = std::ranges::find(delivery_statuses, name,
                                         [](DeliveryStatus status) { return name_of(status); });
    return found == delivery_statuses.end() ? std::nullopt : std::optional(*found);
}

std::string sent_key_of(Time sent, ReminderType type) {
    return stamp_of(sent) + "_" + std::string(name_of(type));
}

table::Item sent_row_key(std::string_view customer_id, std::string_view key) {
    return {{"PK", "CUSTOMER#" + std::string(customer_id)}, {"SK", "SENT#" + std::string(key)}};
}

table::Item sent_item(const SentRecord& record) {
    const auto sent = format_rfc3339_seconds(record.sent);
    return {{"PK", "CUSTOMER#" + record.customer_id},
            {"SK", "SENT#" + record.key},
            {"GSI1PK", "STATUS#sent"},
            {"GSI1SK", sent},
            {"customer_id", record.customer_id},
            {"reminder_type", name_of(record.type)},
            {"email_subject", record.subject},
            {"email_content", record.text},
            {"status", "sent"},
            {"sent_date", sent},
            {"sent_ms", to_unix_ms(record.sent)},
            {"approved_by", record.approved_by},
            {"ses_message_id", record.message_id},
            {"delivery_status", name_of(record.delivery)},
            {"draft_id", record.draft_id},
            {"to_address", record.to_address},
            {"mail_id", record.mail_id},
            {"invoice_ids", texts_value(record.figures.invoice_ids)},
            {"amount", decimal_value(record.figures.cents, record.figures.currency)},
            {"currency", record.figures.currency},
            {"cycle_id", record.customer_id + ":" + std::to_string(record.cycle)},
            {"expires_at", to_unix_seconds(record.sent + sent_kept_for)}};
}

Result<SentRecord> read_sent(const table::ItemView& item) {
    const RowFields row(item);
    SentRecord record;
    const auto key = row.text("SK"), partition = row.text("PK");
    if (!key.starts_with("SENT#") || !partition.starts_with("CUSTOMER#")) {
        return Error{Errc::corrupt, "the record " + key + " cannot be read"};
    }
    record.key = key.substr(5);
    auto type = reminder_type_named(row.text("reminder_type"));
    if (!type) type = type_in_key(record.key);
    auto sent = parse_others_time(row.text("sent_date"));
    if (!sent) sent = time_of_stamp(record.key);
    if (!type || !sent) return Error{Errc::corrupt, "the record " + key + " cannot be read"};
    const auto delivery = delivery_status_named(ascii_lower(row.text("delivery_status")));
    record.customer_id = partition.substr(9);
    record.type = *type;
    record.subject = row.text("email_subject");
    record.text = row.text("email_content");
    record.sent = from_unix_ms(row.number("sent_ms", to_unix_ms(*sent)));
    record.approved_by = row.text("approved_by");
    record.message_id = row.text("ses_message_id");
    record.delivery = delivery.value_or(DeliveryStatus::sent);
    record.draft_id = row.text("draft_id");
    record.to_address = row.text("to_address");
    record.mail_id = row.text("mail_id");
    record.figures = {0, row.text("currency"), row.texts("invoice_ids")};
    record.figures.cents = row.cents("amount", record.figures.currency);
    record.cycle = cycle_in(row.text("cycle_id"));
    return record;
}

Result<std::vector<SentRecord>> newest_sent(const Books& books, const std::string& customer_id) {
    constexpr std::int64_t looked_at_max = 100;
    const auto rows = TRY(books.store.query(table::from(books.tables.tracking)
                                                .partition("PK", "CUSTOMER#" + customer_id)
                                                .begins_with("SK", "SENT#")
                                                .newest_first()
                                                .limit(looked_at_max)
                                                .consistent()));
    std::vector<SentRecord> records;
    for (const auto& row : rows.items) {
        auto record = read_sent(row);
        if (record) records.push_back(*std::move(record));
        if (!record) log::warn("a record does not count", {{"reason", record.error().message}});
    }
    return records;
}

Result<SentPage> list_sent(const Books& books, const SentFilter& filter, std::size_t limit,
                           const std::optional<std::string>& after) {
    auto query = table::from(books.tables.tracking);
    query.limit(static_cast<std::int64_t>(limit));
    if (filter.customer_id) {
        // '~' comes after every character of a key.
        query.partition("PK", "CUSTOMER#" + *filter.customer_id)
            .between("SK", "SENT#" + stamp_of(filter.from), "SENT#" + stamp_of(filter.to) + "~");
    } else {
        query.index("GSI1")
            .partition("GSI1PK", "STATUS#sent")
            .between("GSI1SK", format_rfc3339_seconds(filter.from),
                     format_rfc3339_seconds(filter.to));
    }
    if (after) query.after(TRY(parse_cursor(*after, !filter.customer_id)));
    const auto rows = TRY(books.store.query(query));
    SentPage page;
    for (const auto& row : rows.items) {
        auto record = read_sent(row);
        if (record) page.records.push_back(*std::move(record));
        // Other programs write to this table, too: one odd row must not hide all others.
        if (!record) log::warn("a record is left out", {{"reason", record.error().message}});
    }
    if (rows.last_key) {
        const RowFields key(*rows.last_key);
        page.next = list_cursor({key.text("GSI1SK"), key.text("PK"), key.text("SK")});
    }
    return page;
}

}  // namespace mailroom::reminders
