#include "reminders/reminder_type.h"

#include "base/text.h"

#include <utility>

namespace mailroom::reminders {

namespace {

constexpr std::pair<std::string_view, ReminderType> spellings[] = {
    {"first", ReminderType::first},
    {"first_reminder", ReminderType::first},
    {"second", ReminderType::second},
    {"second_reminder", ReminderType::second},
    {"third", ReminderType::final_notice},
    {"third_reminder", ReminderType::final_notice},
    {"final", ReminderType::final_notice},
    {"final_reminder", ReminderType::final_notice},
    {"final_notice", ReminderType::final_notice},
};

}  // namespace

std::string_view template_type_of(ReminderType type) {
    constexpr std::string_view names[] = {"first_reminder", "second_reminder", "final_notice"};
    return names[index_of(type)];
}

std::optional<ReminderType> otherwise_named(ReminderType, std::string_view text) {
    const auto word = ascii_lower(trim(text));
    for (const auto& [spelling, type] : spellings) {
        if (word == spelling) return type;
    }
    return std::nullopt;
}

}  // namespace mailroom::reminders
