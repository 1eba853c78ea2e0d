// The three reminders, in the order in which a customer gets them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace mailroom::reminders {

enum class ReminderType { first, second, final_notice };

inline constexpr std::array all_types = {ReminderType::first, ReminderType::second,
                                         ReminderType::final_notice};

inline std::size_t index_of(ReminderType type) { return static_cast<std::size_t>(type); }
std::string_view name_of(ReminderType type);           // "first", "second", "final"
std::string_view template_type_of(ReminderType type);  // "first_reminder", …, "final_notice"

// Takes every spelling that is about, in any case: "first", "first_reminder", "final_notice",
// "third", …. None for anything else: a misspelt type must not get around the rules of its own.
std::optional<ReminderType> reminder_type_named(std::string_view text);

}  // namespace mailroom::reminders
