#include "liquid/date_parse.h"

#include "liquid/civil_time.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace mailroom::liquid {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_between(std::int64_t number, std::int64_t low, std::int64_t high) {
    return number >= low && number <= high;
}

// What was found, in the parts that make a moment.
struct Parts {
    std::int64_t year = 0, month = 1, day = 1;
    std::int64_t hour = 0, minute = 0, second = 0, millisecond = 0;
    std::int64_t offset_minutes = 0;  // East of UTC.

    std::optional<std::int64_t> moment() const {
        const bool is_day = is_between(month, 1, 12) && is_between(day, 1, 31);
        const bool is_time = is_between(hour, 0, 23) && is_between(minute, 0, 59) &&
                             is_between(second, 0, 59) && is_between(millisecond, 0, 999);
        const bool is_midnight = hour == 24 && minute == 0 && second == 0 && millisecond == 0;
        if (!is_day || !(is_time || is_midnight) || std::abs(year) > 300'000) return std::nullopt;
        const auto minutes =
            (days_from_civil(year, month, day) * 24 + hour) * 60 + minute - offset_minutes;
        const auto moment = (minutes * 60 + second) * 1000 + millisecond;
        if (!is_date_in_range(static_cast<double>(moment))) return std::nullopt;
        return moment;
    }
};

class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    bool at_end() const { return rest_.empty(); }
    char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
    bool skip(char c) {
        if (peek() != c || rest_.empty()) return false;
        rest_.remove_prefix(1);
        return true;
    }
    char take() {
        const char c = peek();
        rest_.remove_prefix(1);
        return c;
    }
    struct Number {
        std::int64_t value = 0;
        std::size_t digits = 0;
    };
    Number number() {
        Number number;
        while (is_digit(peek()) && !at_end()) {
            const int digit = take() - '0';
            if (++number.digits <= 9) number.value = number.value * 10 + digit;
        }
        return number;
    }
    // Exactly so many digits, and none after them.
    bool fixed(std::size_t digits, std::int64_t& value) {
        const auto found = number();
        value = found.value;
        return found.digits == digits;
    }
    // The digits after a point, as thousandths.
    std::int64_t fraction() {
        std::int64_t value = 0;
        int digits = 0;
        while (is_digit(peek()) && !at_end()) {
            const int digit = take() - '0';
            if (digits < 3) {
                value = value * 10 + digit;
                ++digits;
            }
        }
        for (; digits < 3; ++digits) value *= 10;
        return value;
    }
    std::string_view word() {
        std::size_t letters = 0;
        while (letters < rest_.size() && is_letter(rest_[letters])) ++letters;
        const auto word = rest_.substr(0, letters);
        rest_.remove_prefix(letters);
        return word;
    }

private:
    std::string_view rest_;
};

// YYYY[-MM[-DD]][Thh:mm[:ss[.fff]][Z or +hh:mm or +hhmm]], or with a sign and six digits of year.
class IsoReader {
public:
    explicit IsoReader(std::string_view text) : reader_(text) {}

    std::optional<Parts> read() {
        if (!read_date()) return std::nullopt;
        if (reader_.at_end()) return parts_;
        if (!reader_.skip('T') && !reader_.skip('t')) return std::nullopt;
        if (!read_time() || !read_zone() || !reader_.at_end()) return std::nullopt;
        return parts_;
    }

private:
    bool read_date() {
        const bool negative = reader_.peek() == '-', is_signed = negative || reader_.peek() == '+';
        if (is_signed) reader_.take();
        if (!reader_.fixed(is_signed ? 6 : 4, parts_.year)) return false;
        if (negative) parts_.year = -parts_.year;
        if (reader_.skip('-') && !reader_.fixed(2, parts_.month)) return false;
        return !reader_.skip('-') || reader_.fixed(2, parts_.day);
    }

    bool read_time() {
        if (!reader_.fixed(2, parts_.hour) || !reader_.skip(':')) return false;
        if (!reader_.fixed(2, parts_.minute)) return false;
        if (!reader_.skip(':')) return true;
        if (!reader_.fixed(2, parts_.second)) return false;
        if (reader_.skip('.')) {
            if (!is_digit(reader_.peek())) return false;
            parts_.millisecond = reader_.fraction();
        }
        return true;
    }

    bool read_zone() {
        if (reader_.skip('Z') || reader_.skip('z')) return true;
        const char sign = reader_.peek();
        if (sign != '+' && sign != '-') return true;
        reader_.take();
        auto [hours, digits] = reader_.number();
        std::int64_t minutes = hours % 100;
        if (digits == 4) {
            hours /= 100;
        } else if (digits != 2 || !reader_.skip(':') || !reader_.fixed(2, minutes)) {
            return false;
        }
        parts_.offset_minutes = (hours * 60 + minutes) * (sign == '-' ? -1 : 1);
        return hours <= 23 && minutes <= 59;
    }

    Reader reader_;
    Parts parts_;
};

struct Keyword {
    enum class Type { month, half_day, zone, other } type = Type::other;
    std::int64_t value = 0;
};

// Months may be written out; everything else is exact.
Keyword keyword_of(std::string_view word) {
    using Type = Keyword::Type;
    struct Row {
        std::string_view text;
        Keyword keyword;
    };
    static constexpr Row rows[] = {
        {"jan", {Type::month, 1}},   {"feb", {Type::month, 2}},    {"mar", {Type::month, 3}},
        {"apr", {Type::month, 4}},   {"may", {Type::month, 5}},    {"jun", {Type::month, 6}},
        {"jul", {Type::month, 7}},   {"aug", {Type::month, 8}},    {"sep", {Type::month, 9}},
        {"oct", {Type::month, 10}},  {"nov", {Type::month, 11}},   {"dec", {Type::month, 12}},
        {"am", {Type::half_day, 0}}, {"pm", {Type::half_day, 12}}, {"ut", {Type::zone, 0}},
        {"utc", {Type::zone, 0}},    {"z", {Type::zone, 0}},       {"gmt", {Type::zone, 0}},
        {"cdt", {Type::zone, -5}},   {"cst", {Type::zone, -6}},    {"edt", {Type::zone, -4}},
        {"est", {Type::zone, -5}},   {"mdt", {Type::zone, -6}},    {"mst", {Type::zone, -7}},
        {"pdt", {Type::zone, -7}},   {"pst", {Type::zone, -8}},
    };
    const auto same = [](char a, char b) { return (a | 0x20) == b; };
    for (const auto& [text, keyword] : rows) {
        const auto head = keyword.type == Type::month ? word.substr(0, text.size()) : word;
        if (std::ranges::equal(head, text, same)) return keyword;
    }
    return {};
}

// The parts in any order that leaves no doubt. Words before the first number mean nothing.
class LooseReader {
public:
    explicit LooseReader(std::string_view text) : reader_(text) {}

    std::optional<Parts> read() {
        while (!reader_.at_end()) {
            if (!read_token()) return std::nullopt;
        }
        if (!place_day() || !place_time()) return std::nullopt;
        parts_.offset_minutes =
            zone_sign_ * (zone_hours_ * 60 + std::max<std::int64_t>(zone_minutes_, 0));
        return parts_;
    }

private:
    bool read_token() {
        const char c = reader_.peek();
        if (is_digit(c)) return read_number();
        if (is_letter(c)) return read_word();
        if (c == '(') return skip_parentheses();
        const bool is_sign = c == '+' || c == '-';
        reader_.take();
        if (is_sign && (zone_is_utc_ || time_count_ > 0)) return read_offset(c);
        return !((is_sign || c == ')') && has_number_);
    }

    bool skip_parentheses() {
        int depth = 0;
        do {
            const char c = reader_.take();
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        } while (depth > 0 && !reader_.at_end());
        return true;
    }

    bool expects_time(std::int64_t number) const {
        return (time_count_ == 1 || time_count_ == 2) ? is_between(number, 0, 59)
                                                      : time_count_ == 3 && number <= 999;
    }
    bool add_time(std::int64_t number) {
        if (time_count_ >= time_.size()) return false;
        time_[time_count_++] = number;
        return true;
    }

    bool read_number() {
        has_number_ = true;
        const auto [number, digits] = reader_.number();
        if (reader_.skip(':')) return reader_.peek() != ':' && add_time(number);
        if (reader_.peek() == '.' && expects_time(number)) {
            reader_.take();
            if (!add_time(number) || !is_digit(reader_.peek())) return false;
            time_count_ = 3;
            return add_time(reader_.fraction());
        }
        if (zone_minutes_ == minutes_wanted) {
            zone_minutes_ = number;
            return number <= 59;
        }
        if (expects_time(number)) {
            add_time(number);
            time_count_ = time_.size();
            const char next = reader_.peek();
            return reader_.at_end() || is_blank(next) || (next | 0x20) == 'z' || next == '+' ||
                   next == '-';
        }
        if (day_count_ >= day_.size()) return false;
        day_[day_count_++] = number;
        reader_.skip('-');
        return true;
    }

    bool read_word() {
        const auto keyword = keyword_of(reader_.word());
        if (keyword.type == Keyword::Type::half_day && time_count_ > 0) {
            half_day_ = keyword.value;
        } else if (keyword.type == Keyword::Type::month) {
            named_month_ = keyword.value;
            reader_.skip('-');
        } else if (keyword.type == Keyword::Type::zone && has_number_) {
            zone_is_utc_ = keyword.value == 0;
            zone_sign_ = keyword.value < 0 ? -1 : 1;
            zone_hours_ = std::abs(keyword.value);
            zone_minutes_ = 0;
        } else {
            return !has_number_ && !is_digit(reader_.peek());
        }
        return true;
    }

    // +h, +hh, +hmm, +hhmm or +hh:mm
    bool read_offset(char sign) {
        const auto [number, digits] = reader_.number();
        if (digits > 0) has_number_ = true;
        zone_sign_ = sign == '-' ? -1 : 1;
        zone_is_utc_ = false;
        zone_hours_ = digits > 2 ? number / 100 : number;
        zone_minutes_ = digits > 2 ? number % 100 : 0;
        if (reader_.skip(':')) {
            zone_hours_ = number;
            zone_minutes_ = minutes_wanted;
            return true;
        }
        return digits >= 1 && digits <= 4 && zone_minutes_ <= 59;
    }

    bool place_day() {
        if (day_count_ == 0) return false;
        const bool first_is_day = is_between(day_[0], 1, 31);
        if (named_month_ != 0) {
            parts_.month = named_month_;
            parts_.day = first_is_day ? day_[0] : day_[1];
            parts_.year = first_is_day ? day_[1] : day_[0];
        } else if (!first_is_day) {
            parts_.year = day_[0];
            parts_.month = day_[1];
            parts_.day = day_[2];
        } else {
            parts_.month = day_[0];
            parts_.day = day_[1];
            parts_.year = day_[2];
        }
        if (is_between(parts_.year, 0, 49)) parts_.year += 2000;
        if (is_between(parts_.year, 50, 99)) parts_.year += 1900;
        return true;
    }

    bool place_time() {
        parts_.hour = time_[0];
        parts_.minute = time_[1];
        parts_.second = time_[2];
        parts_.millisecond = time_[3];
        if (half_day_ < 0) return true;
        if (!is_between(parts_.hour, 0, 12)) return false;
        parts_.hour = parts_.hour % 12 + half_day_;
        return true;
    }

    static constexpr std::int64_t minutes_wanted = -1;

    Reader reader_;
    Parts parts_;
    bool has_number_ = false;
    std::array<std::int64_t, 3> day_ = {1, 1, 1};
    std::size_t day_count_ = 0;
    std::int64_t named_month_ = 0;
    std::array<std::int64_t, 4> time_ = {};
    std::size_t time_count_ = 0;
    std::int64_t half_day_ = -1;
    bool zone_is_utc_ = false;
    std::int64_t zone_sign_ = 1, zone_hours_ = 0, zone_minutes_ = 0;
};

}  // namespace

bool is_date_in_range(double unix_ms) { return std::abs(unix_ms) <= 8.64e15; }

std::optional<std::int64_t> parse_date(std::string_view text) {
    constexpr std::size_t text_bytes_max = 200;  // The longest form that makes sense has 80.
    if (text.size() > text_bytes_max) return std::nullopt;
    auto parts = IsoReader(text).read();
    if (!parts) parts = LooseReader(text).read();
    return parts ? parts->moment() : std::nullopt;
}

}  // namespace mailroom::liquid
