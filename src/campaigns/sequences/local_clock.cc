#include "campaigns/sequences/local_clock.h"

#include <algorithm>
#include <chrono>

namespace mailroom::campaigns {

namespace {

constexpr std::int64_t day_ms = 24 * 3'600'000;
constexpr std::int64_t first_of_all_days = 4;  // 1970-01-01 was a Thursday.

std::int64_t floor_divided(std::int64_t a, std::int64_t b) { return (a - ((a % b) + b) % b) / b; }

std::int64_t moved_by_months(std::int64_t day, std::int64_t months) {
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
    auto moved = date + std::chrono::months(months);
    if (!moved.ok()) moved = moved.year() / moved.month() / std::chrono::last;
    return std::chrono::sys_days(moved).time_since_epoch().count();
}

}  // namespace

Weekday WallTime::weekday() const {
    return static_cast<Weekday>(((day + first_of_all_days) % 7 + 7) % 7);
}

std::int64_t LocalClock::offset_ms(std::int64_t unix_ms) const {
    if (zone_ == nullptr) return 0;
    return std::int64_t{1000} * zone_->offset_at(floor_divided(unix_ms, 1000));
}

WallTime LocalClock::at(Time time) const {
    const auto utc = to_unix_ms(time), local = utc + offset_ms(utc);
    const auto day = floor_divided(local, day_ms);
    return {day, local - day * day_ms};
}

std::vector<Time> LocalClock::each_time(const WallTime& wall) const {
    const auto local = wall.day * day_ms + wall.millisecond;
    const auto before = offset_ms(local - day_ms), after = offset_ms(local + day_ms);
    std::vector<Time> times;
    // The larger offset is the one of the earlier moment.
    for (const auto offset : {std::max(before, after), std::min(before, after)}) {
        const auto utc = from_unix_ms(local - offset);
        const bool is_known = !times.empty() && times.back() == utc;
        if (!is_known && offset_ms(local - offset) == offset) times.push_back(utc);
    }
    return times;
}

Time LocalClock::when(const WallTime& wall) const {
    const auto times = each_time(wall);
    if (!times.empty()) return times.front();
    const auto local = wall.day * day_ms + wall.millisecond;
    auto shows_less = local - day_ms, shows_more = local + day_ms;
    while (shows_more - shows_less > 1) {
        const auto middle = shows_less + (shows_more - shows_less) / 2;
        (middle + offset_ms(middle) < local ? shows_less : shows_more) = middle;
    }
    return from_unix_ms(shows_more);
}

Time LocalClock::next(TimeOfDay time_of_day, Time now) const {
    const auto today = at(now).day;
    const auto ms = std::int64_t{60'000} * time_of_day.minute;
    for (auto day = today;; ++day) {
        const auto time = when({day, ms});
        if (time >= now) return time;
    }
}

Time LocalClock::moved(Time time, const Offset& offset) const {
    const auto amount = offset.is_before ? -offset.period.amount : offset.period.amount;
    auto wall = at(time);
    switch (offset.period.unit) {
        case people::Unit::minute:
            return time + std::chrono::minutes(amount);
        case people::Unit::hour:
            return time + std::chrono::hours(amount);
        case people::Unit::day:
            wall.day += amount;
            break;
        case people::Unit::week:
            wall.day += 7 * amount;
            break;
        case people::Unit::month:
            wall.day = moved_by_months(wall.day, amount);
            break;
        case people::Unit::year:
            wall.day = moved_by_months(wall.day, 12 * amount);
            break;
    }
    return when(wall);
}

bool SendingWindow::is_open(const WallTime& wall) const {
    if (between && !between->cover(wall.minute())) return false;
    if (quiet && quiet->cover(wall.minute())) return false;
    return days.empty() || std::ranges::find(days, wall.weekday()) != days.end();
}

Time SendingWindow::opens(Time now, const LocalClock& clock) const {
    const auto wall = clock.at(now);
    if (is_open(wall)) return now;
    std::optional<Time> first;
    // It can open only when a day, its hours or the end of the quiet ones begin. A clock that leaps
    // over a day (Samoa did) takes a week more.
    for (auto day = wall.day; day <= wall.day + 15 && !first; ++day) {
        for (const int minute :
             {0, between ? between->from.minute : 0, quiet ? quiet->until.minute : 0}) {
            const WallTime begin{day, std::int64_t{60'000} * minute};
            auto times = clock.each_time(begin);
            if (times.empty()) times.push_back(clock.when(begin));
            for (const auto time : times) {
                if (time <= now || !is_open(clock.at(time))) continue;
                first = std::min(time, first.value_or(time));
            }
        }
    }
    return first.value_or(now);
}

int SendingWindow::minutes_open() const {
    int count = 0;
    for (int minute = 0; minute < day_minutes; ++minute) {
        const bool is_between = !between || between->cover(minute);
        count += is_between && !(quiet && quiet->cover(minute));
    }
    return count;
}

}  // namespace mailroom::campaigns
