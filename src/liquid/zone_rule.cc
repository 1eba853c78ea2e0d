#include "liquid/civil_time.h"
#include "liquid/time_zone.h"

namespace mailroom::liquid {

namespace {

constexpr std::int64_t day_seconds = 86400;

}  // namespace

// The grammar of RFC 8536, section 3.3.1:  std offset [dst [offset] , change , change]
class RuleReader {
public:
    explicit RuleReader(std::string_view text) : rest_(text) {}

    std::optional<ZoneRule> read() {
        ZoneRule rule;
        std::int32_t west = 0;
        if (!skip_name() || !read_time(west)) return std::nullopt;
        rule.standard_offset_ = -west;
        if (rest_.empty()) return rule;
        rule.has_summer_ = true;
        rule.summer_offset_ = rule.standard_offset_ + 3600;
        if (!skip_name()) return std::nullopt;
        if (!rest_.starts_with(',')) {
            if (!read_time(west)) return std::nullopt;
            rule.summer_offset_ = -west;
        }
        if (!read_change(rule.begin_) || !read_change(rule.end_) || !rest_.empty()) {
            return std::nullopt;
        }
        return rule;
    }

private:
    bool skip(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    bool skip_name() {
        if (skip('<')) {
            const auto end = rest_.find('>');
            if (end == rest_.npos) return false;
            rest_.remove_prefix(end + 1);
            return true;
        }
        std::size_t letters = 0;
        while (letters < rest_.size() && (rest_[letters] | 0x20) >= 'a' &&
               (rest_[letters] | 0x20) <= 'z') {
            ++letters;
        }
        rest_.remove_prefix(letters);
        return letters >= 3;
    }

    bool read_number(int& number, int most) {
        number = 0;
        std::size_t digits = 0;
        for (; digits < 3 && digits < rest_.size(); ++digits) {
            if (rest_[digits] < '0' || rest_[digits] > '9') break;
            number = number * 10 + (rest_[digits] - '0');
        }
        rest_.remove_prefix(digits);
        return digits > 0 && number <= most;
    }

    // [+-]hh[:mm[:ss]]
    bool read_time(std::int32_t& seconds) {
        const bool negative = skip('-');
        if (!negative) skip('+');
        int hours = 0, minutes = 0, rest = 0;
        if (!read_number(hours, 167)) return false;
        if (skip(':') && !read_number(minutes, 59)) return false;
        if (skip(':') && !read_number(rest, 59)) return false;
        seconds = hours * 3600 + minutes * 60 + rest;
        if (negative) seconds = -seconds;
        return true;
    }

    // ,Mm.w.d or ,Jn or ,n; then [/time]
    bool read_change(ZoneRule::Change& change) {
        using Form = ZoneRule::Change::Form;
        if (!skip(',')) return false;
        bool valid = false;
        if (skip('M')) {
            change.form = Form::month_week_day;
            valid = read_number(change.month, 12) && skip('.') && read_number(change.week, 5) &&
                    skip('.') && read_number(change.day, 6) && change.month > 0 && change.week > 0;
        } else if (skip('J')) {
            change.form = Form::julian;
            valid = read_number(change.day, 365) && change.day > 0;
        } else {
            change.form = Form::zero_based;
            valid = read_number(change.day, 365);
        }
        return valid && (!skip('/') || read_time(change.seconds));
    }

    std::string_view rest_;
};

std::optional<ZoneRule> ZoneRule::parse(std::string_view text) { return RuleReader(text).read(); }

// The moment of a change in seconds since 1970, as the clocks on the wall show it.
std::int64_t ZoneRule::local_start(const Change& change, std::int64_t year) {
    std::int64_t day = 0;
    switch (change.form) {
        case Change::Form::julian: {  // February 29 is never counted.
            const bool is_after = is_leap_year(year) && change.day >= 60;
            day = days_from_civil(year, 1, 1) + change.day - (is_after ? 0 : 1);
            break;
        }
        case Change::Form::zero_based:
            day = days_from_civil(year, 1, 1) + change.day;
            break;
        case Change::Form::month_week_day: {
            const auto first = days_from_civil(year, change.month, 1);
            const auto ahead = (change.day - weekday_of(first) + 7) % 7;
            day = first + ahead + 7 * (change.week - 1);
            while (day >= first + days_in_month(year, change.month)) day -= 7;
        }
    }
    return day * day_seconds + change.seconds;
}

std::int32_t ZoneRule::offset_at(std::int64_t unix_seconds) const {
    if (!has_summer_) return standard_offset_;
    const auto year = civil_from_ms((unix_seconds + standard_offset_) * 1000).year;
    const auto begin = local_start(begin_, year) - standard_offset_;
    const auto end = local_start(end_, year) - summer_offset_;
    const bool summer = begin < end ? unix_seconds >= begin && unix_seconds < end
                                    : unix_seconds >= begin || unix_seconds < end;
    return summer ? summer_offset_ : standard_offset_;
}

}  // namespace mailroom::liquid
