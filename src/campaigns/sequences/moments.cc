#include "campaigns/sequences/moments.h"

#include "base/text.h"
#include "people/segments/moment.h"

#include <chrono>

namespace mailroom::campaigns {

namespace {

// What lies outside is no date that anybody meant, and calendars do not reach there.
constexpr Time first_date = Time(std::chrono::sys_days(std::chrono::year(1800) / 1 / 1));
constexpr Time last_date = Time(std::chrono::sys_days(std::chrono::year(2400) / 1 / 1));

std::optional<Time> any_time_of(const table::ValueView& value, const LocalClock& clock) {
    if (value.kind() == table::Kind::number) {
        const auto number = value.number().to_int64();
        return number ? people::time_in(*number) : std::nullopt;
    }
    if (value.kind() != table::Kind::string) return std::nullopt;
    const auto text = trim(value.text());
    // A day is that of the person's calendar.
    if (const auto day = CalendarDay::parse(text)) return clock.when({day->days, 0});
    return people::time_in(text);
}

std::optional<Time> time_of(const table::ValueView& value, const LocalClock& clock) {
    const auto time = any_time_of(value, clock);
    return time && *time >= first_date && *time < last_date ? time : std::nullopt;
}

std::optional<Time> said_time(const WaitUntil& until, const std::optional<people::Profile>& profile,
                              const LocalClock& clock) {
    if (until.time) return until.time;
    if (until.date) return clock.when({until.date->days, 0});
    if (!profile) return std::nullopt;
    const auto value = profile->row.find(until.attribute);
    return value ? time_of(*value, clock) : std::nullopt;
}

Time adjusted(Time time, const WaitStep& wait, const LocalClock& clock) {
    if (wait.until->offset) time = clock.moved(time, *wait.until->offset);
    if (!wait.at) return time;
    return clock.when({clock.at(time).day, std::int64_t{60'000} * wait.at->minute});
}

// The same day and time of day in another year; the 29th of February is the 28th in most.
Time in_year(Time time, std::chrono::year year, const LocalClock& clock) {
    auto wall = clock.at(time);
    const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(wall.day))};
    auto moved = year / date.month() / date.day();
    if (!moved.ok()) moved = year / date.month() / std::chrono::last;
    wall.day = std::chrono::sys_days(moved).time_since_epoch().count();
    return clock.when(wall);
}

Time next_yearly(Time time, const WaitStep& wait, Time arrived, const LocalClock& clock) {
    const std::chrono::year_month_day now{
        std::chrono::sys_days(std::chrono::days(clock.at(arrived).day))};
    // An offset leads away from the year by some years.
    for (auto year = now.year() - std::chrono::years(11);; ++year) {
        const auto target = adjusted(in_year(time, year, clock), wait, clock);
        if (target >= arrived) return target;
    }
}

Time after_length(const WaitStep& wait, Time arrived, const LocalClock& clock) {
    using namespace std::chrono;
    const auto time = arrived + days(wait.days) + hours(wait.hours) + minutes(wait.minutes);
    return wait.at ? clock.next(*wait.at, time) : time;
}

}  // namespace

WaitTarget target_of(const WaitStep& wait, Time arrived,
                     const std::optional<people::Profile>& profile, const LocalClock& clock) {
    WaitTarget target;
    if (!wait.until) {
        target.time = after_length(wait, arrived, clock);
    } else if (const auto said = said_time(*wait.until, profile, clock)) {
        target.time = wait.until->is_yearly ? next_yearly(*said, wait, arrived, clock)
                                            : adjusted(*said, wait, clock);
        target.has_passed = *target.time < arrived;
    }
    if (target.time && wait.window) target.time = wait.window->opens(*target.time, clock);
    return target;
}

}  // namespace mailroom::campaigns
