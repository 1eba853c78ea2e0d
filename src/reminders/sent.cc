#include "reminders/sent.h"

#include "base/days.h"
#include "base/text.h"
#include "base/time_format.h"
#include "reminders/customer.h"
#include "table/query_builder.h"

#include <algorithm>
#include <charconv>

namespace mailroom::reminders {

namespace {

constexpr std::string_view key_prefix = "SENT#", customer_prefix = "CUSTOMER#";

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

std::string sent_key_of(Time sent, ReminderType type) {
    return stamp_of(sent) + "_" + std::string(name_of(type));
}

table::Item sent_row_key(std::string_view customer_id, std::string_view key) {
    return {{"PK", "CUSTOMER#" + std::string(customer_id)}, {"SK", "SENT#" + std::string(key)}};
}

void SentRecord::derive(const SentRecord& record, table::Item& row) {
    const auto key = sent_row_key(record.customer_id, record.key);
    for (const auto& field : key.view()) row.set(field.name, field.value);
    row.set("GSI1PK", "STATUS#sent");
    row.set("GSI1SK", format_rfc3339_seconds(record.sent));
}

void SentRecord::complete(table::Item& row) {
    const auto text = [&row](const char* name) { return std::string(row.text(name).value_or("")); };
    const auto partition = text("PK"), key = text("SK");
    if (!key.starts_with(key_prefix) || !partition.starts_with(customer_prefix)) return;
    row.set("customer_id", partition.substr(customer_prefix.size()));
    row.set("delivery_status", ascii_lower(text("delivery_status")));
    if (!named<ReminderType>(text("reminder_type"))) {
        if (const auto type = type_in_key(key)) row.set("reminder_type", name_of(*type));
    }
    if (!parse_others_time(text("sent_date"))) {
        const auto sent = time_of_stamp(std::string_view(key).substr(key_prefix.size()));
        if (sent) row.set("sent_date", format_rfc3339_seconds(*sent));
    }
}

Result<> SentRecord::settle(SentRecord& record, const table::ItemView& row) {
    const auto key = row.text("SK").value_or("");
    if (!key.starts_with(key_prefix) || !row.text("PK").value_or("").starts_with(customer_prefix)) {
        return Error{Errc::corrupt, "the record " + std::string(key) + " cannot be read"};
    }
    record.key = key.substr(key_prefix.size());
    record.figures.cents = cents_in(row, "amount", record.figures.currency);
    record.cycle = cycle_in(row.text("cycle_id").value_or(""));
    return Ok{};
}

Result<std::vector<SentRecord>> newest_sent(const Books& books, const std::string& customer_id) {
    constexpr std::size_t looked_at_max = 100;
    const table::Query query = table::from(books.tables.tracking)
                                   .partition("PK", "CUSTOMER#" + customer_id)
                                   .begins_with("SK", "SENT#")
                                   .newest_first()
                                   .consistent();
    auto newest =
        TRY(books.page(query, {.limit = looked_at_max, .after = {}}, table::from_item<SentRecord>));
    return std::move(newest.items);
}

void SentFilter::check(const SentFilter& filter, table::Reading& reading) {
    if (filter.from && filter.to && *filter.from > *filter.to) {
        reading.wrong_member("from", "must not be later than to");
    }
    if (filter.customer_id && !is_customer_id(*filter.customer_id)) {
        reading.wrong_member("customer_id", "is no id");
    }
}

Answer<table::Slice<SentRecord>> list_sent(const Books& books, const SentFilter& filter,
                                           const table::PageWish& wish) {
    const auto now = books.clock.now();
    const auto from = filter.from.value_or(now - sent_kept_for), to = filter.to.value_or(now);
    if (from > to) return BadField{"from", "must not be later than to"};
    auto query = table::from(books.tables.tracking);
    if (filter.customer_id) {
        // '~' comes after every character of a key.
        query.partition("PK", "CUSTOMER#" + *filter.customer_id)
            .between("SK", "SENT#" + stamp_of(from), "SENT#" + stamp_of(to) + "~");
    } else {
        query.index("GSI1")
            .partition("GSI1PK", "STATUS#sent")
            .between("GSI1SK", format_rfc3339_seconds(from), format_rfc3339_seconds(to));
    }
    return TRY(books.page(table::Query(query), wish, table::from_item<SentRecord>));
}

}  // namespace mailroom::reminders
