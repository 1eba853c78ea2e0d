#include "reminders/money.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace mailroom::reminders {

namespace {

constexpr std::pair<std::string_view, std::string_view> signs[] = {
    {"USD", "$"}, {"EUR", "€"}, {"GBP", "£"}, {"JPY", "¥"}};

Error wrong() { return {Errc::invalid, "must be an amount such as 1500.00"}; }

bool is_digits(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Result<std::int64_t> parse_cents(std::string_view text) {
    constexpr std::size_t digits_max = 12;
    const auto dot = text.find('.');
    const auto whole = text.substr(0, dot);
    const auto fraction = dot == text.npos ? std::string_view() : text.substr(dot + 1);
    const bool good = !whole.empty() && whole.size() <= digits_max && fraction.size() <= 2 &&
                      (dot == text.npos || !fraction.empty()) && is_digits(whole) &&
                      is_digits(fraction);
    if (!good) return wrong();
    std::int64_t cents = 0;
    std::from_chars(whole.data(), whole.data() + whole.size(), cents);
    cents *= 100;
    if (!fraction.empty()) cents += (fraction[0] - '0') * 10;
    if (fraction.size() == 2) cents += fraction[1] - '0';
    if (cents > cents_max) return Error{Errc::invalid, "is too large"};
    return cents;
}

Result<std::int64_t> cents_of(double amount) {
    constexpr double error_max =
        1e-3;  // Of a cent: what binary fractions get wrong, many times over.
    const double cents = amount * 100;
    if (!(cents >= 0)) return wrong();
    if (cents > static_cast<double>(cents_max)) return Error{Errc::invalid, "is too large"};
    if (std::abs(cents - std::round(cents)) > error_max) {
        return Error{Errc::invalid, "must have at most two decimals"};
    }
    return std::llround(cents);
}

std::string decimal_text(std::int64_t cents) {
    auto text = std::to_string(cents / 100) + ".";
    const auto rest = cents % 100;
    if (rest < 10) text += '0';
    return text + std::to_string(rest);
}

std::string money_text(std::int64_t cents, std::string_view currency) {
    auto text = decimal_text(cents);
    // A comma before each three digits of the whole part.
    for (auto at = text.size() - 3; at > 3;) text.insert(at -= 3, 1, ',');
    const auto found =
        std::ranges::find(signs, currency, &std::pair<std::string_view, std::string_view>::first);
    if (found != std::end(signs)) return std::string(found->second) + text;
    return text + " " + std::string(currency);
}

bool is_currency(std::string_view text) {
    return text.size() == 3 &&
           std::ranges::all_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace mailroom::reminders
