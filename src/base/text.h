// Small questions about text. "ASCII" here means that bytes above 0x7F are left alone, whatever the
// locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom {

std::string ascii_lower(std::string_view text);
bool ascii_equal_ignoring_case(std::string_view a, std::string_view b);

// Without the spaces, tabs and line ends around it. A view into `text`.
std::string_view trim(std::string_view text);

// Well-formed UTF-8: no overlong forms, no surrogates, nothing past U+10FFFF.
bool is_utf8(std::string_view text);

// The longest beginning of `text` of at most `bytes_max` bytes that does not cut a character in
// two. `text` must be UTF-8; other bytes are cut anywhere.
std::string_view truncate_utf8(std::string_view text, std::size_t bytes_max);

}  // namespace mailroom
