#include "reminders/rules.h"

#include "base/time_format.h"

#include <algorithm>
#include <chrono>

namespace mailroom::reminders {

namespace {

// Blocked by something that was done at `at` and must be `days` old.
bool is_too_recent(Time at, int days, Time now) {
    const auto age = std::max(now - at, std::chrono::milliseconds(0));
    return age < std::chrono::days(days);
}

Time free_at(Time at, int days) { return at + std::chrono::days(days); }

void raise(std::optional<Time>& latest, Time time) {
    latest = latest ? std::max(*latest, time) : time;
}

bool was_followed(const Past& past, ReminderType type) {
    return std::ranges::any_of(all_types, [&](ReminderType later) {
        return later > type && past.newest_of_cycle(later) != nullptr;
    });
}

void look_back(Decision& decision, const Policy& policy, const Situation& situation) {
    const auto& rule = policy.of(decision.type);
    if (!situation.anything_to_remind_of && situation.reminded_from) {
        raise(decision.next_allowed_at, *situation.reminded_from);
    }
    if (situation.promised_until) raise(decision.next_allowed_at, *situation.promised_until);
    if (const auto* last = situation.past.newest(decision.type)) {
        decision.last_same_type_at = last->at;
        raise(decision.next_allowed_at, free_at(last->at, rule.window_days));
    }
    if (situation.same_address_at) {
        raise(decision.next_allowed_at, free_at(*situation.same_address_at, rule.window_days));
    }
    if (!rule.predecessor) return;
    decision.predecessor = {*rule.predecessor, std::nullopt, rule.spacing_days};
    if (const auto* before = situation.past.newest_of_cycle(*rule.predecessor)) {
        decision.predecessor->sent_at = before->at;
        raise(decision.next_allowed_at, free_at(before->at, rule.spacing_days));
    }
}

Verdict verdict_of(const Decision& decision, const Policy& policy, const Situation& situation,
                   Time now) {
    const auto type = decision.type;
    const auto& rule = policy.of(type);
    if (!situation.anything_overdue) return Verdict::nothing_overdue;
    if (!situation.anything_to_remind_of) {
        return situation.is_held ? Verdict::on_hold : Verdict::in_grace;
    }
    if (situation.suppressed) return Verdict::suppressed;
    if (situation.promised_until && now < *situation.promised_until) return Verdict::promised;
    if (situation.open_draft_id) return Verdict::draft_exists;
    if (was_followed(situation.past, type)) return Verdict::regression;
    if (type == ReminderType::final_notice &&
        situation.past.count_of_cycle(type) >= policy.finals_per_cycle_max) {
        return Verdict::escalate;
    }
    if (decision.last_same_type_at &&
        is_too_recent(*decision.last_same_type_at, rule.window_days, now)) {
        return Verdict::sent_recently;
    }
    if (decision.predecessor && !decision.predecessor->sent_at) return Verdict::predecessor_missing;
    if (decision.predecessor &&
        is_too_recent(*decision.predecessor->sent_at, rule.spacing_days, now)) {
        return Verdict::predecessor_too_recent;
    }
    if (situation.same_address_at &&
        is_too_recent(*situation.same_address_at, rule.window_days, now)) {
        return Verdict::duplicate_address;
    }
    return Verdict::allowed;
}

std::string from_when(const Decision& decision) {
    if (!decision.next_allowed_at) return "";
    return "; allowed from " + format_rfc3339(*decision.next_allowed_at);
}

}  // namespace

bool may_override(Verdict verdict) {
    switch (verdict) {
        case Verdict::nothing_overdue:
        case Verdict::in_grace:
        case Verdict::on_hold:
        case Verdict::suppressed:
        case Verdict::draft_exists:
            return false;
        default:
            return true;
    }
}

Decision decide(const Policy& policy, const Situation& situation, ReminderType type, Time now) {
    Decision decision;
    decision.type = type;
    decision.open_draft_id = situation.open_draft_id;
    decision.suppressed = situation.suppressed;
    look_back(decision, policy, situation);
    decision.verdict = verdict_of(decision, policy, situation, now);
    return decision;
}

ReminderType next_type(const Past& past) {
    if (past.newest_of_cycle(ReminderType::final_notice) != nullptr ||
        past.newest_of_cycle(ReminderType::second) != nullptr) {
        return ReminderType::final_notice;
    }
    return past.newest_of_cycle(ReminderType::first) != nullptr ? ReminderType::second
                                                                : ReminderType::first;
}

std::string explain(const Decision& decision) {
    const auto type = std::string(name_of(decision.type));
    switch (decision.verdict) {
        case Verdict::allowed:
            return "a " + type + " reminder may be sent";
        case Verdict::nothing_overdue:
            return "nothing is overdue";
        case Verdict::in_grace:
            return "all that is overdue is in its days of grace" + from_when(decision);
        case Verdict::on_hold:
            return "what is overdue is paused or disputed" + from_when(decision);
        case Verdict::promised:
            return "the customer promised to pay" + from_when(decision);
        case Verdict::suppressed:
            return "the customer must not be written to: " + decision.suppressed.value_or("");
        case Verdict::draft_exists:
            return "a " + type + " reminder waits for approval already";
        case Verdict::regression:
            return "a later reminder than the " + type + " one was sent already";
        case Verdict::escalate:
            return "as many final notices were sent as there may be; take it up in another way";
        case Verdict::sent_recently:
            return "a " + type + " reminder was sent to this customer recently" +
                   from_when(decision);
        case Verdict::predecessor_missing:
            return "a " + type + " reminder needs a " +
                   std::string(name_of(decision.predecessor->type)) + " one before it";
        case Verdict::predecessor_too_recent:
            return "the " + std::string(name_of(decision.predecessor->type)) +
                   " reminder is not old enough" + from_when(decision);
        case Verdict::duplicate_address:
            break;
    }
    return "a " + type + " reminder was sent to this address recently, for another customer" +
           from_when(decision);
}

}  // namespace mailroom::reminders
