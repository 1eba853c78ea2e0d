// Small steps through CSS text. Private to this folder.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace mailroom::mime::html {

inline bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
inline bool is_name_character(char c) { return is_letter_or_digit(c) || c == '-' || c == '_'; }

// A comment separates words, so it becomes a space. One that is not closed ends the text.
inline std::string without_comments(std::string_view css) {
    std::string plain;
    plain.reserve(css.size());
    for (auto open = css.find("/*"); open != css.npos; open = css.find("/*")) {
        plain += css.substr(0, open);
        plain += ' ';
        const auto close = css.find("*/", open + 2);
        css.remove_prefix(close == css.npos ? css.size() : close + 2);
    }
    plain += css;
    return plain;
}

// What stands before `mark`, which is taken off `rest` too; everything if there is none.
inline std::string_view take_until(std::string_view& rest, char mark) {
    const auto end = std::min(rest.find(mark), rest.size());
    const auto taken = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return taken;
}

}  // namespace mailroom::mime::html
