#include "reminders/audit.h"

#include "base/hex.h"
#include "base/text.h"
#include "base/time_format.h"
#include "reminders/dates.h"
#include "reminders/list_cursor.h"
#include "reminders/row_fields.h"
#include "table/query_builder.h"

namespace mailroom::reminders {

namespace {

constexpr std::size_t detail_bytes_max = 2000;
constexpr std::size_t tail_bytes = 8;  // Entries of one millisecond differ in these.

std::string partition_of(std::string_view customer_id) {
    return "AUDIT#" + std::string(customer_id);
}

AuditEntry read_entry(const RowFields& row) {
    AuditEntry entry{.customer_id = row.text("customer_id"),
                     .what = row.text("what"),
                     .by = row.text("by"),
                     .by_id = row.text("by_id"),
                     .draft_id = row.text("draft_id"),
                     .detail = row.text("detail")};
    entry.at = from_unix_ms(row.number("at"));
    if (const auto before = row.map("before")) {
        entry.before = {before->text("subject"), before->text("content"), before->text("html")};
    }
    return entry;
}

Result<table::Item> parse_cursor(const std::string& cursor) {
    const auto texts = TRY(parse_list_cursor(cursor, 2));
    if (!texts[0].starts_with("AUDIT#") || texts[1].empty()) return wrong_list_cursor();
    return table::Item{{"PK", texts[0]}, {"SK", texts[1]}};
}

AuditPage page_of(const table::Page& rows) {
    AuditPage page;
    for (const auto& row : rows.items) page.entries.push_back(read_entry(row));
    if (rows.last_key) {
        const RowFields key(*rows.last_key);
        page.next = list_cursor({key.text("PK"), key.text("SK")});
    }
    return page;
}

}  // namespace

void add_audit(schedule::Transaction& transaction, const Books& books, AuditEntry entry) {
    const auto now = books.clock.now();
    table::Item row{
        {"PK", partition_of(entry.customer_id)},
        {"SK", format_rfc3339(now) + "#" + hex_encode(random_bytes(books.random, tail_bytes))},
        {"day", format_day(now)},
        {"at", to_unix_ms(now)},
        {"customer_id", entry.customer_id},
        {"what", entry.what},
        {"by", entry.by}};
    const auto set = [&](const char* name, std::string_view value) {
        if (!value.empty()) row.set(name, table::Value(truncate_utf8(value, detail_bytes_max)));
    };
    set("by_id", entry.by_id);
    set("draft_id", entry.draft_id);
    set("detail", entry.detail);
    if (const auto& before = entry.before) {
        const table::Item letter{
            {"subject", before->subject}, {"content", before->text}, {"html", before->html}};
        row.set("before", table::Value::map(letter));
    }
    transaction.put(books.tables.reminders, std::move(row));
}

Result<AuditPage> audit_of_customer(const Books& books, const std::string& customer_id,
                                    std::size_t limit, const std::optional<std::string>& after) {
    auto query = table::from(books.tables.reminders);
    query.partition("PK", partition_of(customer_id)).limit(static_cast<std::int64_t>(limit));
    if (after) query.after(TRY(parse_cursor(*after)));
    const auto rows = TRY(books.store.query(query));
    return page_of(rows);
}

Result<AuditPage> audit_of_day(const Books& books, const std::string& day, std::size_t limit,
                               const std::optional<std::string>& after) {
    auto query = table::from(books.tables.reminders);
    query.index("DayIndex").partition("day", day).limit(static_cast<std::int64_t>(limit));
    if (after) {
        auto key = TRY(parse_cursor(*after));
        key.set("day", table::Value(day));
        query.after(std::move(key));
    }
    const auto rows = TRY(books.store.query(query));
    return page_of(rows);
}

}  // namespace mailroom::reminders
