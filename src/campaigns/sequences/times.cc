#include "campaigns/sequences/times.h"

#include "base/days.h"

#include <charconv>
#include <chrono>

namespace mailroom::campaigns {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
int two_digits(std::string_view text) { return (text[0] - '0') * 10 + text[1] - '0'; }
std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

constexpr std::int64_t years_max = 10;
std::int64_t amount_max(people::Unit unit) {
    return people::amount_max(unit) / people::amount_max(people::Unit::year) * years_max;
}

// The text before its last blank, and after it.
struct Split {
    std::string_view before, after;
};
std::optional<Split> split_at_last_blank(std::string_view text) {
    const auto blank = text.rfind(' ');
    if (blank == text.npos) return std::nullopt;
    return Split{text.substr(0, blank), text.substr(blank + 1)};
}

}  // namespace

std::optional<TimeOfDay> TimeOfDay::parse(std::string_view text) {
    if (text.size() != 5 || text[2] != ':') return std::nullopt;
    for (const std::size_t at : {0, 1, 3, 4}) {
        if (!is_digit(text[at])) return std::nullopt;
    }
    const auto hours = two_digits(text), minutes = two_digits(text.substr(3));
    if (hours > 23 || minutes > 59) return std::nullopt;
    return TimeOfDay{hours * 60 + minutes};
}

std::string TimeOfDay::text() const {
    return two_digits(minute / 60) + ":" + two_digits(minute % 60);
}

std::optional<DayHours> DayHours::parse(std::string_view text) {
    const auto dash = text.find('-');
    if (dash == text.npos) return std::nullopt;
    const auto from = TimeOfDay::parse(text.substr(0, dash));
    const auto until = TimeOfDay::parse(text.substr(dash + 1));
    if (!from || !until || *from == *until) return std::nullopt;
    return DayHours{*from, *until};
}

std::string DayHours::text() const { return from.text() + "-" + until.text(); }

std::optional<CalendarDay> CalendarDay::parse(std::string_view text) {
    if (!is_day(text)) return std::nullopt;
    const auto end = parse_day_or_time(text);
    if (!end) return std::nullopt;
    return CalendarDay{std::chrono::floor<std::chrono::days>(*end).time_since_epoch().count()};
}

std::string CalendarDay::text() const {
    return format_day(Time(std::chrono::sys_days(std::chrono::days(days))));
}

std::optional<Period> Period::parse(std::string_view text) {
    const auto split = split_at_last_blank(text);
    if (!split) return std::nullopt;
    Period period;
    const auto* const end = split->before.data() + split->before.size();
    const auto [read_to, error] = std::from_chars(split->before.data(), end, period.amount);
    const auto unit = people::unit_named(split->after);
    if (error != std::errc() || read_to != end || !unit) return std::nullopt;
    if (period.amount < 1 || period.amount > campaigns::amount_max(*unit)) return std::nullopt;
    period.unit = *unit;
    return period;
}

std::string Period::text() const {
    return std::to_string(amount) + " " + std::string(name_of(unit)) + (amount == 1 ? "" : "s");
}

std::optional<Offset> Offset::parse(std::string_view text) {
    const auto split = split_at_last_blank(text);
    if (!split || (split->after != "before" && split->after != "after")) return std::nullopt;
    const auto period = Period::parse(split->before);
    if (!period) return std::nullopt;
    return Offset{*period, split->after == "before"};
}

std::string Offset::text() const { return period.text() + (is_before ? " before" : " after"); }

}  // namespace mailroom::campaigns
