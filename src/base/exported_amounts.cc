#include "base/exported_amounts.h"

#include "base/money.h"

#include <algorithm>
#include <string>

namespace mailroom {

namespace {

// What stands between thousands beside points and commas: blanks, some of them in UTF-8, and
// apostrophes.
std::string without_blanks(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        bool is_blank = false;
        for (const std::string_view blank :
             {" ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99"}) {
            if (is_blank || !text.starts_with(blank)) continue;
            text.remove_prefix(blank.size());
            is_blank = true;
        }
        if (is_blank) continue;
        plain += text.front();
        text.remove_prefix(1);
    }
    return plain;
}

// Three digits after each sign, one to three before the first.
bool are_thousands(std::string_view whole, char sign) {
    const auto first = whole.find(sign);
    if (first == whole.npos) return true;
    if (first == 0 || first > 3) return false;
    for (auto at = first; at < whole.size(); at += 4) {
        const auto digits = whole.substr(at + 1, 3);
        if (whole[at] != sign || digits.size() != 3 || digits.find(sign) != digits.npos) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::optional<char> decimal_sign_in(std::string_view text) {
    const auto point = text.rfind('.'), comma = text.rfind(',');
    if (point == text.npos && comma == text.npos) return std::nullopt;
    if (point != text.npos && comma != text.npos) return point > comma ? '.' : ',';
    const char sign = point != text.npos ? '.' : ',';
    if (std::ranges::count(text, sign) > 1) return sign == '.' ? ',' : '.';
    const auto at = text.find(sign);
    // "0.125" cannot be thousands.
    if (text.size() - at - 1 != 3 || at == 0 || at > 3 || text.starts_with('0')) return sign;
    return std::nullopt;
}

std::optional<char> decimal_sign_of(const std::vector<std::string_view>& texts) {
    std::optional<char> shown;
    for (const auto text : texts) {
        const auto sign = decimal_sign_in(text);
        if (!sign) continue;
        if (shown && *shown != *sign) return std::nullopt;
        shown = sign;
    }
    return shown;
}

Result<std::int64_t> parse_exported_cents(std::string_view text, std::optional<char> usual_sign,
                                          std::string_view currency) {
    const auto plain = without_blanks(text);
    if (plain.find_first_of(".,") == plain.npos) return parse_cents(plain, currency);
    auto sign = decimal_sign_in(plain);
    if (!sign) sign = usual_sign;
    // What has three decimals is mostly written with them.
    if (!sign && decimals_of(currency) == 3) sign = plain.find('.') != plain.npos ? '.' : ',';
    if (!sign) {
        return Error{Errc::invalid, "may be two amounts: write " + without_blanks(plain) +
                                        " with two decimals, or without a sign for thousands"};
    }
    const char thousands = *sign == '.' ? ',' : '.';
    const auto at = plain.find(*sign);
    const auto whole = plain.substr(0, at);
    if (!are_thousands(whole, thousands)) return parse_cents("x", currency);
    std::string canonical;
    std::ranges::copy_if(whole, std::back_inserter(canonical),
                         [&](char c) { return c != thousands; });
    if (at != plain.npos) canonical += "." + plain.substr(at + 1);
    return parse_cents(canonical, currency);
}

}  // namespace mailroom
