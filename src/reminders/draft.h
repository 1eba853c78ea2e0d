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
// created_by, overdue_amount, overdue_invoices; ours are the others in draft_row.cc.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "reminders/letter.h"
#include "reminders/refusal.h"
#include "reminders/warnings.h"
#include "table/value.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

enum class DraftStatus { draft, approved, sent, failed, rejected, cancelled };
inline constexpr std::array all_draft_statuses = {DraftStatus::draft,    DraftStatus::approved,
                                                  DraftStatus::sent,     DraftStatus::failed,
                                                  DraftStatus::rejected, DraftStatus::cancelled};
std::string_view name_of(DraftStatus status);
// "drafted" is "draft".
std::optional<DraftStatus> draft_status_named(std::string_view name);

inline constexpr auto drafts_kept_for = std::chrono::days(30);
inline constexpr auto sent_kept_for = std::chrono::days(365);

struct Draft {
    std::string id;  // What comes after "DRAFT#".
    std::string customer_id, customer_name, customer_email;
    ReminderType type = ReminderType::first;
    Letter letter;
    DraftStatus status = DraftStatus::draft;
    std::string stored_status = "draft";  // As the row spells it.
    std::int64_t version = 1;             // Each edit makes a new one.
    Time created;
    std::string created_by;  // "ai_system", "template", or who wrote it.
    Figures figures;         // When it was written.
    std::string template_id;
    std::int64_t template_version = 0;

    // Keys by id, of whoever asked for it or edited it: its authors.
    std::vector<std::string> author_ids;
    std::string requested_by;
    // Of a rule that a manager overrode; empty: none was.
    std::string override_rule, override_reason, override_by;
    std::string approved_by;
    std::optional<Time> approved_at;
    std::string rejected_by, reason;  // Of a rejection, a cancellation or a failure.
    std::string mail_id;              // In the outbox, once it is approved.
    // content_hash_of() when the text was last written here, and when it was approved. Empty: of a
    // draft that another program wrote, or that was not approved.
    std::string content_hash, approved_hash;
    std::vector<Warning> warnings;  // What a person should look at before approving it.
    std::int64_t cycle = 0;         // Of the customer's reminders, once it is approved.
    std::string sent_key;           // SK of its record, once it is sent.
    std::optional<Time> sent_at;

    std::optional<Decision> rule_check;  // What the rules said when it was read. Not stored.

    // When it can no longer be approved.
    Time expires() const { return created + drafts_kept_for; }
    // Another program wrote another text, subject or address since.
    bool was_changed_outside() const;
};

// Of all that its reader gets: address, subject, text and HTML (SHA-256, in hexadecimal digits).
std::string content_hash_of(const Draft& draft);

// "20250901_100500_cust_001": the stamp of `created` and the customer, and maybe a suffix.
std::string draft_id_of(Time created, std::string_view customer_id);
// The customers whose draft it may be: the suffix cannot be told from an id that ends like one.
std::vector<std::string> customers_of_draft(std::string_view draft_id);

table::Item draft_key(std::string_view customer_id, std::string_view draft_id);
table::Item draft_item(const Draft& draft);
Result<Draft> read_draft(const table::ItemView& row, std::string_view company_name);

// Where GSI1 lists drafts of that status. STATUS#sent belongs to the records of what was sent.
std::string index_status(DraftStatus status);

}  // namespace mailroom::reminders
