// Base 64 (RFC 4648). Decoding takes exactly what encoding writes, so one value has one text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mailroom {

// Section 4: `+` and `/`, padded with `=`.
std::string base64_encode(std::string_view bytes);
// Adds to `out` instead of making a new string.
void base64_append(std::string& out, std::string_view bytes);
// None for missing or wrong padding, white space, other characters, or bits set after the last
// byte.
std::optional<std::string> base64_decode(std::string_view text);
// How many bytes base64_decode() makes of `text`, if `text` is valid. Looks at the length and the
// padding only.
std::size_t base64_decoded_bytes(std::string_view text);

// Section 5: `-` and `_`, without padding. For addresses and keys that people paste.
std::string base64url_encode(std::string_view bytes);
// None for padding, white space, other characters, or bits set after the last byte.
std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace mailroom
