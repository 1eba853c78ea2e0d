#include "mime/subject.h"

#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace mailroom::mime {

namespace {

enum class Meaning { reply, forward };

struct Prefix {
    std::string_view word;  // In lower case.
    Meaning meaning;
};

// Single letters (the Italian `R:` and `I:`) are left out: they begin honest subjects too.
constexpr Prefix prefixes[] = {
    {"re", Meaning::reply},       {"aw", Meaning::reply},     {"sv", Meaning::reply},
    {"antw", Meaning::reply},     {"vs", Meaning::reply},     {"odp", Meaning::reply},
    {"ynt", Meaning::reply},      {"res", Meaning::reply},    {"rif", Meaning::reply},
    {"回复", Meaning::reply},     {"回覆", Meaning::reply},   {"答复", Meaning::reply},
    {"答覆", Meaning::reply},     {"fwd", Meaning::forward},  {"fw", Meaning::forward},
    {"wg", Meaning::forward},     {"tr", Meaning::forward},   {"vb", Meaning::forward},
    {"vl", Meaning::forward},     {"rv", Meaning::forward},   {"enc", Meaning::forward},
    {"doorst", Meaning::forward}, {"转发", Meaning::forward}, {"轉寄", Meaning::forward},
};

// Space, no-break space, zero-width space, ideographic space, byte order mark.
constexpr std::string_view blanks[] = {" ",        "\t",           "\r",           "\n",
                                       "\xc2\xa0", "\xe2\x80\x8b", "\xe3\x80\x80", "\xef\xbb\xbf"};
constexpr std::string_view colons[] = {":", "\xef\xbc\x9a"};

std::string_view without_leading_blanks(std::string_view text) {
    for (bool found = true; found;) {
        found = false;
        for (const auto blank : blanks) {
            if (!text.starts_with(blank)) continue;
            text.remove_prefix(blank.size());
            found = true;
        }
    }
    return text;
}

std::string_view without_trailing_blanks(std::string_view text) {
    for (bool found = true; found;) {
        found = false;
        for (const auto blank : blanks) {
            if (!text.ends_with(blank)) continue;
            text.remove_suffix(blank.size());
            found = true;
        }
    }
    return text;
}

// Past `[2]`, `(2)`, `^2` or `*2`; the text itself when there is no count.
std::string_view without_count(std::string_view text) {
    constexpr std::size_t digits_max = 5;
    if (text.empty()) return text;
    const char open = text.front();
    if (open != '[' && open != '(' && open != '^' && open != '*') return text;
    auto rest = text.substr(1);
    std::size_t digits = 0;
    while (digits < rest.size() && rest[digits] >= '0' && rest[digits] <= '9') ++digits;
    if (digits == 0 || digits > digits_max) return text;
    rest.remove_prefix(digits);
    if (open == '^' || open == '*') return rest;
    if (rest.empty() || rest.front() != (open == '[' ? ']' : ')')) return text;
    return rest.substr(1);
}

// What follows the prefix, its count and its colon, or none when `text` does not begin with it.
std::optional<std::string_view> after(const Prefix& prefix, std::string_view text) {
    if (!ascii_equal_ignoring_case(text.substr(0, prefix.word.size()), prefix.word)) return {};
    text.remove_prefix(prefix.word.size());
    text = without_leading_blanks(without_count(without_leading_blanks(text)));
    for (const auto colon : colons) {
        if (text.starts_with(colon)) return without_leading_blanks(text.substr(colon.size()));
    }
    return {};
}

}  // namespace

CleanSubject clean_subject(std::string_view decoded) {
    CleanSubject subject;
    auto text = without_trailing_blanks(without_leading_blanks(decoded));
    for (bool found = true; found;) {
        found = false;
        for (const auto& prefix : prefixes) {
            const auto rest = after(prefix, text);
            if (!rest) continue;
            text = *rest;
            found = true;
            (prefix.meaning == Meaning::reply ? subject.is_reply : subject.is_forward) = true;
        }
    }
    subject.text = text;
    return subject;
}

}  // namespace mailroom::mime
