#include "reminders/draft.h"

#include "base/days.h"
#include "base/hex.h"
#include "base/time_format.h"

#include <openssl/sha.h>

namespace mailroom::reminders {

namespace {

constexpr std::size_t suffix_chars = 4;
constexpr std::string_view partition_prefix = "CUSTOMER#", key_prefix = "DRAFT#";

}  // namespace

// An approved draft must not vanish before its mail is settled.
std::optional<Time> Draft::kept_until() const {
    if (status == DraftStatus::approved) return std::nullopt;
    if (status == DraftStatus::sent && sent_at) return *sent_at + sent_kept_for;
    return expires();
}

std::string content_hash_of(const Draft& draft) {
    std::string all;
    const auto& [subject, text, html] = draft.letter;
    for (const auto* part : {&draft.customer_email, &subject, &text, &html}) {
        all += std::to_string(part->size()) + ":" + *part;
    }
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(all.data()), all.size(), digest);
    return hex_encode({reinterpret_cast<const char*>(digest), sizeof digest});
}

bool Draft::was_changed_outside() const {
    return !content_hash.empty() && content_hash != content_hash_of(*this);
}

std::vector<writing::Warning> Draft::all_warnings() const {
    auto all = warnings;
    if (was_changed_outside()) {
        all.push_back(
            {"changed_outside", "another program changed it since it was last written here"});
    }
    return all;
}

std::optional<OverriddenRule> Draft::overridden() const {
    if (override_rule.empty()) return std::nullopt;
    return OverriddenRule{override_rule, override_reason, override_by};
}

void Draft::override_with(const std::string& why, const program::Actor& manager,
                          const Decision& decision) {
    override_rule = name_of(decision.verdict);
    override_reason = why;
    override_by = manager.name;
}

void Draft::derive(const Draft& draft, table::Item& row) {
    const auto key = draft_key(draft.customer_id, draft.id);
    for (const auto& field : key.view()) row.set(field.name, field.value);
    row.set("GSI1PK", index_status(draft.status));
    row.set("GSI1SK", format_rfc3339_seconds(draft.created));
    set_scale(row, draft.figures.currency);
}

Result<> Draft::settle(Draft& draft, const table::ItemView& row) {
    const auto partition = row.text("PK").value_or(""), key = row.text("SK").value_or("");
    if (!partition.starts_with(partition_prefix) || !key.starts_with(key_prefix)) {
        return Error{Errc::corrupt, "the draft " + std::string(key) + " cannot be read"};
    }
    draft.id = key.substr(key_prefix.size());
    draft.customer_id = partition.substr(partition_prefix.size());
    draft.stored_status = row.text("status").value_or("");
    if (const auto version = row.find("version")) draft.stored_version.emplace(*version);
    // Of a draft that another program wrote there are no cents but a decimal number.
    auto& [cents, currency, invoice_ids] = draft.figures;
    if (currency.empty()) currency = "USD";
    const auto stored_cents = row.integer("overdue_cents");
    cents = stored_cents && *stored_cents >= 0 ? scaled(row, *stored_cents, currency)
                                               : cents_in(row, "overdue_amount", currency);
    return Ok{};
}

Result<Draft> read_draft(const table::ItemView& row, std::string_view company_name) {
    auto draft = TRY(table::from_item<Draft>(row));
    if (draft.letter.html.empty()) draft.letter.html = html_of(draft.letter.text, company_name);
    return draft;
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
    return {{"PK", std::string(partition_prefix) + std::string(customer_id)},
            {"SK", std::string(key_prefix) + std::string(draft_id)}};
}

AuditEntry entry_about(const Draft& draft, std::string what, std::string detail) {
    return {.customer_id = draft.customer_id,
            .what = std::move(what),
            .draft_id = draft.id,
            .detail = std::move(detail)};
}

AuditEntry entry_about(const Draft& draft, std::string what, std::string detail,
                       const Decision& decision) {
    if (decision.overridden) {
        detail += "; overrides " + draft.override_rule + ": " + draft.override_reason;
    }
    return entry_about(draft, std::move(what), std::move(detail));
}

}  // namespace mailroom::reminders
