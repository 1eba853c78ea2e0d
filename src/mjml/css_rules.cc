#include "mjml/css_rules.h"

#include "base/text.h"
#include "mjml/liquid_text.h"

#include <algorithm>
#include <cstddef>

namespace mailroom::mjml {
namespace {

std::string without_comments(std::string_view css) {
    std::string plain;
    for (;;) {
        const auto begin = css.find("/*");
        plain += css.substr(0, begin);
        if (begin == css.npos) return plain;
        const auto end = css.find("*/", begin + 2);
        if (end == css.npos) return plain;
        css.remove_prefix(end + 2);
    }
}

// Behind what stands in quotes or Liquid at `at`; one further for anything else.
std::size_t next(std::string_view text, std::size_t at) {
    if (text[at] == '"' || text[at] == '\'') {
        const auto end = text.find(text[at], at + 1);
        return end == text.npos ? text.size() : end + 1;
    }
    const auto end = liquid_end(text, at);
    return end == at ? at + 1 : end;
}

// The first of `ends` outside of quotes, Liquid and round brackets.
std::size_t find_outside(std::string_view text, std::size_t at, std::string_view ends) {
    std::size_t depth = 0;
    for (; at < text.size(); at = next(text, at)) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && depth > 0) --depth;
        if (depth == 0 && ends.find(text[at]) != ends.npos) return at;
    }
    return text.size();
}

// Behind the block that begins with `{` at `at`.
std::size_t block_end(std::string_view css, std::size_t at) {
    std::size_t depth = 0;
    for (; at < css.size(); at = next(css, at)) {
        if (css[at] == '{' && liquid_end(css, at) == at) ++depth;
        if (css[at] == '}' && --depth == 0) return at + 1;
    }
    return css.size();
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = find_outside(text, at, std::string_view(&separator, 1));
        const auto part = trim(text.substr(at, end - at));
        if (!part.empty()) parts.emplace_back(part);
        at = end + 1;
    }
    return parts;
}

// `@import …;` or `@media … { … }`: behind it.
std::size_t skip_at_rule(std::string_view css, std::size_t at, CssSheet& sheet) {
    const auto name_end = std::min(css.find_first_of(" \t\r\n{;(\"'", at), css.size());
    sheet.at_rules.emplace_back(css.substr(at, name_end - at));
    const auto end = find_outside(css, at, "{;");
    if (end == css.size()) return end;
    return css[end] == ';' ? end + 1 : block_end(css, end);
}

Declaration declaration_of(std::string_view part, std::size_t colon) {
    Declaration found{ascii_lower(trim(part.substr(0, colon))),
                      std::string(trim(part.substr(colon + 1)))};
    const auto mark = found.value.rfind('!');
    if (mark != found.value.npos &&
        ascii_equal_ignoring_case(trim(std::string_view(found.value).substr(mark + 1)),
                                  "important")) {
        found.is_important = true;
        found.value = std::string(trim(std::string_view(found.value).substr(0, mark)));
    }
    return found;
}

}  // namespace

std::vector<Declaration> parse_declarations(std::string_view text) {
    std::vector<Declaration> declarations;
    for (const auto& part : split(text, ';')) {
        const auto colon = part.find(':');
        if (colon == part.npos || colon == 0) continue;
        auto found = declaration_of(part, colon);
        if (!found.value.empty()) declarations.push_back(std::move(found));
    }
    return declarations;
}

CssSheet parse_sheet(std::string_view text) {
    const auto plain = without_comments(text);
    const std::string_view css = plain;
    CssSheet sheet;
    for (std::size_t at = 0; at < css.size();) {
        at = css.find_first_not_of(" \t\r\n\f;}", at);
        if (at == css.npos) break;
        if (css[at] == '@') {
            at = skip_at_rule(css, at, sheet);
            continue;
        }
        const auto open = find_outside(css, at, "{");
        if (open == css.size()) break;
        const auto end = block_end(css, open);
        const auto inside = css.substr(open + 1, end - open - 1);
        const auto body = inside.ends_with('}') ? inside.substr(0, inside.size() - 1) : inside;
        sheet.rules.push_back({split(css.substr(at, open - at), ','), parse_declarations(body)});
        at = end;
    }
    return sheet;
}

}  // namespace mailroom::mjml
