#include "reminders/assessment.h"

namespace mailroom::reminders {

namespace {

Refusal closed(const Error& error) {
    return {Refusal::Kind::unavailable, "unavailable",
            "the rules cannot be checked now, so nothing is sent: " + error.message};
}

}  // namespace

Answer<Assessment> Assessor::assess(const Customer& customer, ReminderType type,
                                    std::string_view own_draft_id) const {
    const auto now = books_.clock.now();
    auto address = read_address(books_, customer.email);
    if (!address) return closed(address.error());
    Situation situation{.past = customer.past};
    situation.anything_overdue = customer.figures(now).cents > 0;
    situation.open_draft_id = customer.open_draft_id(type, now);
    if (situation.open_draft_id == own_draft_id) situation.open_draft_id.reset();
    situation.same_address_at = address->last_for_others(type, customer.customer_id);
    if (customer.opt_out) {
        situation.suppressed = "opted out: " + customer.opt_out_reason;
    } else {
        auto refusal = suppressions_.refusal(outbox::Stream::transactional, customer.email);
        if (!refusal) return closed(refusal.error());
        situation.suppressed = *std::move(refusal);
    }
    return Assessment{decide(books_.policy, situation, type, now), *std::move(address)};
}

}  // namespace mailroom::reminders
