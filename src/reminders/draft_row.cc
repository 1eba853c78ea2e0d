#include "reminders/draft.h"

#include "base/time_format.h"
#include "reminders/dates.h"
#include "reminders/money.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr std::size_t suffix_chars = 4;

table::Value decimal_value(std::int64_t cents) {
    return table::Value(*table::Number::parse(decimal_text(cents)));
}

table::Value texts_value(const std::vector<std::string>& texts) {
    std::vector<table::Value> list;
    list.reserve(texts.size());
    for (const auto& text : texts) list.emplace_back(text);
    return table::Value::list(list);
}

std::vector<std::string> texts_of(const table::ItemView& row, std::string_view name) {
    std::vector<std::string> texts;
    const auto value = row.find(name);
    if (!value || value->kind() != table::Kind::list) return texts;
    for (const auto element : value->list()) {
        if (element.kind() == table::Kind::string) texts.emplace_back(element.text());
    }
    return texts;
}

// Of a draft that another program wrote there are no cents but a decimal number.
std::int64_t cents_in(const table::ItemView& row) {
    if (const auto cents = row.integer("overdue_cents")) return *cents;
    const auto value = row.find("overdue_amount");
    if (!value || value->kind() != table::Kind::number) return 0;
    const auto cents = parse_cents(value->number().text());
    return cents ? *cents : 0;
}

Time time_in(const table::ItemView& row, const char* ms_name, const char* text_name) {
    if (const auto ms = row.integer(ms_name)) return from_unix_ms(*ms);
    const auto time = parse_rfc3339(row.text(text_name).value_or(""));
    return time ? *time : Time();
}

void set_if_any(table::Item& item, const char* name, const std::string& text) {
    if (!text.empty()) item.set(name, table::Value(text));
}

void set_if_any(table::Item& item, const char* name, const std::optional<Time>& time) {
    if (time) item.set(name, table::Value(to_unix_ms(*time)));
}

// An approved draft must not vanish before its mail is settled.
std::optional<Time> kept_until(const Draft& draft) {
    if (draft.status == DraftStatus::approved) return std::nullopt;
    if (draft.status == DraftStatus::sent && draft.sent_at) return *draft.sent_at + sent_kept_for;
    return draft.expires();
}

void add_decisions(table::Item& item, const Draft& draft) {
    set_if_any(item, "requested_by", draft.requested_by);
    set_if_any(item, "override_rule", draft.override_rule);
    set_if_any(item, "override_reason", draft.override_reason);
    set_if_any(item, "override_by", draft.override_by);
    set_if_any(item, "approved_by", draft.approved_by);
    set_if_any(item, "approved_ms", draft.approved_at);
    set_if_any(item, "rejected_by", draft.rejected_by);
    set_if_any(item, "reason", draft.reason);
    set_if_any(item, "mail_id", draft.mail_id);
    set_if_any(item, "sent_key", draft.sent_key);
    set_if_any(item, "sent_ms", draft.sent_at);
    if (draft.cycle != 0) item.set("cycle", table::Value(draft.cycle));
    if (!draft.template_id.empty()) {
        item.set("template_id", table::Value(draft.template_id));
        item.set("template_version", table::Value(draft.template_version));
    }
    if (const auto until = kept_until(draft)) {
        item.set("expires_at", table::Value(to_unix_seconds(*until)));
    }
}

}  // namespace

std::string_view name_of(DraftStatus status) {
    constexpr std::string_view names[] = {"draft",  "approved", "sent",
                                          "failed", "rejected", "cancelled"};
    return names[static_cast<std::size_t>(status)];
}

std::optional<DraftStatus> draft_status_named(std::string_view name) {
    if (name == "drafted") return DraftStatus::draft;
    const auto found = std::ranges::find(all_draft_statuses, name,
                                         [](DraftStatus status) { return name_of(status); });
    return found == all_draft_statuses.end() ? std::nullopt : std::optional(*found);
}

std::string index_status(DraftStatus status) {
    if (status == DraftStatus::sent) return "STATUS#draft_sent";
    return "STATUS#" + std::string(name_of(status));
}

std::string draft_id_of(Time created, std::string_view customer_id) {
    return stamp_of(created) + "_" + std::string(customer_id);
}

std::vector<std::string> customers_of_draft(std::string_view draft_id) {
    if (!time_of_stamp(draft_id)) return {};
    const auto rest = draft_id.substr(stamp_of(Time()).size() + 1);
    std::vector<std::string> customers;
    if (!rest.empty()) customers.emplace_back(rest);
    if (rest.size() > suffix_chars + 1 && rest[rest.size() - suffix_chars - 1] == '_') {
        customers.emplace_back(rest.substr(0, rest.size() - suffix_chars - 1));
    }
    return customers;
}

table::Item draft_key(std::string_view customer_id, std::string_view draft_id) {
    return {{"PK", "CUSTOMER#" + std::string(customer_id)},
            {"SK", "DRAFT#" + std::string(draft_id)}};
}

table::Item draft_item(const Draft& draft) {
    const auto created = format_rfc3339_seconds(draft.created);
    table::Item item{{"PK", "CUSTOMER#" + draft.customer_id},
                     {"SK", "DRAFT#" + draft.id},
                     {"GSI1PK", index_status(draft.status)},
                     {"GSI1SK", created},
                     {"customer_id", draft.customer_id},
                     {"customer_name", draft.customer_name},
                     {"customer_email", draft.customer_email},
                     {"reminder_type", name_of(draft.type)},
                     {"email_subject", draft.letter.subject},
                     {"email_content", draft.letter.text},
                     {"email_html", draft.letter.html},
                     {"status", name_of(draft.status)},
                     {"version", draft.version},
                     {"created_date", created},
                     {"created_ms", to_unix_ms(draft.created)},
                     {"created_by", draft.created_by},
                     {"overdue_amount", decimal_value(draft.figures.cents)},
                     {"overdue_cents", draft.figures.cents},
                     {"overdue_invoices", texts_value(draft.figures.invoice_ids)},
                     {"currency", draft.figures.currency},
                     {"author_ids", texts_value(draft.author_ids)}};
    add_decisions(item, draft);
    return item;
}

Result<Draft> read_draft(const table::ItemView& row, std::string_view company_name) {
    const auto text = [&](const char* name) { return std::string(row.text(name).value_or("")); };
    const auto time = [&](const char* name) -> std::optional<Time> {
        const auto ms = row.integer(name);
        return ms ? std::optional(from_unix_ms(*ms)) : std::nullopt;
    };
    Draft draft;
    const auto key = text("SK");
    const auto type = reminder_type_named(text("reminder_type"));
    const auto status = draft_status_named(text("status"));
    if (!key.starts_with("DRAFT#") || !type || !status) {
        return Error{Errc::corrupt, "the draft " + key + " cannot be read"};
    }
    draft.id = key.substr(6);
    draft.customer_id = text("customer_id");
    draft.customer_name = text("customer_name");
    draft.customer_email = text("customer_email");
    draft.type = *type;
    draft.letter = {text("email_subject"), text("email_content"), text("email_html")};
    if (draft.letter.html.empty()) draft.letter.html = html_of(draft.letter.text, company_name);
    draft.status = *status;
    draft.version = row.integer("version").value_or(1);
    draft.created = time_in(row, "created_ms", "created_date");
    draft.created_by = text("created_by");
    draft.figures = {cents_in(row), text("currency"), texts_of(row, "overdue_invoices")};
    if (draft.figures.currency.empty()) draft.figures.currency = "USD";
    draft.template_id = text("template_id");
    draft.template_version = row.integer("template_version").value_or(0);
    draft.author_ids = texts_of(row, "author_ids");
    draft.requested_by = text("requested_by");
    draft.override_rule = text("override_rule");
    draft.override_reason = text("override_reason");
    draft.override_by = text("override_by");
    draft.approved_by = text("approved_by");
    draft.approved_at = time("approved_ms");
    draft.rejected_by = text("rejected_by");
    draft.reason = text("reason");
    draft.mail_id = text("mail_id");
    draft.cycle = row.integer("cycle").value_or(0);
    draft.sent_key = text("sent_key");
    draft.sent_at = time("sent_ms");
    return draft;
}

}  // namespace mailroom::reminders
