#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace mailroom {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

// Length of the well-formed character at the front (Unicode, table 3-7), or 0 if there is none.
std::size_t character_bytes(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto lead = at(0);
    if (lead < 0x80) return 1;
    if (lead < 0xc2 || lead > 0xf4) return 0;
    const std::size_t size = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (text.size() < size) return 0;
    // The second byte is narrower after four lead bytes: overlong forms, surrogates, the end of
    // Unicode.
    const unsigned char low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (at(1) < low || at(1) > high) return 0;
    for (std::size_t i = 2; i < size; ++i) {
        if (!is_continuation(at(i))) return 0;
    }
    return size;
}

}  // namespace

std::string ascii_lower(std::string_view text) {
    std::string lowered(text);
    std::ranges::transform(lowered, lowered.begin(), lower);
    return lowered;
}

bool ascii_equal_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const auto first = text.find_first_not_of(blank);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        // Nearly all text is ASCII, so eight such bytes are passed at once.
        std::uint64_t eight;
        if (text.size() >= sizeof(eight)) {
            std::memcpy(&eight, text.data(), sizeof(eight));
            if ((eight & 0x8080808080808080) == 0) {
                text.remove_prefix(sizeof(eight));
                continue;
            }
        }
        const auto size = character_bytes(text);
        if (size == 0) return false;
        text.remove_prefix(size);
    }
    return true;
}

std::string_view truncate_utf8(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    constexpr std::size_t continuations_max = 3;
    auto end = bytes_max;
    const auto stop = end > continuations_max ? end - continuations_max : 0;
    while (end > stop && is_continuation(static_cast<unsigned char>(text[end]))) --end;
    const bool found_a_start = !is_continuation(static_cast<unsigned char>(text[end]));
    return text.substr(0, found_a_start ? end : bytes_max);
}

}  // namespace mailroom
