// A customer: who it is, what is open, and what was written to it.
//
// MailroomCustomers, one row for each, under the names of the members below. All that the rules ask
// about a customer is in this row, and every decision about a customer changes it and its
// `version`: so two decisions that rest on the same row cannot both be made. Times are Unix
// milliseconds.
//   open_invoices L of { id S, due N, cents N }   past L of { type, at, draft, cycle, fate }
//   open_drafts M of type: { id S, until N }
//   overdue_group S ("open") and earliest_due N: while something is open, for OverdueIndex
//   late_group S ("late") and late_rate N (per mille): of frequent late payers, for LateIndex
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "reminders/past.h"
#include "reminders/refusal.h"
#include "table/value.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

inline constexpr std::size_t customer_id_chars_max = 100;
inline constexpr std::size_t name_bytes_max = 200;
// They are all in one row, and all overdue ones in one mail.
inline constexpr std::size_t open_invoices_max = 1000;
// From as many late payments on a customer is called a frequent late payer.
inline constexpr std::int64_t late_payments_flagged = 3;

struct OpenInvoice {
    std::string invoice_id;
    Time due;
    std::int64_t cents = 0;  // That are still to be paid.

    bool operator==(const OpenInvoice&) const = default;
};

struct OpenDraft {
    std::string id;
    Time until;  // When it expires.

    bool operator==(const OpenDraft&) const = default;
};

struct Customer {
    std::string customer_id, name, email;
    std::string currency = "USD";  // Of all its invoices.
    std::int64_t version = 0;      // 0: not stored yet.
    Time created, updated;
    bool opt_out = false;
    std::string opt_out_reason;
    std::optional<Time> opt_out_ended;  // When an administrator last said so.

    std::vector<OpenInvoice> open_invoices;  // Earliest due first.
    std::int64_t invoices_total = 0;         // All but drafts and cancelled ones.
    std::int64_t late_payments = 0;          // Paid more than seven whole days late.
    std::int64_t late_days = 0;              // Of those, in all.

    Past past;
    std::array<std::optional<OpenDraft>, all_types.size()> open_drafts;
    std::array<std::optional<Time>, all_types.size()> last_sent_at;  // Of each type.
    std::int64_t total_emails_sent = 0, bounce_count = 0, complaint_count = 0;

    std::optional<Time> last_email_sent() const;
    // The draft of that type that waits for a person, if it has not expired.
    std::optional<std::string> open_draft_id(ReminderType type, Time now) const;
    // Due strictly before `now`, earliest first.
    std::vector<OpenInvoice> overdue(Time now) const;
    Figures figures(Time now) const;
    bool is_frequent_late_payer() const { return late_payments >= late_payments_flagged; }
    double late_rate() const;  // Of all invoices, from 0 to 1.

    bool operator==(const Customer&) const = default;
};

// What a person or a file says about a customer, checked. Letters, digits and "_-.:@" make an id.
struct CustomerDetails {
    std::string customer_id, name, email, currency;
};
// A currency that the customer has already need not be one that is known.
Answer<CustomerDetails> check_customer(CustomerDetails details,
                                       std::string_view currency_before = {});
bool is_customer_id(std::string_view text);

// Where the time of the last reminder of that type is kept and shown.
std::string_view sent_attribute(ReminderType type);

table::Item customer_key(std::string_view customer_id);
table::Item customer_item(const Customer& customer);
// `corrupt` if it is no such row.
Result<Customer> read_customer(const table::ItemView& row);

}  // namespace mailroom::reminders
