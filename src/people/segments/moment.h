// Moments in filters: at a time, on a day, or so long before or after the moment at which the
// filter is asked.
//
//   moment := "now" | "today" | day | time | number unit "ago" | number unit "from" "now"
//   day    := 2026-01-05           all of it (UTC)
//   time   := as RFC 3339 has it
//   unit   := minute(s) hour(s) day(s) week(s) month(s) year(s)
#pragma once

#include "base/clock.h"
#include "base/names.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::people {

enum class Unit { minute, hour, day, week, month, year };
constexpr auto names_of(Unit) {
    using enum Unit;
    return std::array{Name{minute, "minute"}, Name{hour, "hour"},   Name{day, "day"},
                      Name{week, "week"},     Name{month, "month"}, Name{year, "year"}};
}
// "days" as well.
std::optional<Unit> unit_named(std::string_view name);
// Some two hundred years.
std::int64_t amount_max(Unit unit);

// From its first to its last millisecond.
struct Span {
    Time first, last;
};

struct Moment {
    enum class Kind { relative, today, day, time };
    Kind kind = Kind::relative;
    std::int64_t amount = 0;  // Of `unit`, from now; before it if it is less than 0.
    Unit unit = Unit::day;
    Time time = {};  // Of a day its first.

    static Moment ago(std::int64_t amount, Unit unit);
    static Moment ahead(std::int64_t amount, Unit unit);
    static Moment at(Time time);
    static Moment on_day_of(Time time);
    bool operator==(const Moment&) const = default;

    // Months and years are those of the calendar: a month before the 31st of May is the 30th of
    // April, at the same time of day.
    Span span(Time now) const;
    std::string text() const;
};

// None if it is no moment.
std::optional<Moment> parse_moment(std::string_view text);

// What attributes hold that are times: texts as in parse_others_time(); numbers are unix seconds,
// or milliseconds if they are so large that seconds would be in the far future.
std::optional<Time> time_in(std::string_view text);
std::optional<Time> time_in(std::int64_t number);

}  // namespace mailroom::people
