// A reminder that waits for a person, or did.
//
//   draft --approve--> approved --a server takes it--> sent
//     | edit: a new version    | cancel                 | refused for good
//     | reject, cancel         v                        v
//     v                    cancelled                  failed
//   rejected, cancelled
//
// EmailTrackingTable, CUSTOMER#{customer_id} / DRAFT#{id}: the seed's attributes customer_id,
// customer_name, customer_email, reminder_type, email_subject, email_content, status, created_date,
// created_by, overdue_amount, overdue_invoices; the others are ours.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "program/actor.h"
#include "reminders/audit.h"
#include "reminders/fields.h"
#include "reminders/figures.h"
#include "reminders/letter.h"
#include "reminders/rules.h"
#include "writing/warnings.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

// The queue of schedule/ that tells what became of the mails of drafts: see deliveries.h.
inline constexpr std::string_view delivery_queue = "reminders.delivery";

enum class DraftStatus { draft, approved, sent, failed, rejected, cancelled };
constexpr auto names_of(DraftStatus) {
    return std::array{
        Name{DraftStatus::draft, "draft"},       Name{DraftStatus::approved, "approved"},
        Name{DraftStatus::sent, "sent"},         Name{DraftStatus::failed, "failed"},
        Name{DraftStatus::rejected, "rejected"}, Name{DraftStatus::cancelled, "cancelled"}};
}
constexpr std::optional<DraftStatus> otherwise_named(DraftStatus, std::string_view name) {
    return name == "drafted" ? std::optional(DraftStatus::draft) : std::nullopt;
}

inline constexpr auto drafts_kept_for = std::chrono::days(30);
inline constexpr auto sent_kept_for = std::chrono::days(365);

// A rule that a manager overrode.
struct OverriddenRule {
    std::string rule, reason, by;

    static constexpr std::string_view record_name = "OverriddenRule";
    static constexpr auto fields =
        std::tuple{shown("rule", &OverriddenRule::rule), shown("reason", &OverriddenRule::reason),
                   shown("by", &OverriddenRule::by)};
};

struct Draft;
// Of all that its reader gets: address, subject, text and HTML (SHA-256, in hexadecimal digits).
std::string content_hash_of(const Draft& draft);

struct Draft {
    std::string id;  // What comes after "DRAFT#".
    std::string customer_id, customer_name, customer_email;
    ReminderType type = ReminderType::first;
    Letter letter;
    DraftStatus status = DraftStatus::draft;
    std::string stored_status = "draft";         // As the row spells it.
    std::int64_t version = 1;                    // Each edit makes a new one.
    std::optional<table::Value> stored_version;  // As the row has it, whatever that is.
    Time created;
    std::string created_by;  // "ai_system", "template", or who wrote it.
    Figures figures;         // When it was written.
    std::string template_id;
    std::int64_t template_version = 0;

    // Of whoever asked for it or edited it, as names_of_author() has them.
    std::vector<std::string> author_ids;
    std::string requested_by;
    // Of a rule that a manager overrode; empty: none was.
    std::string override_rule, override_reason, override_by;
    std::string approved_by;
    std::optional<Time> approved_at;
    std::string rejected_by;
    // Of a rejection, a cancellation or a failure: for programs, and for people.
    std::string reason_code, reason;
    std::string mail_id;  // In the outbox, once it is approved.
    // content_hash_of() when the text was last written here, and when it was approved. Empty: of a
    // draft that another program wrote, or that was not approved.
    std::string content_hash, approved_hash;
    std::vector<writing::Warning> warnings;  // What was found when it was written.
    std::int64_t cycle = 0;                  // Of the customer's reminders, once it is approved.
    std::string sent_key;                    // SK of its record, once it is sent.
    std::optional<Time> sent_at;

    std::optional<Decision> rule_check;  // What the rules said when it was read. Not stored.

    // When it can no longer be approved.
    Time expires() const { return created + drafts_kept_for; }
    // When its row goes: none as long as its mail is not settled.
    std::optional<Time> kept_until() const;
    // Another program wrote another text, subject or address since.
    bool was_changed_outside() const;
    // What a person should look at before approving it.
    std::vector<writing::Warning> all_warnings() const;
    std::optional<OverriddenRule> overridden() const;
    // A manager decided against the rule that forbids it.
    void override_with(const std::string& why, const program::Actor& manager,
                       const Decision& decision);

    static constexpr std::string_view record_name = "Draft";
    static constexpr auto fields =
        std::tuple{shown("draft_id", &Draft::id),
                   kept("customer_id", &Draft::customer_id),
                   kept("customer_name", &Draft::customer_name),
                   kept("customer_email", &Draft::customer_email),
                   must_have("reminder_type", &Draft::type),
                   part(&Draft::letter),
                   must_have("status", &Draft::status),
                   kept("version", &Draft::version, "Each edit makes a new one."),
                   spelled<OthersTime>(kept("created_date", &Draft::created)),
                   stored("created_ms", &Draft::created),  // To the millisecond, where it is there.
                   kept("created_by", &Draft::created_by, "ai_system, template, or who wrote it."),
                   part(&Draft::figures),
                   spelled<table::InSeconds>(stored("expires_at", &Draft::kept_until)),
                   spelled<table::InSeconds>(shown("expires_at", &Draft::expires)),
                   stored_if_any("content_hash", &Draft::content_hash),
                   shown("content_hash", &content_hash_of, "Of all that its reader gets."),
                   stored_if_any("approved_hash", &Draft::approved_hash),
                   stored_if_any("warnings", &Draft::warnings),
                   shown("warnings", &Draft::all_warnings, "What a person should look at first."),
                   kept_if_any("template_id", &Draft::template_id),
                   kept_if_any("template_version", &Draft::template_version),
                   stored("author_ids", &Draft::author_ids),
                   kept_if_any("requested_by", &Draft::requested_by),
                   stored_if_any("override_rule", &Draft::override_rule),
                   stored_if_any("override_reason", &Draft::override_reason),
                   stored_if_any("override_by", &Draft::override_by),
                   shown_or_omitted("override", &Draft::overridden),
                   kept_if_any("approved_by", &Draft::approved_by),
                   kept("approved_ms", "approved_at", &Draft::approved_at),
                   kept_if_any("rejected_by", &Draft::rejected_by),
                   stored_if_any("reason_code", &Draft::reason_code),
                   shown_or_omitted("reason_code", &Draft::reason_code,
                                    "Why it came to nothing: for programs."),
                   kept_if_any("reason", &Draft::reason),
                   kept_if_any("mail_id", &Draft::mail_id),
                   stored_if_any("cycle", &Draft::cycle),
                   stored_if_any("sent_key", &Draft::sent_key),
                   kept("sent_ms", "sent_at", &Draft::sent_at),
                   shown_or_omitted("rule_check", &Draft::rule_check,
                                    "Of one that waits: whether it may be sent now.")};
    static void derive(const Draft& draft, table::Item& row);
    static Result<> settle(Draft& draft, const table::ItemView& row);
};

// "20250901_100500_cust_001": the stamp of `created` and the customer, and maybe a suffix.
std::string draft_id_of(Time created, std::string_view customer_id);
// The customers whose draft it may be: the suffix cannot be told from an id that ends like one.
std::vector<std::string> customers_of_draft(std::string_view draft_id);

table::Item draft_key(std::string_view customer_id, std::string_view draft_id);
Result<Draft> read_draft(const table::ItemView& row, std::string_view company_name);

// Where GSI1 lists drafts of that status. STATUS#sent belongs to the records of what was sent.
std::string index_status(DraftStatus status);

// For the audit. With the decision, `detail` goes on with the rule that was overridden.
AuditEntry entry_about(const Draft& draft, std::string what, std::string detail);
AuditEntry entry_about(const Draft& draft, std::string what, std::string detail,
                       const Decision& decision);

}  // namespace mailroom::reminders
