#include "mjml/liquid_text.h"

namespace mailroom::mjml {
namespace {

// Bounds the search for the end of each of many that are not closed.
constexpr std::size_t liquid_bytes_max = 1000;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

bool begins_comment(std::string_view block) {
    const auto name = block.find_first_not_of("{%- \t\r\n");
    return block.starts_with("{%") && name != block.npos &&
           block.substr(name).starts_with("comment");
}

// Behind `{% endcomment %}`; `at` itself without one.
std::size_t comment_end(std::string_view text, std::size_t at) {
    const auto name = text.find("endcomment", at);
    const auto end = name == text.npos ? text.npos : text.find("%}", name);
    return end == text.npos ? at : end + 2;
}

}  // namespace

std::size_t liquid_end(std::string_view text, std::size_t at) {
    const auto rest = text.substr(at, liquid_bytes_max);
    if (!rest.starts_with("{{") && !rest.starts_with("{%")) return at;
    const char before = rest[1] == '{' ? '}' : '%';
    for (auto end = rest.find('}', 3); end != rest.npos; end = rest.find('}', end + 1)) {
        if (rest[end - 1] == before) return at + end + 1;
    }
    return at;
}

bool has_liquid(std::string_view text) {
    for (auto at = text.find('{'); at != text.npos; at = text.find('{', at + 1)) {
        if (liquid_end(text, at) != at) return true;
    }
    return false;
}

bool is_only_liquid(std::string_view text) {
    bool found = false, comments_end = true;
    for (std::size_t at = 0; at < text.size();) {
        if (is_space(text[at])) {
            ++at;
            continue;
        }
        const auto end = liquid_end(text, at);
        if (end == at) return false;
        found = true;
        const auto block = text.substr(at, end - at);
        at = end;
        if (!comments_end || !begins_comment(block)) continue;
        at = comment_end(text, end);
        comments_end = at != end;  // Otherwise no later one ends, either.
    }
    return found;
}

}  // namespace mailroom::mjml
