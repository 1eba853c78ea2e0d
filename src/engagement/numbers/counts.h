// What is counted of happenings, and where: in the transactions that note them, so that a count
// always equals its rows.
#pragma once

#include "engagement/events/happening.h"

#include <string_view>
#include <vector>

namespace mailroom::engagement {

// The names are in rows, those of the seed among them: never change one.
namespace count {
inline constexpr std::string_view sent = "sentCount";
inline constexpr std::string_view delivery = "deliveryCount";
inline constexpr std::string_view open = "openCount", unique_open = "uniqueOpenCount";
inline constexpr std::string_view click = "clickCount", unique_click = "uniqueClickCount";
inline constexpr std::string_view machine_open = "machineOpenCount";
inline constexpr std::string_view machine_click = "machineClickCount";
inline constexpr std::string_view bounce = "bounceCount", hard_bounce = "hardBounceCount";
inline constexpr std::string_view soft_bounce = "softBounceCount";
inline constexpr std::string_view complaint = "complaintCount", not_spam = "notSpamCount";
inline constexpr std::string_view reply = "replyCount";
inline constexpr std::string_view unsubscribe = "unsubscribeCount";
inline constexpr std::string_view skipped = "skippedCount";
}  // namespace count

// "not-spam": a complaint that was taken back, or that never was one.
inline constexpr std::string_view not_spam_feedback = "not-spam";

// What it is among others of its kind: one of the counts above. What machines did is not what
// people did.
std::string_view kind_of(const Happening& happening);
// All that it counts as. `is_unique`: it is the first of its kind by this person for this mail.
std::vector<std::string_view> counts_of(const Happening& happening, bool is_unique);

}  // namespace mailroom::engagement
