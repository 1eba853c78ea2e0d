// Letters of the alphabets that have two sizes: Latin with its accents, Greek and Cyrillic.
#pragma once

#include <string>
#include <string_view>

namespace mailroom::mime {

// `text` in small letters, the length of each kept. Bytes that are not UTF-8 stay.
std::string lower_letters(std::string_view text);

bool begins_with_small_letter(std::string_view text);

// The characters of a UTF-8 text.
std::size_t count_characters(std::string_view text);

}  // namespace mailroom::mime
