// A customer: who it is, what is open, and what was written to it.
//
// MailroomCustomers, one row for each. All that the rules ask about a customer is in this row, and
// every decision about a customer changes it and its `version`: so two decisions that rest on the
// same row cannot both be made. Times are Unix milliseconds. For indexes there are
//   overdue_group S ("open") and earliest_due N: while something is open, for OverdueIndex
//   late_group S ("late") and late_rate N (per mille): of frequent late payers, for LateIndex
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "reminders/hold.h"
#include "reminders/past.h"
#include "reminders/policy.h"
#include "reminders/refusal.h"
#include "table/records/record.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

using namespace table::fields;

inline constexpr std::size_t customer_id_chars_max = 100;
inline constexpr std::size_t name_bytes_max = 200;
// They are all in one row, and all overdue ones in one mail.
inline constexpr std::size_t open_invoices_max = 1000;
// From as many late payments on a customer is called a frequent late payer.
inline constexpr std::int64_t late_payments_flagged = 3;
// Of an opt-out that only an administrator takes back.
inline constexpr std::string_view complaint_reason = "complaint";

struct OpenInvoice {
    std::string invoice_id;
    Time due;
    std::int64_t cents = 0;  // That are still to be paid.
    std::optional<HoldKind> hold = std::nullopt;
    std::optional<Time> held_until = std::nullopt;  // None: until a person ends it.

    bool is_held(Time now) const { return hold && (!held_until || now < *held_until); }

    static constexpr std::string_view record_name = "OpenInvoice";
    static constexpr auto fields =
        std::tuple{must_have("id", "", &OpenInvoice::invoice_id), stored("due", &OpenInvoice::due),
                   stored("cents", &OpenInvoice::cents), stored("hold", &OpenInvoice::hold),
                   stored("held_until", &OpenInvoice::held_until)};
    bool operator==(const OpenInvoice&) const = default;
};

struct OpenDraft {
    std::string id;
    Time until;  // When it expires.

    static constexpr std::string_view record_name = "OpenDraft";
    static constexpr auto fields =
        std::tuple{must_have("id", "", &OpenDraft::id), stored("until", &OpenDraft::until)};
    bool operator==(const OpenDraft&) const = default;
};

// When the last reminder of that type was sent, of a customer.
template <ReminderType type>
inline constexpr auto last_sent = [](auto& customer) -> auto& {
    return customer.last_sent_at[index_of(type)];
};

struct Customer {
    std::string customer_id, name, email;
    std::string currency = "USD";  // Of all its invoices.
    std::string language;          // "de", "pt-BR"; empty: the usual one.
    std::string time_zone;         // "Europe/Berlin"; empty: the usual one.
    std::int64_t version = 0;      // 0: not stored yet.
    Time created, updated;
    // Its own no, as rows had it before it was a topic of people, and complaints: see opt_outs.h.
    bool noted_opt_out = false;
    std::string noted_opt_out_reason;
    bool opt_out = false;  // All in all; where customers are shown.
    std::string opt_out_reason;
    std::optional<Time> opt_out_ended;  // When an administrator last said so.
    // It said that it would pay by then: until that it hears nothing.
    std::optional<Time> promised_until;

    std::vector<OpenInvoice> open_invoices;  // Earliest due first.
    std::int64_t invoices_total = 0;         // All but drafts and cancelled ones.
    std::int64_t late_payments = 0;          // Paid more than seven whole days late.
    std::int64_t late_days = 0;              // Of those, in all.

    Past past;
    std::map<ReminderType, OpenDraft> open_drafts;
    std::array<std::optional<Time>, all_types.size()> last_sent_at;  // Of each type.
    std::int64_t total_emails_sent = 0, bounce_count = 0, complaint_count = 0;

    bool is_under_way() const;  // A mail to it.
    std::optional<Time> last_email_sent() const;
    std::int64_t open_count() const { return static_cast<std::int64_t>(open_invoices.size()); }
    // The draft of that type no longer waits, if it is the one that did.
    void close_draft(ReminderType type, std::string_view draft_id);
    // The draft of that type that waits for a person, if it has not expired.
    std::optional<std::string> open_draft_id(ReminderType type, Time now) const;
    // Due strictly before `now`, earliest first.
    std::vector<OpenInvoice> overdue(Time now) const;
    Figures figures(Time now) const;  // Of what is overdue.
    Figures at(Time now) const { return figures(now); }
    // With only the invoices of which it may be reminded: neither in their days of grace nor held.
    // For letters and what is said of them; not to be saved.
    Customer reminded(Time now, const Policy& policy) const;
    // When it may be reminded of the first that is overdue; none if a person has to end a hold.
    std::optional<Time> reminded_from(Time now, const Policy& policy) const;
    bool is_frequent_late_payer() const { return late_payments >= late_payments_flagged; }
    double late_rate() const;  // Of all invoices, from 0 to 1.

    static constexpr std::string_view record_name = "Customer";
    static constexpr auto fields =
        std::tuple{must_have("customer_id", &Customer::customer_id),
                   kept("name", &Customer::name),
                   must_have("email", &Customer::email),
                   stored("opt_out", &Customer::noted_opt_out),
                   stored_if_any("opt_out_reason", &Customer::noted_opt_out_reason),
                   shown("opt_out", &Customer::opt_out, "It wants no reminders."),
                   shown_if_any("opt_out_reason", &Customer::opt_out_reason),
                   stored("opt_out_ended", &Customer::opt_out_ended),
                   stored("promised_until", &Customer::promised_until),
                   spelled<table::DayOrTime>(shown_or_omitted(
                       "promised_until", &Customer::promised_until,
                       "It said that it would pay by then, and hears nothing until that.")),
                   stored("open_invoices", &Customer::open_invoices),
                   shown("open_invoices", &Customer::open_count),
                   kept("invoices_total", "total_invoices", &Customer::invoices_total),
                   kept("late_payments", &Customer::late_payments),
                   stored("late_days", &Customer::late_days),
                   kept("first_reminder_sent", last_sent<ReminderType::first>),
                   kept("second_reminder_sent", last_sent<ReminderType::second>),
                   kept("final_notice_sent", last_sent<ReminderType::final_notice>),
                   shown("last_email_sent", &Customer::last_email_sent),
                   kept("total_emails_sent", &Customer::total_emails_sent),
                   kept("bounce_count", &Customer::bounce_count),
                   kept("complaint_count", &Customer::complaint_count),
                   part(&Customer::past),
                   stored("open_drafts", &Customer::open_drafts),
                   stored("currency", &Customer::currency),
                   stored_if_any("language", &Customer::language),
                   shown_or_omitted("language", &Customer::language, "Of its reminders."),
                   stored_if_any("time_zone", &Customer::time_zone),
                   shown_or_omitted("time_zone", &Customer::time_zone, "Where it is."),
                   must_have("version", &Customer::version),
                   kept("created", "created_at", &Customer::created),
                   kept("updated", "updated_at", &Customer::updated)};
    static void derive(const Customer& customer, table::Item& row);
    static Result<> settle(Customer& customer, const table::ItemView& row);
    bool operator==(const Customer&) const = default;
};

// What a person or a file says about a customer, checked. Letters, digits and "_-.:@" make an id.
struct CustomerDetails {
    std::string customer_id, name, email, currency = "USD", language = {}, time_zone = {};

    static constexpr auto fields =
        std::tuple{required("customer_id", &CustomerDetails::customer_id, "Yours."),
                   required("name", &CustomerDetails::name),
                   required("email", &CustomerDetails::email),
                   asked("currency", &CustomerDetails::currency, "Of all its invoices; USD."),
                   asked("language", &CustomerDetails::language, "Of its reminders: de, pt-BR."),
                   asked("time_zone", &CustomerDetails::time_zone, "Where it is: Europe/Berlin.")};
};
// A currency that the customer has already need not be one that is known.
Answer<CustomerDetails> check_customer(CustomerDetails details,
                                       std::string_view currency_before = {});
bool is_customer_id(std::string_view text);
// As it should be spelled, "de" or "zh-Hant-TW", so that templates are found by it. None for what
// is no language; nothing is one, too: the usual one.
std::optional<std::string> language_tag(std::string_view text);

table::Item customer_key(std::string_view customer_id);

}  // namespace mailroom::reminders
