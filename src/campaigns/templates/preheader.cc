#include "campaigns/templates/preheader.h"

#include "base/text.h"

#include <cstddef>

namespace mailroom::campaigns {

namespace {

constexpr std::string_view hidden_begin =
    R"(<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;)"
    R"(font-size:1px;line-height:1px;mso-hide:all">)";
constexpr int fillers = 80;  // Lists show about so many characters.

void append_escaped(std::string& out, std::string_view text) {
    for (const char c : text) {
        if (c == '&') {
            out += "&amp;";
        } else if (c == '<') {
            out += "&lt;";
        } else if (c == '>') {
            out += "&gt;";
        } else {
            out += c;
        }
    }
}

// Where the tag ends that begins at `at`: a ">" in quotes does not end it.
std::size_t end_of_tag(std::string_view html, std::size_t at) {
    char quote = '\0';
    for (; at < html.size(); ++at) {
        const char c = html[at];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '>') {
            return at + 1;
        }
    }
    return std::string_view::npos;
}

// Behind the start tag of that name; npos if there is none.
std::size_t behind_tag(std::string_view html, std::string_view tag) {
    for (auto at = html.find('<'); at != html.npos; at = html.find('<', at + 1)) {
        const auto behind = at + tag.size();
        if (!ascii_equal_ignoring_case(html.substr(at, tag.size()), tag)) continue;
        const char next = behind < html.size() ? html[behind] : '\0';
        if (next == '>' || next == ' ' || next == '\n' || next == '\r' || next == '\t') {
            return end_of_tag(html, behind);
        }
    }
    return std::string_view::npos;
}

std::size_t place_in(std::string_view html) {
    for (const std::string_view tag : {"<body", "</head", "<html"}) {
        const auto place = behind_tag(html, tag);
        if (place != html.npos) return place;
    }
    return 0;
}

}  // namespace

std::string with_preheader(std::string html, std::string_view text) {
    std::string hidden(hidden_begin);
    append_escaped(hidden, text);
    for (int i = 0; i < fillers; ++i) hidden += "&#847;&zwnj;&nbsp;";
    hidden += "</div>";
    html.insert(place_in(html), hidden);
    return html;
}

}  // namespace mailroom::campaigns
