// What was written to one customer, as far as the rules need to know.
#pragma once

#include "base/clock.h"
#include "reminders/policy.h"
#include "reminders/reminder_type.h"
#include "table/records/record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {

using namespace table::fields;

enum class Fate {
    in_flight,   // Approved: it will leave.
    sent,        // A server took it.
    complained,  // It arrived, and was not welcome.
    failed,      // It never left.
    bounced,     // It came back for good.
};
constexpr auto names_of(Fate) {
    return std::array{Name{Fate::in_flight, "in_flight"}, Name{Fate::sent, "sent"},
                      Name{Fate::complained, "complained"}, Name{Fate::failed, "failed"},
                      Name{Fate::bounced, "bounced"}};
}
// Whether a reminder of this fate keeps others back: all but those that reached nobody.
bool is_counted(Fate fate);

struct PastReminder {
    ReminderType type;
    Time at;  // Sent, or approved as long as it is in flight.
    std::string draft_id;
    std::int64_t cycle = 1;
    Fate fate = Fate::in_flight;

    static constexpr std::string_view record_name = "PastReminder";
    static constexpr auto fields = std::tuple{
        must_have("type", "reminder_type", &PastReminder::type), must_have("at", &PastReminder::at),
        must_have("fate", &PastReminder::fate), kept("draft", "draft_id", &PastReminder::draft_id),
        kept("cycle", &PastReminder::cycle)};
    bool operator==(const PastReminder&) const = default;
};

// A cycle goes from one moment at which nothing is overdue to the next. Reminders of earlier cycles
// are no predecessors, but still keep the same type back for its window.
struct Past {
    std::vector<PastReminder> reminders;  // In the order of approval.
    std::int64_t cycle = 1;
    // When the cycle before this one ended, and the one before that: none known.
    std::optional<Time> since = std::nullopt, before_since = std::nullopt;

    void begin(ReminderType type, Time at, std::string draft_id);
    // False if there is no such reminder.
    bool settle(std::string_view draft_id, Fate fate, Time at);
    void forget(std::string_view draft_id);
    // The customer owes nothing that is overdue any more, as of `now`.
    void close_cycle(Time now);
    // What ended a cycle at `closed` was a mistake: the cycle goes on, unless a new one has begun.
    void reopen_cycle(Time closed);
    // That in which a reminder was sent of which only the time is known.
    std::int64_t cycle_at(Time sent) const;
    // Drops what no rule asks for any more.
    void prune(const Policy& policy, Time now);

    const PastReminder* find(std::string_view draft_id) const;
    // The newest that counts, of any cycle.
    const PastReminder* newest(ReminderType type) const;
    const PastReminder* newest_of_cycle(ReminderType type) const;
    int count_of_cycle(ReminderType type) const;

    static constexpr auto fields = std::tuple{
        kept("cycle", &Past::cycle), kept("past", "recent_reminders", &Past::reminders),
        stored("cycle_since", &Past::since), stored("cycle_before_since", &Past::before_since)};
    bool operator==(const Past&) const = default;
};

}  // namespace mailroom::reminders
