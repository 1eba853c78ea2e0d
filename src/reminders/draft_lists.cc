// Finding drafts.
#include "base/base64.h"
#include "base/log.h"
#include "base/time_format.h"
#include "reminders/dates.h"
#include "reminders/drafts.h"
#include "table/query_builder.h"

namespace mailroom::reminders {

namespace {

Refusal expired(const std::string& draft_id) {
    return {Refusal::Kind::gone, "expired", "the draft " + draft_id + " has expired"};
}

// Where a list goes on.  text := base64url( created_date " " customer " " draft )
std::string cursor_of(const table::Item& key) {
    const auto text = [&](const char* name) { return std::string(key.text(name).value_or("")); };
    return base64url_encode(text("GSI1SK") + " " + text("PK") + " " + text("SK"));
}

Result<table::Item> parse_cursor(const std::string& cursor, DraftStatus status) {
    const Error wrong{Errc::invalid, "`after` is not what a page of this list said"};
    const auto text = base64url_decode(cursor);
    const auto first = text ? text->find(' ') : std::string::npos;
    const auto second = first == std::string::npos ? first : text->find(' ', first + 1);
    if (second == std::string::npos) return wrong;
    table::Item key{{"GSI1PK", index_status(status)},
                    {"GSI1SK", text->substr(0, first)},
                    {"PK", text->substr(first + 1, second - first - 1)},
                    {"SK", text->substr(second + 1)}};
    const bool good = parse_rfc3339(*key.text("GSI1SK")) &&
                      key.text("PK")->starts_with("CUSTOMER#") &&
                      key.text("SK")->starts_with("DRAFT#");
    return good ? Result<table::Item>(std::move(key)) : wrong;
}

}  // namespace

Answer<Draft> Drafts::find(const std::string& draft_id) {
    const auto now = books_.clock.now();
    for (const auto& customer : customers_of_draft(draft_id)) {
        if (!is_customer_id(customer)) continue;
        const auto row = TRY(books_.get(books_.tables.tracking, draft_key(customer, draft_id)));
        if (!row) continue;
        auto draft = TRY(read_draft(*row, author_.company_name()));
        if (draft.status == DraftStatus::draft && now >= draft.expires()) return expired(draft_id);
        return draft;
    }
    // The row may be gone already; the id still tells how old it was.
    const auto created = time_of_stamp(draft_id);
    if (created && now >= *created + drafts_kept_for) return expired(draft_id);
    return Refusal::not_found("no draft " + draft_id);
}

Result<DraftPage> Drafts::list(DraftStatus status, Order order, std::size_t limit,
                               const std::optional<std::string>& after) {
    auto query = table::from(books_.tables.tracking);
    query.index("GSI1")
        .partition("GSI1PK", index_status(status))
        .limit(static_cast<std::int64_t>(limit));
    if (order == Order::newest_first) query.newest_first();
    if (after) query.after(TRY(parse_cursor(*after, status)));
    const auto page = TRY(books_.store.query(query));
    DraftPage result;
    const auto now = books_.clock.now();
    for (const auto& row : page.items) {
        auto draft = read_draft(row, author_.company_name());
        // Other programs write to this table, too: one odd row must not hide all others.
        if (!draft) log::warn("a draft is left out", {{"reason", draft.error().message}});
        if (!draft || (status == DraftStatus::draft && now >= draft->expires())) continue;
        result.drafts.push_back(*std::move(draft));
    }
    if (page.last_key) result.next = cursor_of(*page.last_key);
    return result;
}

}  // namespace mailroom::reminders
