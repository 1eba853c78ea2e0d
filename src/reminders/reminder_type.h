// The three reminders, in the order in which a customer gets them.
#pragma once

#include "base/names.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace mailroom::reminders {

enum class ReminderType { first, second, final_notice };
constexpr auto names_of(ReminderType) {
    return std::array{Name{ReminderType::first, "first"}, Name{ReminderType::second, "second"},
                      Name{ReminderType::final_notice, "final"}};
}
constexpr const char* refusal_code(ReminderType) { return "invalid_reminder_type"; }

// Every spelling that is about, in any case: "first", "first_reminder", "final_notice", "third", ….
// None for anything else: a misspelt type must not get around the rules of its own.
std::optional<ReminderType> otherwise_named(ReminderType, std::string_view text);

inline constexpr std::array all_types = {ReminderType::first, ReminderType::second,
                                         ReminderType::final_notice};

inline std::size_t index_of(ReminderType type) { return static_cast<std::size_t>(type); }
std::string_view template_type_of(ReminderType type);  // "first_reminder", …, "final_notice"

}  // namespace mailroom::reminders
