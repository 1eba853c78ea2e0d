// Bytes as pairs of hexadecimal digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mailroom {

// Lower case.
std::string hex_encode(std::string_view bytes);

// Takes both cases. None for an odd number of digits or any other character.
std::optional<std::string> hex_decode(std::string_view text);

}  // namespace mailroom
