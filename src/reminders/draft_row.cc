#include "reminders/draft.h"

#include "base/hex.h"
#include "base/time_format.h"
#include "reminders/dates.h"
#include "reminders/row_fields.h"

#include <openssl/sha.h>

#include <algorithm>

namespace mailroom::reminders {

namespace {

constexpr std::size_t suffix_chars = 4;

// Of a draft that another program wrote there are no cents but a decimal number.
Figures figures_in(const RowFields& row) {
    Figures figures{0, row.text("currency"), row.texts("overdue_invoices")};
    if (figures.currency.empty()) figures.currency = "USD";
    const auto cents = row.number("overdue_cents", -1);
    figures.cents = cents >= 0 ? row.scaled(cents, figures.currency)
                               : row.cents("overdue_amount", figures.currency);
    return figures;
}

Time created_in(const RowFields& row) {
    if (const auto time = row.time("created_ms")) return *time;
    return parse_others_time(row.text("created_date")).value_or(Time());
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
    set_if_any(item, "content_hash", draft.content_hash);
    set_if_any(item, "approved_hash", draft.approved_hash);
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

std::string content_hash_of(const Draft& draft) {
    std::string all;
    for (const auto* part :
         {&draft.customer_email, &draft.letter.subject, &draft.letter.text, &draft.letter.html}) {
        all += std::to_string(part->size()) + ":" + *part;
    }
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(all.data()), all.size(), digest);
    return hex_encode({reinterpret_cast<const char*>(digest), sizeof digest});
}

bool Draft::was_changed_outside() const {
    return !content_hash.empty() && content_hash != content_hash_of(*this);
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
                     {"overdue_amount", decimal_value(draft.figures.cents, draft.figures.currency)},
                     {"overdue_cents", draft.figures.cents},
                     {"overdue_invoices", texts_value(draft.figures.invoice_ids)},
                     {"currency", draft.figures.currency},
                     {"author_ids", texts_value(draft.author_ids)}};
    add_decisions(item, draft);
    set_scale(item, draft.figures.currency);
    if (!draft.warnings.empty()) item.set("warnings", warnings_value(draft.warnings));
    return item;
}

Result<Draft> read_draft(const table::ItemView& item, std::string_view company_name) {
    const RowFields row(item);
    Draft draft;
    const auto key = row.text("SK");
    const auto type = reminder_type_named(row.text("reminder_type"));
    const auto status = draft_status_named(row.text("status"));
    if (!key.starts_with("DRAFT#") || !type || !status) {
        return Error{Errc::corrupt, "the draft " + key + " cannot be read"};
    }
    draft.id = key.substr(6);
    draft.customer_id = row.text("customer_id");
    draft.customer_name = row.text("customer_name");
    draft.customer_email = row.text("customer_email");
    draft.type = *type;
    draft.letter = {row.text("email_subject"), row.text("email_content"), row.text("email_html")};
    if (draft.letter.html.empty()) draft.letter.html = html_of(draft.letter.text, company_name);
    draft.status = *status;
    draft.stored_status = row.text("status");
    draft.version = row.number("version", 1);
    draft.created = created_in(row);
    draft.created_by = row.text("created_by");
    draft.figures = figures_in(row);
    draft.template_id = row.text("template_id");
    draft.template_version = row.number("template_version");
    draft.author_ids = row.texts("author_ids");
    draft.requested_by = row.text("requested_by");
    draft.override_rule = row.text("override_rule");
    draft.override_reason = row.text("override_reason");
    draft.override_by = row.text("override_by");
    draft.approved_by = row.text("approved_by");
    draft.approved_at = row.time("approved_ms");
    draft.rejected_by = row.text("rejected_by");
    draft.reason = row.text("reason");
    draft.mail_id = row.text("mail_id");
    draft.content_hash = row.text("content_hash");
    draft.approved_hash = row.text("approved_hash");
    draft.warnings = read_warnings(row);
    draft.cycle = row.number("cycle");
    draft.sent_key = row.text("sent_key");
    draft.sent_at = row.time("sent_ms");
    if (draft.was_changed_outside()) draft.warnings.push_back(changed_outside());
    return draft;
}

}  // namespace mailroom::reminders
