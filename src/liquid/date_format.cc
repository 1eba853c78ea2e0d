#include "liquid/date_format.h"

#include "liquid/civil_time.h"
#include "liquid/number_text.h"

#include <algorithm>

namespace mailroom::liquid {

namespace {

constexpr std::string_view month_names[] = {"January",   "February", "March",    "April",
                                            "May",       "June",     "July",     "August",
                                            "September", "October",  "November", "December"};
constexpr std::string_view day_names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                          "Thursday", "Friday", "Saturday"};
constexpr std::size_t width_max = 1000;  // Wide enough for any use, too narrow for a flood.

struct Directive {
    bool no_padding = false, space = false, zero = false, upper = false, swap_case = false,
         colon = false;
    std::size_t width = 0;  // 0 when none is given.
    char conversion = 0;
    std::size_t bytes = 0;  // Of all of it; 0 when it is none.
};

// %[flags][width][E or O]conversion
Directive read_directive(std::string_view text) {
    Directive directive;
    std::size_t at = 1;
    for (; at < text.size(); ++at) {
        bool* const flag = text[at] == '-'   ? &directive.no_padding
                           : text[at] == '_' ? &directive.space
                           : text[at] == '0' ? &directive.zero
                           : text[at] == '^' ? &directive.upper
                           : text[at] == '#' ? &directive.swap_case
                           : text[at] == ':' ? &directive.colon
                                             : nullptr;
        if (!flag) break;
        *flag = true;
    }
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
        const auto digit = static_cast<std::size_t>(text[at] - '0');
        directive.width = std::min(directive.width * 10 + digit, width_max);
    }
    const bool modified = at + 1 < text.size() && (text[at] == 'E' || text[at] == 'O') &&
                          text[at + 1] != '\n' && text[at + 1] != '\r';
    if (modified) ++at;
    if (at >= text.size() || text[at] == '\n' || text[at] == '\r') return directive;
    directive.conversion = text[at];
    directive.bytes = at + 1;
    return directive;
}

std::size_t default_width(char conversion) {
    if (std::string_view("CdeHIklmMSUWy").find(conversion) != std::string_view::npos) return 2;
    if (conversion == 'j' || conversion == 'L') return 3;
    return conversion == 'Y' ? 4 : 0;
}

void pad_left(std::string& text, std::size_t width, char with) {
    if (with == '0' && text.starts_with('-')) {
        if (text.size() < width) text.insert(1, width - text.size(), with);
    } else if (text.size() < width) {
        text.insert(0, width - text.size(), with);
    }
}

char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void change_case(std::string& text, const Directive& directive) {
    if (!directive.upper && !directive.swap_case) return;
    const bool has_lower = std::ranges::any_of(text, [](char c) { return c >= 'a' && c <= 'z'; });
    const bool upper = directive.upper || has_lower;
    std::ranges::transform(text, text.begin(), upper ? to_upper : to_lower);
}

class DateWriter {
public:
    explicit DateWriter(const ZonedTime& time)
        : zoned_(time), local_(civil_from_ms(time.unix_ms + time.offset_seconds * 1000LL)) {}

    // False when there is no such conversion.
    bool convert(std::string& out, const Directive& directive) const {
        return convert_name(out, directive.conversion) ||
               convert_number(out, directive.conversion) || convert_other(out, directive);
    }

private:
    static bool put(std::string& out, std::int64_t number) {
        append_number(out, number);
        return true;
    }
    static bool put(std::string& out, std::string_view text) {
        out += text;
        return true;
    }

    bool convert_name(std::string& out, char conversion) const {
        const auto& month = month_names[local_.month - 1];
        const auto& day = day_names[local_.weekday];
        switch (conversion) {
            case 'a':
                return put(out, day.substr(0, 3));
            case 'A':
                return put(out, day);
            case 'b':
            case 'h':
                return put(out, month.substr(0, 3));
            case 'B':
                return put(out, month);
            case 'p':
                return put(out, local_.hour < 12 ? "AM" : "PM");
            case 'P':
                return put(out, local_.hour < 12 ? "am" : "pm");
            case 'q':
                return put(out, ordinal());
            case 'n':
                return put(out, "\n");
            case 't':
                return put(out, "\t");
            case '%':
                return put(out, "%");
            default:
                return false;
        }
    }

    bool convert_number(std::string& out, char conversion) const {
        const auto century = (local_.year >= 0 ? local_.year : local_.year - 99) / 100;
        switch (conversion) {
            case 'C':
                return put(out, century);
            case 'd':
            case 'e':
                return put(out, local_.day);
            case 'H':
            case 'k':
                return put(out, local_.hour);
            case 'I':
            case 'l':
                return put(out, hour_of_half_day());
            case 'j':
                return put(out, local_.day_of_year);
            case 'L':
                return put(out, local_.millisecond);
            case 'm':
                return put(out, local_.month);
            case 'M':
                return put(out, local_.minute);
            case 'S':
                return put(out, local_.second);
            case 'u':
                return put(out, local_.weekday == 0 ? 7 : local_.weekday);
            case 'U':
                return put(out, week(0));
            case 'w':
                return put(out, local_.weekday);
            case 'W':
                return put(out, week(1));
            case 'y':
                return put(out, (local_.year % 100 + 100) % 100);
            case 'Y':
                return put(out, local_.year);
            default:
                return false;
        }
    }

    bool convert_other(std::string& out, const Directive& directive) const {
        switch (directive.conversion) {
            case 's': {
                const auto ms = zoned_.unix_ms;
                return put(out, (ms >= 0 ? ms : ms - 999) / 1000);
            }
            case 'N':
                return put_fraction(out, directive.width);
            case 'z':
                return put_offset(out, directive.colon);
            case 'Z':
                return zoned_.zone_name.empty() ? put_offset(out, directive.colon)
                                                : put(out, zoned_.zone_name);
            case 'x':
                return put_date(out);
            case 'X':
                return put_time(out);
            case 'c':
                put_date(out);
                out += ", ";
                return put_time(out);
            default:
                return false;
        }
    }

    int hour_of_half_day() const { return local_.hour % 12 == 0 ? 12 : local_.hour % 12; }

    // Weeks begin on `start_day`; the days before the first such day are in week 0.
    int week(int start_day) const {
        const int since_start = (local_.weekday - start_day + 7) % 7;
        return (local_.day_of_year - 1 - since_start + 7) / 7;
    }

    std::string_view ordinal() const {
        if (local_.day >= 11 && local_.day <= 13) return "th";
        switch (local_.day % 10) {
            case 1:
                return "st";
            case 2:
                return "nd";
            case 3:
                return "rd";
            default:
                return "th";
        }
    }

    static void put_padded(std::string& out, std::int64_t number, std::size_t width) {
        std::string digits;
        append_number(digits, number);
        pad_left(digits, width, '0');
        out += digits;
    }

    bool put_fraction(std::string& out, std::size_t width) const {
        constexpr std::size_t nanosecond_digits = 9;
        if (width == 0) width = nanosecond_digits;
        std::string digits;
        put_padded(digits, local_.millisecond, 3);
        digits.resize(width, '0');
        return put(out, std::string_view(digits));
    }

    bool put_offset(std::string& out, bool colon) const {
        const auto minutes = std::abs(zoned_.offset_seconds) / 60;
        out += zoned_.offset_seconds < 0 ? '-' : '+';
        put_padded(out, minutes / 60, 2);
        if (colon) out += ':';
        put_padded(out, minutes % 60, 2);
        return true;
    }

    // The American forms, which LiquidJS writes unless it is told another language.
    bool put_date(std::string& out) const {
        append_number(out, std::int64_t{local_.month});
        out += '/';
        append_number(out, std::int64_t{local_.day});
        out += '/';
        append_number(out, local_.year);
        return true;
    }

    bool put_time(std::string& out) const {
        append_number(out, std::int64_t{hour_of_half_day()});
        out += ':';
        put_padded(out, local_.minute, 2);
        out += ':';
        put_padded(out, local_.second, 2);
        out += local_.hour < 12 ? " AM" : " PM";
        return true;
    }

    const ZonedTime& zoned_;
    const CivilTime local_;
};

void append_directive(std::string& out, const DateWriter& writer, const Directive& directive,
                      std::string_view source) {
    std::string text;
    if (!writer.convert(text, directive)) {
        out += source;
        return;
    }
    change_case(text, directive);
    const bool is_spaced =
        std::string_view("aAbBceklpP").find(directive.conversion) != std::string_view::npos;
    char padding = is_spaced ? ' ' : '0';
    if (directive.zero) padding = '0';
    if (directive.space) padding = ' ';
    const auto width = directive.width ? directive.width : default_width(directive.conversion);
    if (!directive.no_padding) pad_left(text, width, padding);
    out += text;
}

}  // namespace

void append_date(std::string& out, const ZonedTime& time, std::string_view format, Budget& budget) {
    const DateWriter writer(time);
    while (!format.empty()) {
        const auto mark = format.find('%');
        out += format.substr(0, mark);
        if (mark == format.npos || out.size() > budget.bytes_left()) return;
        format.remove_prefix(mark);
        const auto directive = read_directive(format);
        const auto bytes = directive.bytes ? directive.bytes : 1;
        const auto source = format.substr(0, bytes);
        directive.bytes ? append_directive(out, writer, directive, source) : void(out += source);
        format.remove_prefix(bytes);
    }
}

}  // namespace mailroom::liquid
