// Whether a customer may get a reminder now, and if not, why and when.
//
// Pure functions: the same question has the same answer. They are asked when a draft is written and
// again inside the decision that sends it.
#pragma once

#include "base/clock.h"
#include "reminders/fields.h"
#include "reminders/past.h"
#include "reminders/policy.h"
#include "reminders/reminder_type.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::reminders {

enum class Verdict {
    allowed,
    nothing_overdue,
    in_grace,             // All that is overdue is so for less than the days of grace.
    on_hold,              // All that could be reminded of is paused or disputed.
    suppressed,           // The customer must not be written to. No override.
    promised,             // The customer said when it would pay, and that is not over.
    draft_exists,         // One of this type waits for a person.
    regression,           // A later type was sent in this cycle.
    escalate,             // As many final notices as a cycle may have.
    sent_recently,        // The same type, within its window.
    predecessor_missing,  // The type before it was not sent in this cycle.
    predecessor_too_recent,
    duplicate_address,  // The same type, within its window, to the same address.
};
constexpr auto names_of(Verdict) {
    return std::array{Name{Verdict::allowed, "allowed"},
                      Name{Verdict::nothing_overdue, "nothing_overdue"},
                      Name{Verdict::in_grace, "in_grace"},
                      Name{Verdict::on_hold, "on_hold"},
                      Name{Verdict::suppressed, "suppressed"},
                      Name{Verdict::promised, "promised"},
                      Name{Verdict::draft_exists, "draft_exists"},
                      Name{Verdict::regression, "regression"},
                      Name{Verdict::escalate, "escalate"},
                      Name{Verdict::sent_recently, "sent_recently"},
                      Name{Verdict::predecessor_missing, "predecessor_missing"},
                      Name{Verdict::predecessor_too_recent, "predecessor_too_recent"},
                      Name{Verdict::duplicate_address, "duplicate_address"}};
}
// Whether a manager may decide otherwise.
bool may_override(Verdict verdict);

// What a decision rests on.
struct Situation {
    const Past& past;
    bool anything_overdue = false;
    // Of what is overdue: whether a letter may speak of any of it, and if not, from when on.
    bool anything_to_remind_of = true, is_held = false;
    std::optional<Time> reminded_from = std::nullopt;
    std::optional<Time> promised_until = std::nullopt;
    std::optional<std::string> suppressed = std::nullopt;     // Why.
    std::optional<std::string> open_draft_id = std::nullopt;  // Of the type that is asked for.
    // When the type was last sent to the same address on behalf of another customer.
    std::optional<Time> same_address_at = std::nullopt;
};

struct Decision;
// For people: "a second reminder needs a first one".
std::string explain(const Decision& decision);

struct Decision {
    struct Predecessor {
        ReminderType type = ReminderType::first;
        std::optional<Time> sent_at;
        std::int64_t required_days = 0;

        static constexpr std::string_view record_name = "Predecessor";
        static constexpr auto fields =
            std::tuple{shown("type", &Predecessor::type), shown("sent_at", &Predecessor::sent_at),
                       shown("required_days", &Predecessor::required_days)};
    };
    Verdict verdict = Verdict::allowed;
    ReminderType type = ReminderType::first;
    std::optional<Time> last_same_type_at;
    // The later of when the windows of both are over; none while neither has begun.
    std::optional<Time> next_allowed_at;
    std::optional<Predecessor> predecessor;
    std::optional<std::string> open_draft_id;
    std::optional<std::string> suppressed;
    bool overridden = false;  // A manager decided against the verdict.
    // When its mail leaves, if it is approved now and has to wait for the customer's day.
    std::optional<Time> leaves_at = std::nullopt;

    bool allowed() const { return verdict == Verdict::allowed || overridden; }
    static constexpr std::string_view record_name = "Decision";
    static constexpr auto fields = std::tuple{
        shown("allowed", &Decision::allowed),
        shown("code", &Decision::verdict, "What decided."),
        shown("reminder_type", &Decision::type),
        shown("last_same_type_at", &Decision::last_same_type_at),
        shown("next_allowed_at", &Decision::next_allowed_at),
        shown("predecessor", &Decision::predecessor, "The type before it, if there is one."),
        shown("open_draft_id", &Decision::open_draft_id),
        shown("reason", &explain, "For people."),
        shown_or_omitted("overridden", &Decision::overridden,
                         "A manager decided against the rules."),
        shown_or_omitted("leaves_at", &Decision::leaves_at,
                         "Approved now, it waits for the customer's day until then.")};
};

// Ages are exact milliseconds; a reminder exactly as old as its window does not block. One from the
// future, after a clock was set back, is as if it were new.
Decision decide(const Policy& policy, const Situation& situation, ReminderType type, Time now);

// The one that comes next in the open cycle.
ReminderType next_type(const Past& past);

}  // namespace mailroom::reminders
