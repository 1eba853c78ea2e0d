#include "liquid/number_text.h"

#include "liquid/unicode.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace mailroom::liquid {

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double integer_max = 9007199254740992.0;  // 2^53: every integer below is exact.

struct Digits {
    std::string text;  // Without a point: d1d2d3...
    int point;         // The value is 0.d1d2d3... times ten to this power.
};

Digits shortest_digits(double number) {
    char buffer[32];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
    const auto* mark = std::find(buffer, end, 'e');
    Digits digits;
    for (const auto* c = buffer; c != mark; ++c) {
        if (*c != '.') digits.text += *c;
    }
    int exponent = 0;
    std::from_chars(mark[1] == '+' ? mark + 2 : mark + 1, end, exponent);
    digits.point = exponent + 1;
    return digits;
}

void append_exponent(std::string& out, const Digits& digits) {
    out += digits.text[0];
    if (digits.text.size() > 1) out.append(1, '.').append(digits.text, 1);
    const int exponent = digits.point - 1;
    out += exponent < 0 ? "e-" : "e+";
    append_number(out, std::int64_t{std::abs(exponent)});
}

void append_fraction(std::string& out, double number) {
    const auto digits = shortest_digits(number);
    const auto count = static_cast<int>(digits.text.size());
    if (digits.point > 21 || digits.point <= -6) {
        append_exponent(out, digits);
    } else if (digits.point <= 0) {
        out.append("0.").append(static_cast<std::size_t>(-digits.point), '0').append(digits.text);
    } else if (digits.point >= count) {
        out.append(digits.text).append(static_cast<std::size_t>(digits.point - count), '0');
    } else {
        const auto whole = static_cast<std::size_t>(digits.point);
        out.append(digits.text, 0, whole).append(1, '.').append(digits.text, whole);
    }
}

double parse_radix(std::string_view digits, int radix) {
    double number = 0;
    for (const char c : digits) {
        int digit = 99;
        if (c >= '0' && c <= '9') digit = c - '0';
        if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') digit = (c | 0x20) - 'a' + 10;
        if (digit >= radix) return not_a_number;
        number = number * radix + digit;
    }
    return digits.empty() ? not_a_number : number;
}

int radix_of(std::string_view text) {
    if (text.size() < 2 || text[0] != '0') return 0;
    switch (text[1]) {
        case 'x':
        case 'X':
            return 16;
        case 'o':
        case 'O':
            return 8;
        case 'b':
        case 'B':
            return 2;
        default:
            return 0;
    }
}

double parse_decimal(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end != text.data() + text.size()) return not_a_number;
    if (error == std::errc::result_out_of_range) {
        const auto exponent = text.find_first_of("eE");
        const bool tiny = exponent != text.npos && text[exponent + 1] == '-';
        return tiny ? 0 : std::numeric_limits<double>::infinity();
    }
    return error == std::errc{} ? number : not_a_number;
}

}  // namespace

void append_number(std::string& out, std::int64_t number) {
    char buffer[24];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    out.append(buffer, end);
}

void append_number(std::string& out, double number) {
    if (std::isnan(number)) {
        out += "NaN";
    } else if (std::abs(number) < integer_max && number == std::trunc(number)) {
        append_number(out, static_cast<std::int64_t>(number));
    } else {
        if (number < 0) out += '-';
        number = std::abs(number);
        std::isinf(number) ? void(out += "Infinity") : append_fraction(out, number);
    }
}

double parse_number(std::string_view text) {
    text = trim(text);
    if (text.empty()) return 0;
    if (const int radix = radix_of(text)) return parse_radix(text.substr(2), radix);

    const bool negative = text[0] == '-';
    if (negative || text[0] == '+') text.remove_prefix(1);
    if (text.empty()) return not_a_number;
    double number = not_a_number;
    if (text == "Infinity") {
        number = std::numeric_limits<double>::infinity();
    } else if ((text[0] >= '0' && text[0] <= '9') || text[0] == '.') {
        number = parse_decimal(text);
    }
    return negative ? -number : number;
}

double shift_decimal(double number, double exponent) {
    if (!std::isfinite(number) || !std::isfinite(exponent) || exponent != std::trunc(exponent)) {
        return not_a_number;
    }
    char buffer[32];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
    const std::string_view written(buffer, static_cast<std::size_t>(end - buffer));
    const auto mark = written.find('e');
    const auto power = parse_number(written.substr(mark + 1)) + exponent;
    std::string shifted(written.substr(0, mark));
    shifted += 'e';
    append_number(shifted, std::clamp(power, -9999.0, 9999.0));
    return parse_number(shifted);
}

}  // namespace mailroom::liquid
