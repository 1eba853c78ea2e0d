// Finds its way through HTML without building a tree. Private to this folder.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace mailroom::mjml {

// A tag, a comment or a declaration; a `<` before anything else is text.
bool starts_markup(std::string_view text, std::size_t at);

// br, img and the others that have no end tag.
bool is_void_element(std::string_view tag);

// script, style, title and textarea: what looks like a tag in them is none.
bool is_raw_text_element(std::string_view tag);

// Where the end tag of `tag` begins; the end of the text without one.
std::size_t raw_text_end(std::string_view text, std::size_t at, std::string_view tag);

// Where the element `tag` ends whose content begins at `at`: others of its name may stand in it.
// None if it does not.
struct EndTag {
    std::size_t begin, end;
};
std::optional<EndTag> html_end(std::string_view text, std::size_t at, std::string_view tag);

}  // namespace mailroom::mjml
