// Calendar days, as people and other programs write them.
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom {

// "2025-09-01", which is the last moment of that day (UTC): what is due on a day is not overdue
// before it has ended. Or a time as RFC 3339 has it. `invalid` otherwise.
Result<Time> parse_day_or_time(std::string_view text);
bool is_day(std::string_view text);  // "2025-09-01"
Time first_moment(Time time);        // Of its day.
std::string format_day(Time time);   // "2025-09-01"
// "2025-09-01" if it is the last moment of that day, else as RFC 3339 has it.
std::string format_day_or_time(Time time);

// As other programs write times: RFC 3339, and the same without a zone (then it is UTC), with a
// blank for the T, or only a date, which is its first moment. None for anything else.
std::optional<Time> parse_others_time(std::string_view text);

// Times in the keys of rows, which sort as they do: "20250901_100500".
std::string stamp_of(Time time);
// Of a text that begins with a stamp and '_'.
std::optional<Time> time_of_stamp(std::string_view text);

// Whole days from `from` to `to`; 0 if that is not later.
std::int64_t whole_days(Time from, Time to);

}  // namespace mailroom
