// Text as it stands in HTML, within an element or an attribute in quotation marks of either kind.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

// What stands for a character that would mean something there; empty for any other.
constexpr std::string_view html_reference(char c) {
    switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '"':
            return "&quot;";
        case '\'':
            return "&#39;";
        default:
            return {};
    }
}

inline void append_html(std::string& out, char c) {
    const auto reference = html_reference(c);
    if (reference.empty()) out += c;
    out += reference;
}

inline std::string escaped_html(std::string_view text) {
    std::string out;
    for (const char c : text) append_html(out, c);
    return out;
}

}  // namespace mailroom::mime
