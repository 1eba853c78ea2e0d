// File names from outside, made safe to show and to save.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mime {

constexpr std::size_t file_name_bytes_max = 200;  // File systems take 255, with room for a suffix.

// The last part of a path, without control characters, direction marks that fake an ending, and
// characters that file systems refuse (they become `_`); no dots or blanks around; cut at
// `file_name_bytes_max` so that the ending stays. Empty when nothing is left. `name` is UTF-8.
std::string safe_file_name(std::string_view name);

// `attachment-3.pdf`: for the third attachment, when it has no name of its own.
std::string default_file_name(std::size_t number, std::string_view media_type);

}  // namespace mailroom::mime
