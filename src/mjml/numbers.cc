#include "mjml/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <vector>

namespace mailroom::mjml {
namespace {

constexpr std::string_view space = " \t\n\r\f";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_leading_space(std::string_view text) {
    const auto begin = text.find_first_not_of(space);
    return begin == text.npos ? std::string_view() : text.substr(begin);
}

std::optional<double> parse(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto digits = text.starts_with('-') ? text.substr(1) : text;
    // Without this "inf" would be a number.
    if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.')) return std::nullopt;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    return number;
}

std::vector<std::string_view> words(std::string_view text, std::size_t count_max) {
    std::vector<std::string_view> found;
    while (found.size() < count_max) {
        text = without_leading_space(text);
        if (text.empty()) break;
        const auto end = std::min(text.find_first_of(space), text.size());
        found.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return found;
}

// `[\d.,]*(\D*)$`: what follows the last digit.
std::string_view unit_of(std::string_view text) {
    std::size_t begin = text.size();
    while (begin > 0 && !is_digit(text[begin - 1])) --begin;
    while (begin < text.size() && (text[begin] == '.' || text[begin] == ',')) ++begin;
    return text.substr(begin);
}

}  // namespace

std::optional<double> leading_number(std::string_view text) {
    return parse(without_leading_space(text));
}

std::optional<double> leading_integer(std::string_view text) {
    text = without_leading_space(text);
    std::size_t end = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const auto begin = end;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end == begin) return std::nullopt;
    return parse(text.substr(0, end));
}

std::string number_text(double number) {
    std::array<char, 400> buffer;
    const auto size = std::abs(number);
    const bool plain = size == 0 || (size >= 1e-6 && size < 1e21);
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    if (size == 0) number = 0;  // Not "-0".
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format);
    return {buffer.data(), end};
}

std::optional<Width> parse_width(std::string_view text, Percent percent) {
    std::string unit(unit_of(text));
    const bool exact = unit == "%" && percent == Percent::exact;
    const auto number = exact ? leading_number(text) : leading_integer(text);
    if (!number) return std::nullopt;
    if (unit.empty()) unit = "px";
    return Width{*number, std::move(unit)};
}

double shorthand_side(std::string_view value, Side side) {
    constexpr std::size_t places[4][4] = {{0, 0, 0, 0}, {0, 1, 0, 1}, {0, 1, 2, 1}, {0, 1, 2, 3}};
    const auto found = words(value, 4);
    if (found.empty()) return 0;
    const auto place = places[found.size() - 1][static_cast<std::size_t>(side)];
    return leading_integer(found[place]).value_or(0);
}

double border_width(std::string_view border) {
    for (std::size_t at = 0; at < border.size(); ++at) {
        if (is_digit(border[at]) && (at == 0 || border[at - 1] == ' ')) {
            return leading_integer(border.substr(at)).value_or(0);
        }
    }
    return 0;
}

}  // namespace mailroom::mjml
