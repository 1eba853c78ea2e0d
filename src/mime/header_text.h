// Text in header fields for people: encoded words (RFC 2047) and raw bytes to UTF-8, and back.
#pragma once

#include "mime/defect.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::mime {

struct HeaderText {
    std::string text;  // UTF-8 without control characters: they became spaces.
    Defects defects;   // `unknown-charset`, `bad-encoded-word`, `invalid-characters`, `raw-8bit`.
};

// The value of an unstructured field (Subject) or of a phrase, folded or not, for people to read.
// Adjacent encoded words are joined, also where they cut a character in two. A word that cannot be
// decoded stays as it was written. Bytes above 0x7F are UTF-8 or else windows-1252. Linear time.
HeaderText decode_header_text(std::string_view raw);

// The length of the encoded word that `text` begins with, or 0.
std::size_t encoded_word_bytes(std::string_view text);

// `utf8` as encoded words of at most 75 characters with one space between them, each of whole
// characters; Q or B, whichever is shorter. The result is ASCII and may stand in a phrase.
std::string encode_words(std::string_view utf8);

// Takes from the front of `utf8` what fits in one encoded word of at most `bytes_max` bytes (and
// one character at least) and writes that word. `utf8` must not be empty.
enum class WordEncoding { q, b };
WordEncoding shorter_encoding(std::string_view utf8);
void append_encoded_word(std::string& out, std::string_view& utf8, WordEncoding encoding,
                         std::size_t bytes_max);

constexpr std::size_t encoded_word_bytes_max = 75;  // RFC 2047, 2.

}  // namespace mailroom::mime
