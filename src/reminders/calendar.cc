#include "reminders/calendar.h"

#include "base/days.h"

#include <algorithm>
#include <array>

namespace mailroom::reminders {

namespace {

constexpr int day_minutes = 24 * 60;
constexpr std::int64_t minute = 60, quarter = 15 * minute, day = day_minutes * minute;
// Longer than any row of holidays. If nothing is ever open, an operator has a year to see it.
constexpr std::int64_t looked_ahead_max = 366 * day;

constexpr std::array<std::string_view, 7> week = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};
constexpr std::int64_t first_of_all_days = 4;  // 1970-01-01 was a Thursday.

// "08:30"
std::optional<int> minutes_of(std::string_view text) {
    int hours = 0, minutes = 0;
    const auto digit = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '9'; };
    if (text.size() != 5 || text[2] != ':') return std::nullopt;
    if (!digit(0) || !digit(1) || !digit(3) || !digit(4)) return std::nullopt;
    hours = (text[0] - '0') * 10 + text[1] - '0';
    minutes = (text[3] - '0') * 10 + text[4] - '0';
    if (hours > 23 || minutes > 59) return std::nullopt;
    return hours * 60 + minutes;
}

std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string clock_text(int minutes) {
    return two_digits(minutes / 60) + ":" + two_digits(minutes % 60);
}

}  // namespace

std::optional<QuietHours> QuietHours::parse(std::string_view text) {
    if (text == "off") return QuietHours();
    const auto dash = text.find('-');
    if (dash == text.npos) return std::nullopt;
    const auto from = minutes_of(text.substr(0, dash)), until = minutes_of(text.substr(dash + 1));
    if (!from || !until || *from == *until) return std::nullopt;
    const auto quiet = (*until - *from + day_minutes) % day_minutes;
    if (day_minutes - quiet < 60) return std::nullopt;
    return QuietHours{*from, *until};
}

std::string QuietHours::text() const {
    return from == until ? "off" : clock_text(from) + "-" + clock_text(until);
}

bool is_day_of_week(const std::string& text) { return std::ranges::find(week, text) != week.end(); }

bool is_holiday(const std::string& text) {
    return is_day(text) || (text.size() == 5 && is_day("2024-" + text));
}

std::int64_t Calendar::offset_at(std::int64_t unix_seconds, std::string_view zone) const {
    auto found = zones_->find(zone.empty() ? times_.time_zone : zone);
    if (!found) found = zones_->find(times_.time_zone);
    return found ? (*found)->offset_at(unix_seconds) : 0;
}

bool Calendar::is_open(std::int64_t unix_seconds, std::string_view zone) const {
    const auto local = unix_seconds + offset_at(unix_seconds, zone);
    const auto of_day = (local % day + day) % day;
    if (times_.quiet.cover(static_cast<int>(of_day / minute))) return false;
    const auto days = (local - of_day) / day;
    const auto of_week = ((days + first_of_all_days) % 7 + 7) % 7;
    const std::string name(week[static_cast<std::size_t>(of_week)]);
    const auto& open = times_.days;
    if (!open.empty() && std::ranges::find(open, name) == open.end()) return false;
    if (times_.holidays.empty()) return true;
    const auto date = format_day(from_unix_ms(days * day * 1000));
    return std::ranges::none_of(times_.holidays, [&](const std::string& holiday) {
        return std::string_view(date).ends_with(holiday);
    });
}

// Local time is asked at each step, so that clocks which are put forward or back need no rule here.
std::optional<Time> Calendar::opens(Time now, std::string_view zone) const {
    const auto began = to_unix_seconds(now);
    if (is_open(began, zone)) return std::nullopt;
    // Hours begin with a whole minute. None is open for less than a quarter of an hour.
    const auto first = (began / minute + 1) * minute;
    auto at = first;
    while (!is_open(at, zone) && at - began < looked_ahead_max) at += quarter;
    while (at > first && is_open(at - minute, zone)) at -= minute;
    return from_unix_ms(at * 1000);
}

Time Calendar::end_of(Time until, std::string_view zone) const {
    if (!is_day(format_day_or_time(until))) return until;
    const auto utc = to_unix_seconds(until);
    const auto guess = utc - offset_at(utc, zone);
    return until - std::chrono::seconds(offset_at(guess, zone));
}

}  // namespace mailroom::reminders
