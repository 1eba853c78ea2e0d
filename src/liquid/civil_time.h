// The calendar: days and years without time zones, the Gregorian rules applied to all of time.
#pragma once

#include <cstdint>

namespace mailroom::liquid {

struct CivilTime {
    std::int64_t year = 1970;
    int month = 1, day = 1;  // From 1.
    int hour = 0, minute = 0, second = 0, millisecond = 0;
    int weekday = 4;      // 0 is Sunday.
    int day_of_year = 1;  // From 1.
};

bool is_leap_year(std::int64_t year);
int days_in_month(std::int64_t year, int month);

// Days since 1970-01-01. The month may be any number; the year is moved accordingly.
std::int64_t days_from_civil(std::int64_t year, std::int64_t month, std::int64_t day);
int weekday_of(std::int64_t days);

// Milliseconds since 1970-01-01T00:00:00, of the same clock.
CivilTime civil_from_ms(std::int64_t milliseconds);

}  // namespace mailroom::liquid
