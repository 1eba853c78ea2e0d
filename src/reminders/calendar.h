// When reminders may leave: by the hours and days of the calendar that hangs where the customer is.
#pragma once

#include "base/clock.h"
#include "liquid/time_zone.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::reminders {

// Minutes of the local day; they may go over midnight. None if both are the same.
struct QuietHours {
    int from = 0, until = 0;

    bool cover(int minute) const {
        if (from <= until) return minute >= from && minute < until;
        return minute >= from || minute < until;
    }
    // "20:00-08:00", or "off". At least an hour a day is not quiet.
    static std::optional<QuietHours> parse(std::string_view text);
    std::string text() const;
    bool operator==(const QuietHours&) const = default;
};

// What an operator can say.
struct SendingTimes {
    QuietHours quiet;
    std::vector<std::string> days;      // "mon", …; none: every day.
    std::vector<std::string> holidays;  // "2025-12-25", or "12-25": of each year.
    std::string time_zone = "UTC";      // Of customers who have none of their own.
};
bool is_day_of_week(const std::string& text);
bool is_holiday(const std::string& text);

// Thread-safe.
class Calendar {
public:
    explicit Calendar(SendingTimes times)
        : times_(std::move(times)), zones_(std::make_unique<liquid::TimeZones>()) {}

    // The first moment after `now` at which a reminder may leave; none if that is now. A zone that
    // is empty or not known any more is the operator's.
    std::optional<Time> opens(Time now, std::string_view zone) const;
    // A day's last moment (base/days.h) where the customer is; other times as they are.
    Time end_of(Time until, std::string_view zone) const;

private:
    std::int64_t offset_at(std::int64_t unix_seconds, std::string_view zone) const;
    bool is_open(std::int64_t unix_seconds, std::string_view zone) const;

    SendingTimes times_;
    std::unique_ptr<const liquid::TimeZones> zones_;
};

}  // namespace mailroom::reminders
