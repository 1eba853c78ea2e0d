// Filters for links and encodings.
#include "liquid/coerce.h"
#include "liquid/filter.h"
#include "liquid/unicode.h"

#include <algorithm>
#include <optional>

namespace mailroom::liquid {

namespace {

constexpr auto npos = std::string_view::npos;
constexpr std::string_view component_marks = "-_.!~*'()";
constexpr std::string_view uri_marks = "-_.!~*'();/?:@&=+$,#[]";

bool is_alphanumeric(char c) {
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

// Everything but letters, digits and `marks` becomes %XX, byte by byte.
std::string percent_encoded(std::string_view text, std::string_view marks) {
    constexpr std::string_view hex = "0123456789ABCDEF";
    std::string made;
    for (const char c : text) {
        if (is_alphanumeric(c) || marks.find(c) != npos) {
            made += c;
        } else {
            made += '%';
            made += hex[static_cast<unsigned char>(c) >> 4];
            made += hex[static_cast<unsigned char>(c) & 15];
        }
    }
    return made;
}

std::string spaces_as_plus(std::string_view text, std::string_view marks) {
    std::string made;
    while (!text.empty()) {
        const auto space = text.find(' ');
        made += percent_encoded(text.substr(0, space), marks);
        if (space == npos) break;
        made += '+';
        text.remove_prefix(space + 1);
    }
    return made;
}

Value url_encode(FilterCall& call) {
    return call.keep(spaces_as_plus(call.text(call.input), component_marks));
}

Value cgi_escape(FilterCall& call) {
    return call.keep(spaces_as_plus(call.text(call.input), "-_.~"));
}

Value uri_escape(FilterCall& call) {
    return call.keep(percent_encoded(call.text(call.input), uri_marks));
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const auto [code, bytes] = first_character(text);
        if (code == 0xfffd && bytes == 1) return false;
        text.remove_prefix(bytes);
    }
    return true;
}

Value url_decode(FilterCall& call) {
    const auto text = call.text(call.input);
    std::string made;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '%') {
            made += text[at] == '+' ? ' ' : text[at];
            continue;
        }
        const int high = at + 2 < text.size() ? hex_value(text[at + 1]) : -1;
        const int low = at + 2 < text.size() ? hex_value(text[at + 2]) : -1;
        if (high < 0 || low < 0) return call.fail("url_decode: malformed % sequence");
        made += static_cast<char>(high * 16 + low);
        at += 2;
    }
    if (!is_utf8(made)) return call.fail("url_decode: not UTF-8");
    return call.keep(made);
}

constexpr std::string_view base64_digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

Value base64_encode(FilterCall& call) {
    const auto text = call.text(call.input);
    std::string made;
    for (std::size_t at = 0; at < text.size(); at += 3) {
        const auto group = text.substr(at, 3);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            bits = bits << 8 | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            made += i <= group.size() ? base64_digits[bits >> (18 - 6 * i) & 63] : '=';
        }
    }
    return call.keep(made);
}

// The digits without white space and padding; none when something else is in there.
std::optional<std::string> base64_only(std::string_view text) {
    std::string digits;
    for (const char c : text) {
        if (c != ' ' && !(c >= '\t' && c <= '\r' && c != '\v')) digits += c;
    }
    if (digits.size() % 4 == 0) {
        for (int i = 0; i < 2 && digits.ends_with('='); ++i) digits.pop_back();
    }
    const bool valid = digits.size() % 4 != 1 && digits.find_first_not_of(base64_digits) == npos;
    return valid ? std::optional(digits) : std::nullopt;
}

Value base64_decode(FilterCall& call) {
    const auto digits = base64_only(call.text(call.input));
    if (!digits) return call.fail("base64_decode: the input is not base64");
    std::string bytes, made;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : *digits) {
        bits = bits << 6 | static_cast<std::uint32_t>(base64_digits.find(c));
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 0xff);
    }
    append_valid(made, bytes);
    return call.keep(made);
}

std::string_view without_accent(char32_t code) {
    struct Group {
        std::u32string_view accented;
        std::string_view plain;
    };
    static constexpr Group groups[] = {
        {U"àáâãäå", "a"}, {U"æ", "ae"}, {U"ç", "c"},  {U"èéêë", "e"},
        {U"ìíîï", "i"},   {U"ð", "d"},  {U"ñ", "n"},  {U"òóôõöø", "o"},
        {U"ùúûü", "u"},   {U"ýÿ", "y"}, {U"ß", "ss"}, {U"œ", "oe"},
        {U"þ", "th"},     {U"ẞ", "SS"}, {U"Œ", "OE"}, {U"Þ", "TH"},
    };
    for (const auto& group : groups) {
        if (group.accented.find(code) != std::u32string_view::npos) return group.plain;
    }
    return {};
}

bool stays_in_slug(char32_t code, std::string_view mode) {
    if (mode == "raw") return !is_space(code);
    if (mode == "ascii") return code < 0x80 && is_alphanumeric(static_cast<char>(code));
    if (mode == "pretty" && code < 0x80) {
        constexpr std::string_view marks = "._~!$&'()+,;=@";
        if (marks.find(static_cast<char>(code)) != npos) return true;
    }
    return is_word_part(code);
}

std::string slug_of(std::string_view text, std::string_view mode) {
    std::string made;
    bool in_gap = false;
    while (!text.empty()) {
        const auto [code, bytes] = first_character(text);
        const auto plain = mode == "latin" ? without_accent(code) : std::string_view();
        const bool stays = !plain.empty() || stays_in_slug(code, mode);
        if (stays) made += plain.empty() ? text.substr(0, bytes) : plain;
        if (!stays && !in_gap) made += '-';
        in_gap = !stays;
        text.remove_prefix(bytes);
    }
    if (made.starts_with('-')) made.erase(0, 1);
    if (made.ends_with('-')) made.pop_back();
    return made;
}

Value slugify(FilterCall& call) {
    const auto mode = call.has(0) ? call.text(call.argument(0)) : "default";
    const bool keeps_case = !is_falsy(call.argument(1));
    constexpr std::string_view modes[] = {"raw", "default", "pretty", "ascii", "latin"};
    const bool is_known = std::ranges::find(modes, mode) != std::end(modes);
    const auto text = call.text(call.input);
    const auto slug = is_known ? slug_of(text, mode) : std::string(text);
    std::string made;
    if (!keeps_case) append_lower(made, slug);
    return call.keep(keeps_case ? slug : made);
}

constexpr FilterEntry url_entries[] = {
    {"base64_decode", base64_decode}, {"base64_encode", base64_encode},
    {"cgi_escape", cgi_escape},       {"slugify", slugify},
    {"uri_escape", uri_escape},       {"url_decode", url_decode},
    {"url_encode", url_encode},
};

}  // namespace

std::span<const FilterEntry> url_filters() { return url_entries; }

}  // namespace mailroom::liquid
