// Characters: UTF-8 in, with the lengths, order and case rules that JavaScript strings have,
// because templates were written against those.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::liquid {

struct Character {
    char32_t code;      // U+FFFD for a byte that is not UTF-8.
    std::size_t bytes;  // At least 1.
};

// The first character of a text that is not empty.
Character first_character(std::string_view text);
Character last_character(std::string_view text);
void append_character(std::string& out, char32_t code);

std::size_t utf16_length(std::string_view text);
std::size_t character_count(std::string_view text);
// The byte offset of the `count`th character, or the size of the text.
std::size_t skip_characters(std::string_view text, std::size_t count);
// Order of UTF-16 code units: negative, 0 or positive.
int compare_utf16(std::string_view left, std::string_view right);

bool is_space(char32_t code);      // What \s matches and trim removes.
bool is_word_part(char32_t code);  // A letter, mark or decimal digit.
std::string_view trim_start(std::string_view text);
std::string_view trim_end(std::string_view text);
inline std::string_view trim(std::string_view text) { return trim_end(trim_start(text)); }

// Full case mapping: one character may become several.
void append_upper(std::string& out, std::string_view text);
void append_lower(std::string& out, std::string_view text);

// The text with each byte that is not UTF-8 replaced by U+FFFD.
void append_valid(std::string& out, std::string_view text);

}  // namespace mailroom::liquid
