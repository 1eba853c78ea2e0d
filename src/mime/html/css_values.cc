#include "base/text.h"
#include "mime/html/css.h"
#include "mime/html/css_scan.h"

#include <algorithm>
#include <initializer_list>

namespace mailroom::mime::html {
namespace {

constexpr std::size_t value_bytes_max = 256;  // A long list of fonts.
constexpr std::size_t name_bytes_max = 64;

// Sorted. Left out on purpose: position, z-index, transform (cover other content), content, cursor,
// behavior, animation, filter, and all that take images.
constexpr std::string_view properties[] = {
    "background",
    "background-color",
    "border",
    "border-bottom",
    "border-bottom-color",
    "border-bottom-left-radius",
    "border-bottom-right-radius",
    "border-bottom-style",
    "border-bottom-width",
    "border-collapse",
    "border-color",
    "border-left",
    "border-left-color",
    "border-left-style",
    "border-left-width",
    "border-radius",
    "border-right",
    "border-right-color",
    "border-right-style",
    "border-right-width",
    "border-spacing",
    "border-style",
    "border-top",
    "border-top-color",
    "border-top-left-radius",
    "border-top-right-radius",
    "border-top-style",
    "border-top-width",
    "border-width",
    "box-sizing",
    "caption-side",
    "clear",
    "color",
    "direction",
    "display",
    "empty-cells",
    "float",
    "font",
    "font-family",
    "font-size",
    "font-style",
    "font-variant",
    "font-weight",
    "height",
    "letter-spacing",
    "line-height",
    "list-style",
    "list-style-position",
    "list-style-type",
    "margin",
    "margin-bottom",
    "margin-left",
    "margin-right",
    "margin-top",
    "max-height",
    "max-width",
    "min-height",
    "min-width",
    "opacity",
    "overflow",
    "overflow-wrap",
    "padding",
    "padding-bottom",
    "padding-left",
    "padding-right",
    "padding-top",
    "table-layout",
    "text-align",
    "text-decoration",
    "text-indent",
    "text-transform",
    "vertical-align",
    "visibility",
    "white-space",
    "width",
    "word-break",
    "word-spacing",
    "word-wrap",
};
static_assert(std::ranges::is_sorted(properties));

bool is_one_of(std::string_view value, std::initializer_list<std::string_view> allowed) {
    return std::ranges::find(allowed, value) != allowed.end();
}

// The word that ends just before `at`.
std::string_view word_before(std::string_view text, std::size_t at) {
    auto begin = at;
    while (begin > 0 && is_name_character(text[begin - 1])) --begin;
    return text.substr(begin, at - begin);
}

// A quoted font name, whose quotes become single ones. False if it is not closed or holds anything
// but letters, digits, spaces, `-` and `_`.
bool copy_quoted(std::string_view value, std::size_t& at, std::string& out) {
    const auto close = value.find(value[at], at + 1);
    if (close == value.npos) return false;
    const auto inside = value.substr(at + 1, close - at - 1);
    const auto is_plain = [](char c) { return is_name_character(c) || c == ' '; };
    if (!std::ranges::all_of(inside, is_plain)) return false;
    out += '\'';
    out += inside;
    out += '\'';
    at = close;
    return true;
}

// Empty for a value with anything in it that is not a plain word, number, colour or font name.
std::string safe_value(std::string_view value) {
    std::string out;
    int open = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char c = value[i];
        if (c == '\'' || c == '"') {
            if (!copy_quoted(value, i, out)) return {};
            continue;
        }
        if (c == '(') {
            const auto function = ascii_lower(word_before(value, i));
            if (open++ > 0 || !is_one_of(function, {"rgb", "rgba", "hsl", "hsla"})) return {};
        } else if (c == ')') {
            if (--open < 0) return {};
        } else if (!is_name_character(c) &&
                   std::string_view(" #%.,+/!").find(c) == std::string_view::npos) {
            return {};
        }
        if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
        out += c;
    }
    return open == 0 ? out : std::string();
}

bool has_negative_number(std::string_view value) {
    for (std::size_t i = 0; i + 1 < value.size(); ++i) {
        const char next = value[i + 1];
        const bool number = (next >= '0' && next <= '9') || next == '.';
        if (value[i] == '-' && number && (i == 0 || !is_name_character(value[i - 1]))) return true;
    }
    return false;
}

bool is_allowed(std::string_view property, std::string_view value) {
    if (value.empty() || value.size() > value_bytes_max) return false;
    if (!std::ranges::binary_search(properties, property)) return false;
    if (property == "display") {
        const auto word = ascii_lower(value.substr(0, value.find(' ')));
        return word.starts_with("table") ||
               is_one_of(word, {"block", "inline", "inline-block", "list-item", "none"});
    }
    // A negative margin would lay the mail over the page around it.
    return property == "letter-spacing" || !has_negative_number(value);
}

}  // namespace

std::string safe_name(std::string_view name) {
    if (name.empty() || name.size() > name_bytes_max) return {};
    if (!std::ranges::all_of(name, is_name_character)) return {};
    return (name.starts_with("mail-") ? "" : "mail-") + std::string(name);
}

SafeCss safe_declarations(std::string_view style) {
    const auto plain = without_comments(style);
    SafeCss safe;
    for (std::string_view rest = plain; !rest.empty();) {
        const auto declaration = trim(take_until(rest, ';'));
        if (declaration.empty()) continue;
        const auto colon = std::min(declaration.find(':'), declaration.size() - 1);
        const auto property = ascii_lower(trim(declaration.substr(0, colon)));
        std::string spaced(trim(declaration.substr(colon + 1)));
        std::ranges::replace_if(
            spaced, [](char c) { return c == '\n' || c == '\r' || c == '\t' || c == '\f'; }, ' ');
        const auto value = safe_value(spaced);
        if (!is_allowed(property, value)) {
            ++safe.removed;
            continue;
        }
        if (!safe.text.empty()) safe.text += ';';
        safe.text += property + ":" + value;
    }
    return safe;
}

}  // namespace mailroom::mime::html
