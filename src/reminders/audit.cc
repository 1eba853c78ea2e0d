#include "reminders/audit.h"

#include "base/base64.h"
#include "base/hex.h"
#include "base/text.h"
#include "base/time_format.h"
#include "reminders/dates.h"
#include "table/query_builder.h"

namespace mailroom::reminders {

namespace {

constexpr std::size_t detail_bytes_max = 2000;
constexpr std::size_t tail_bytes = 8;  // Entries of one millisecond differ in these.

std::string partition_of(std::string_view customer_id) {
    return "AUDIT#" + std::string(customer_id);
}

AuditEntry read_entry(const table::ItemView& row) {
    const auto text = [&](const char* name) { return std::string(row.text(name).value_or("")); };
    AuditEntry entry{.customer_id = text("customer_id"),
                     .what = text("what"),
                     .by = text("by"),
                     .by_id = text("by_id"),
                     .draft_id = text("draft_id"),
                     .detail = text("detail")};
    entry.at = from_unix_ms(row.integer("at").value_or(0));
    return entry;
}

// Where a list goes on.  text := base64url( PK " " SK )
Result<table::Item> parse_cursor(const std::string& cursor) {
    const auto text = base64url_decode(cursor);
    const auto space = text ? text->find(' ') : std::string::npos;
    if (space == std::string::npos || !text->starts_with("AUDIT#") || space + 1 == text->size()) {
        return Error{Errc::invalid, "`after` is not what a page of this list said"};
    }
    return table::Item{{"PK", text->substr(0, space)}, {"SK", text->substr(space + 1)}};
}

AuditPage page_of(const table::Page& rows) {
    AuditPage page;
    for (const auto& row : rows.items) page.entries.push_back(read_entry(row));
    if (rows.last_key) {
        page.next = base64url_encode(std::string(rows.last_key->text("PK").value_or("")) + " " +
                                     std::string(rows.last_key->text("SK").value_or("")));
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
