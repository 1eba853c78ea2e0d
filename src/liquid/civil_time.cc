#include "liquid/civil_time.h"

namespace mailroom::liquid {

namespace {

constexpr std::int64_t day_ms = 86'400'000;

std::int64_t floor_divide(std::int64_t number, std::int64_t divisor) {
    const auto quotient = number / divisor;
    return number % divisor < 0 ? quotient - 1 : quotient;
}

}  // namespace

bool is_leap_year(std::int64_t year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int days_in_month(std::int64_t year, int month) {
    if (month == 2) return is_leap_year(year) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Years are counted from March, so that the leap day is the last of its year and months have a
// regular length: 153 days in every five.
std::int64_t days_from_civil(std::int64_t year, std::int64_t month, std::int64_t day) {
    year += floor_divide(month - 1, 12);
    month -= 12 * floor_divide(month - 1, 12);
    if (month <= 2) --year;
    const auto era = floor_divide(year, 400);
    const auto year_of_era = year - era * 400;
    const auto month_from_march = month > 2 ? month - 3 : month + 9;
    const auto day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    const auto day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    constexpr std::int64_t era_days = 146097, epoch_days = 719468;
    return era * era_days + day_of_era - epoch_days;
}

int weekday_of(std::int64_t days) {
    const auto from_sunday = days + 4;  // 1970-01-01 was a Thursday.
    return static_cast<int>(from_sunday - 7 * floor_divide(from_sunday, 7));
}

CivilTime civil_from_ms(std::int64_t milliseconds) {
    const auto days = floor_divide(milliseconds, day_ms);
    auto rest = static_cast<int>(milliseconds - days * day_ms);
    CivilTime time;
    time.millisecond = rest % 1000;
    rest /= 1000;
    time.second = rest % 60;
    time.minute = rest / 60 % 60;
    time.hour = rest / 3600;
    time.weekday = weekday_of(days);

    const auto shifted = days + 719468;
    const auto era = floor_divide(shifted, 146097);
    const auto day_of_era = shifted - era * 146097;
    const auto year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const auto day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const auto month_from_march = (5 * day_of_year + 2) / 153;
    time.day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    time.month =
        static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    time.year = era * 400 + year_of_era + (time.month <= 2 ? 1 : 0);
    time.day_of_year = static_cast<int>(days - days_from_civil(time.year, 1, 1)) + 1;
    return time;
}

}  // namespace mailroom::liquid
