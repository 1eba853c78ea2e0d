// The part of CSS that a mail may use when it is shown inside our own pages: colours, fonts,
// borders, spacing and sizes. Nothing that loads, covers other content, moves or runs. Private to
// this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mime::html {

struct SafeCss {
    std::string text;
    std::size_t removed = 0;  // Declarations, selectors and rules.
};

// The declarations of a style attribute. What comes out goes in again unchanged.
SafeCss safe_declarations(std::string_view style);

// A style sheet. Every selector is made to match inside an element of the class `scope` only, and
// classes and ids get the prefix of safe_name().
SafeCss safe_style_sheet(std::string_view css, std::string_view scope);

// A class or id that clashes with none of the page around: with `mail-` in front. Empty if it has
// characters other than letters, digits, `-` and `_`.
std::string safe_name(std::string_view name);

}  // namespace mailroom::mime::html
