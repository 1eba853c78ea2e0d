// How often a customer may be reminded: the rules as data.
#pragma once

#include "reminders/calendar.h"
#include "reminders/reminder_type.h"

#include <array>
#include <cstddef>
#include <optional>

namespace mailroom::reminders {

struct TypeRule {
    int window_days;                          // Not again within.
    std::optional<ReminderType> predecessor;  // Which must have been sent before.
    int spacing_days;                         // The least age of that one.
};

struct Policy {
    std::array<TypeRule, all_types.size()> rules = {{
        {7, std::nullopt, 0},
        {5, ReminderType::first, 7},
        {3, ReminderType::second, 5},
    }};
    // So long after it was due nobody is reminded of an invoice yet.
    int grace_days = 0;
    SendingTimes times;
    // Of one cycle. After that a person must take the matter up in another way.
    int finals_per_cycle_max = 2;

    const TypeRule& of(ReminderType type) const { return rules[index_of(type)]; }
    int longest_window_days() const;
};

// What a setting may say, in days.
inline constexpr int policy_days_max = 365;
// As many reminders of one type are remembered of a cycle.
inline constexpr int finals_per_cycle_limit = 8;

}  // namespace mailroom::reminders
