#include "base/money.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

namespace mailroom {

namespace {

constexpr std::pair<std::string_view, std::string_view> signs[] = {
    {"USD", "$"}, {"EUR", "€"}, {"GBP", "£"}, {"JPY", "¥"}};

// ISO 4217, without metals, funds and codes for tests.
constexpr std::string_view codes =
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP "
    "BYN BZD CAD CDF CHF CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP "
    "GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS "
    "KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR "
    "MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF "
    "SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD "
    "TZS UAH UGX USD UYU UYW UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG ";
constexpr std::string_view without_decimals =
    "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF ";
constexpr std::string_view with_three = "BHD IQD JOD KWD LYD OMR TND ";
constexpr std::string_view with_four = "CLF UYW ";

bool has(std::string_view list, std::string_view code) {
    if (code.size() != 3) return false;
    for (std::size_t at = 0; at + 4 <= list.size(); at += 4) {
        if (list.substr(at, 3) == code) return true;
    }
    return false;
}

std::int64_t units_of(std::string_view currency) {
    std::int64_t units = 1;
    for (int i = 0; i < scale_of(currency); ++i) units *= 10;
    return units;
}

Error wrong(std::string_view currency) {
    return {Errc::invalid, decimals_of(currency) == 0 ? "must be an amount such as 1500"
                                                      : "must be an amount such as 1500.00"};
}

Error too_many_decimals(std::string_view currency) {
    const auto decimals = decimals_of(currency);
    if (decimals == 0) {
        return {Errc::invalid,
                "must be a whole number: " + std::string(currency) + " has no decimals"};
    }
    constexpr const char* words[] = {"", "one", "two", "three", "four"};
    return {Errc::invalid, std::string("must have at most ") + words[decimals] + " decimals"};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_digits(std::string_view text) { return std::ranges::all_of(text, is_digit); }

}  // namespace

bool is_currency(std::string_view text) { return has(codes, text); }

int decimals_of(std::string_view currency) {
    if (has(without_decimals, currency)) return 0;
    if (has(with_three, currency)) return 3;
    return has(with_four, currency) ? 4 : 2;
}

int scale_of(std::string_view currency) { return std::max(decimals_of(currency), 2); }

Result<std::int64_t> parse_cents(std::string_view text, std::string_view currency) {
    constexpr std::size_t digits_max = 12;
    const auto dot = text.find('.');
    const auto whole = text.substr(0, dot);
    auto fraction = dot == text.npos ? std::string_view() : text.substr(dot + 1);
    const bool good = !whole.empty() && whole.size() <= digits_max &&
                      fraction.size() <= digits_max && (dot == text.npos || !fraction.empty()) &&
                      is_digits(whole) && is_digits(fraction);
    if (!good) return wrong(currency);
    while (fraction.ends_with('0')) fraction.remove_suffix(1);
    if (fraction.size() > static_cast<std::size_t>(decimals_of(currency))) {
        return too_many_decimals(currency);
    }
    std::int64_t cents = 0;
    std::from_chars(whole.data(), whole.data() + whole.size(), cents);
    if (cents > whole_max) return Error{Errc::invalid, "is too large"};
    auto unit = units_of(currency);
    cents *= unit;
    for (const char digit : fraction) cents += (digit - '0') * (unit /= 10);
    if (cents > whole_max * units_of(currency)) return Error{Errc::invalid, "is too large"};
    return cents;
}

Result<std::int64_t> cents_of(double amount, std::string_view currency) {
    // Of the least unit: what binary fractions get wrong, many times over.
    constexpr double error_max = 1e-3;
    const auto units = static_cast<double>(units_of(currency));
    const double cents = amount * units;
    if (!(cents >= 0)) return wrong(currency);
    if (amount > static_cast<double>(whole_max)) return Error{Errc::invalid, "is too large"};
    const double least = units / std::pow(10.0, decimals_of(currency));
    if (std::abs(cents - least * std::round(cents / least)) > error_max) {
        return too_many_decimals(currency);
    }
    return std::llround(cents);
}

std::string decimal_text(std::int64_t cents, std::string_view currency) {
    const auto units = units_of(currency);
    const auto sign = cents < 0 ? "-" : "";
    const auto whole = std::to_string(std::abs(cents) / units);
    auto rest = std::to_string(units + std::abs(cents) % units).substr(1);
    // What was kept before its currency was known to have none.
    if (decimals_of(currency) == 0 && std::abs(cents) % units == 0) return sign + whole;
    return sign + whole + "." + rest;
}

std::string money_text(std::int64_t cents, std::string_view currency) {
    auto text = decimal_text(cents, currency);
    // A comma before each three digits of the whole part.
    for (auto at = std::min(text.find('.'), text.size()); at > 3;) text.insert(at -= 3, 1, ',');
    const auto found =
        std::ranges::find(signs, currency, &std::pair<std::string_view, std::string_view>::first);
    if (found != std::end(signs)) return std::string(found->second) + text;
    return text + " " + std::string(currency);
}

std::vector<std::pair<std::string, std::int64_t>> amounts_in(std::string_view text,
                                                             std::string_view currency) {
    const auto ends_with_mark = [](std::string_view before) {
        if (before.ends_with(' ')) before.remove_suffix(1);
        const bool has_sign = std::ranges::any_of(
            signs, [&](const auto& sign) { return before.ends_with(sign.second); });
        return has_sign || (before.size() >= 3 && is_currency(before.substr(before.size() - 3)));
    };
    const auto begins_with_mark = [](std::string_view after) {
        if (after.starts_with(' ')) after.remove_prefix(1);
        // "INV-001 $1,000.00": that sign belongs to what follows.
        const bool has_sign = std::ranges::any_of(signs, [&](const auto& sign) {
            const auto size = sign.second.size();
            return after.starts_with(sign.second) &&
                   (after.size() == size || !is_digit(after[size]));
        });
        return has_sign || is_currency(after.substr(0, 3));
    };
    std::vector<std::pair<std::string, std::int64_t>> found;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!is_digit(text[at])) continue;
        auto end = text.find_first_not_of("0123456789.,", at);
        end = std::min(end, text.size());
        auto written = text.substr(at, end - at);
        while (!is_digit(written.back())) written.remove_suffix(1);
        const bool is_money = ends_with_mark(text.substr(0, at)) ||
                              begins_with_mark(text.substr(at + written.size()));
        const auto decimal_sign = written.find_last_of(".,");
        std::string plain;
        for (std::size_t i = 0; i < written.size(); ++i) {
            // Three digits after a sign are thousands, but for currencies with three decimals.
            const bool is_decimal =
                i == decimal_sign &&
                (written.size() - i - 1 != 3 || (decimals_of(currency) == 3 && written[i] == '.'));
            if (is_digit(written[i])) plain += written[i];
            if (is_decimal) plain += '.';
        }
        const auto cents = parse_cents(plain, currency);
        if (is_money) found.emplace_back(written, cents ? *cents : -1);
        at = end;
    }
    return found;
}

}  // namespace mailroom
