#include "mjml/html_scan.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace mailroom::mjml {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool ends_name(std::string_view text, std::size_t at) {
    return at >= text.size() || std::string_view(" \t\n\r\f/>").find(text[at]) != text.npos;
}

// `begin` is "<" or "</".
bool has_tag(std::string_view text, std::size_t at, std::string_view begin, std::string_view tag) {
    const auto name = at + begin.size();
    return text.substr(at).starts_with(begin) && ends_name(text, name + tag.size()) &&
           ascii_equal_ignoring_case(text.substr(name, tag.size()), tag);
}

std::string_view raw_text_element_at(std::string_view text, std::size_t at) {
    for (const std::string_view tag : {"script", "style", "title", "textarea"}) {
        if (has_tag(text, at, "<", tag)) return tag;
    }
    return {};
}

std::size_t after(std::string_view text, std::size_t at, std::string_view what) {
    const auto found = text.find(what, at);
    return found == text.npos ? text.size() : found + what.size();
}

// Behind the tag at `at`, and whether it closes itself. Quoted values may hold `>`.
std::size_t tag_end(std::string_view text, std::size_t at, bool& is_closed) {
    char quote = '\0', last = '\0';
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if ((c == '"' || c == '\'') && last == '=') {
            quote = c;
        } else if (c == '>') {
            is_closed = last == '/';
            return at + 1;
        }
        if (c != ' ') last = c;
    }
    return text.size();
}

}  // namespace

bool starts_markup(std::string_view text, std::size_t at) {
    if (text[at] != '<' || at + 1 >= text.size()) return false;
    const char next = text[at + 1];
    if (next == '/') return at + 2 < text.size() && is_letter(text[at + 2]);
    return next == '!' || next == '?' || is_letter(next);
}

bool is_void_element(std::string_view tag) {
    constexpr std::array<std::string_view, 14> names = {
        "area", "base", "br",    "col",    "embed", "hr",    "img",
        "link", "meta", "input", "source", "track", "param", "wbr",
    };
    return std::ranges::find(names, tag) != names.end();
}

bool is_raw_text_element(std::string_view tag) {
    return tag == "script" || tag == "style" || tag == "title" || tag == "textarea";
}

std::size_t raw_text_end(std::string_view text, std::size_t at, std::string_view tag) {
    while ((at = text.find("</", at)) != text.npos) {
        if (has_tag(text, at, "</", tag)) return at;
        at += 2;
    }
    return text.size();
}

std::optional<EndTag> html_end(std::string_view text, std::size_t at, std::string_view tag) {
    std::size_t depth = 1;
    while ((at = text.find('<', at)) != text.npos) {
        if (text.substr(at).starts_with("<!--")) {
            at = after(text, at + 4, "-->");
        } else if (has_tag(text, at, "</", tag)) {
            const auto end = after(text, at, ">");
            if (--depth == 0) return EndTag{at, end};
            at = end;
        } else if (has_tag(text, at, "<", tag)) {
            bool is_closed = false;
            at = tag_end(text, at, is_closed);
            if (!is_closed) ++depth;
        } else if (const auto raw = raw_text_element_at(text, at); !raw.empty()) {
            at = raw_text_end(text, at, raw);
        } else {
            ++at;
        }
    }
    return std::nullopt;
}

}  // namespace mailroom::mjml
