#include "reminders/assessment.h"

#include "reminders/sent.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

Refusal closed(const Error& error) {
    return {Refusal::Kind::unavailable,
            "the rules cannot be checked now, so nothing is sent: " + error.message};
}

Fate fate_of(DeliveryStatus status) {
    if (status == DeliveryStatus::bounced) return Fate::bounced;
    return status == DeliveryStatus::complained ? Fate::complained : Fate::sent;
}

// Records of ours are in the customer's row as long as rules ask for them; what they say of the
// delivery may be another program's word.
void add_record(Customer& customer, const SentRecord& record) {
    auto& reminders = customer.past.reminders;
    const auto own = std::ranges::find_if(reminders, [&](const PastReminder& reminder) {
        return !record.draft_id.empty() && reminder.draft_id == record.draft_id;
    });
    const auto fate = fate_of(record.delivery);
    if (own != reminders.end()) {
        if (fate != Fate::sent) own->fate = fate;
        return;
    }
    const auto cycle = record.cycle > 0 ? record.cycle : customer.past.cycle_at(record.sent);
    reminders.push_back({record.type, record.sent,
                         record.draft_id.empty() ? "SENT#" + record.key : record.draft_id, cycle,
                         fate});
    if (!record.mail_id.empty()) return;
    auto& last = customer.last_sent_at[index_of(record.type)];
    last = last ? std::max(*last, record.sent) : record.sent;
    customer.total_emails_sent += 1;
    // A complaint that another program wrote down is an opt-out, until somebody ends it.
    const bool is_ended = customer.opt_out_ended && *customer.opt_out_ended >= record.sent;
    if (fate == Fate::complained && !is_ended) {
        customer.noted_opt_out = true;
        customer.noted_opt_out_reason = complaint_reason;
    }
}

}  // namespace

Result<Customer> Assessor::with_records(const Customer& customer) const {
    auto seen = customer.reminded(books_.clock.now(), books_.policy);
    const auto records = TRY(newest_sent(books_, customer.customer_id));
    for (const auto& record : records) add_record(seen, record);
    return seen;
}

// `seen` has of the customer's invoices those that a letter may speak of.
void Assessor::note_overdue(Situation& situation, const Customer& customer, const Customer& seen,
                            Time now) const {
    situation.anything_overdue = customer.figures(now).cents > 0;
    situation.anything_to_remind_of = seen.figures(now).cents > 0;
    situation.promised_until = customer.promised_until;
    situation.reminded_from = customer.reminded_from(now, books_.policy);
    const auto overdue = customer.overdue(now);
    situation.is_held = std::ranges::any_of(
        overdue, [&](const OpenInvoice& invoice) { return invoice.is_held(now); });
}

Answer<Assessment> Assessor::assess(const Customer& customer, std::optional<ReminderType> type,
                                    std::string_view own_draft_id, Leaving leaving) const {
    const auto now = books_.clock.now();
    auto address = read_address(books_, customer.email);
    if (!address) return closed(address.error());
    auto known = with_records(customer);
    if (!known) return closed(known.error());
    auto& seen = *known;
    if (!own_draft_id.empty()) seen.past.forget(own_draft_id);
    const auto wanted = type ? *type : next_type(seen.past);
    Situation situation{.past = seen.past};
    note_overdue(situation, customer, seen, now);
    situation.open_draft_id = seen.open_draft_id(wanted, now);
    if (leaving == Leaving::yes || situation.open_draft_id == own_draft_id)
        situation.open_draft_id.reset();
    situation.same_address_at = address->last_for_others(wanted, seen.customer_id);
    auto refusal = opt_outs_.refusal(seen, *address);
    if (!refusal) return closed(refusal.error());
    situation.suppressed = *std::move(refusal);
    auto decision = decide(books_.policy, situation, wanted, now);
    if (may_override(decision.verdict)) {
        decision.leaves_at = books_.calendar.opens(now, seen.time_zone);
    }
    return Assessment{std::move(decision), *std::move(address), std::move(seen)};
}

}  // namespace mailroom::reminders
