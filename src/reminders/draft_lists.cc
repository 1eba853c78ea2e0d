// Finding drafts.
#include "base/log.h"
#include "base/time_format.h"
#include "reminders/dates.h"
#include "reminders/drafts.h"
#include "reminders/list_cursor.h"
#include "reminders/row_fields.h"
#include "table/query_builder.h"

namespace mailroom::reminders {

namespace {

Refusal expired(const std::string& draft_id) {
    return {Refusal::Kind::gone, "expired", "the draft " + draft_id + " has expired"};
}

Result<table::Item> parse_cursor(const std::string& cursor, DraftStatus status) {
    const auto texts = TRY(parse_list_cursor(cursor, 3));
    const auto &created = texts[0], &customer = texts[1], &draft = texts[2];
    const bool good =
        parse_rfc3339(created) && customer.starts_with("CUSTOMER#") && draft.starts_with("DRAFT#");
    if (!good) return wrong_list_cursor();
    return table::Item{
        {"GSI1PK", index_status(status)}, {"GSI1SK", created}, {"PK", customer}, {"SK", draft}};
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
    if (page.last_key) {
        const RowFields key(*page.last_key);
        result.next = list_cursor({key.text("GSI1SK"), key.text("PK"), key.text("SK")});
    }
    return result;
}

}  // namespace mailroom::reminders
