#include "base/base64.h"

#include <array>
#include <cstdint>

namespace mailroom {

namespace {

using Alphabet = std::string_view;
constexpr Alphabet standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr Alphabet url_safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// Has bits above the lowest six, so that one check after OR-ing four digits finds a wrong one.
constexpr std::uint8_t no_digit = 0x80;

using Values = std::array<std::uint8_t, 256>;
constexpr Values values_of(Alphabet alphabet) {
    Values values{};
    values.fill(no_digit);
    for (std::size_t i = 0; i < alphabet.size(); ++i) {
        values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
    }
    return values;
}
constexpr Values standard_values = values_of(standard);
constexpr Values url_safe_values = values_of(url_safe);

std::uint32_t byte_at(std::string_view bytes, std::size_t i) {
    return static_cast<unsigned char>(bytes[i]);
}

// Writes the digits without padding.
void append_digits(std::string& out, std::string_view bytes, Alphabet alphabet) {
    std::size_t i = 0;
    for (; i + 3 <= bytes.size(); i += 3) {
        const auto bits =
            byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
        const char digits[] = {alphabet[bits >> 18], alphabet[bits >> 12 & 63],
                               alphabet[bits >> 6 & 63], alphabet[bits & 63]};
        out.append(digits, 4);
    }
    const auto left = bytes.size() - i;
    if (left == 0) return;
    const auto bits = byte_at(bytes, i) << 16 | (left == 2 ? byte_at(bytes, i + 1) << 8 : 0);
    out += alphabet[bits >> 18];
    out += alphabet[bits >> 12 & 63];
    if (left == 2) out += alphabet[bits >> 6 & 63];
}

// `text` without padding.
std::optional<std::string> decode_digits(std::string_view text, const Values& values) {
    const auto value = [&](std::size_t i) -> std::uint32_t {
        return values[static_cast<unsigned char>(text[i])];
    };
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    std::size_t i = 0;
    for (; i + 4 <= text.size(); i += 4) {
        const auto a = value(i), b = value(i + 1), c = value(i + 2), d = value(i + 3);
        if ((a | b | c | d) & no_digit) return std::nullopt;
        const auto bits = a << 18 | b << 12 | c << 6 | d;
        const char three[] = {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8),
                              static_cast<char>(bits)};
        bytes.append(three, 3);
    }
    const auto left = text.size() - i;
    if (left == 0) return bytes;
    if (left == 1) return std::nullopt;
    const auto a = value(i), b = value(i + 1), c = left == 3 ? value(i + 2) : 0;
    if ((a | b | c) & no_digit) return std::nullopt;
    const auto bits = a << 18 | b << 12 | c << 6;
    if (bits & (left == 2 ? 0xffffu : 0xffu)) return std::nullopt;
    bytes += static_cast<char>(bits >> 16);
    if (left == 3) bytes += static_cast<char>(bits >> 8);
    return bytes;
}

std::size_t padding_of(std::string_view text) {
    if (text.ends_with("==")) return 2;
    return text.ends_with('=') ? 1 : 0;
}

}  // namespace

void base64_append(std::string& out, std::string_view bytes) {
    append_digits(out, bytes, standard);
    out.append((3 - bytes.size() % 3) % 3, '=');
}

std::string base64_encode(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    base64_append(text, bytes);
    return text;
}

std::optional<std::string> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    text.remove_suffix(padding_of(text));
    return decode_digits(text, standard_values);
}

std::size_t base64_decoded_bytes(std::string_view text) {
    return text.size() < 4 ? 0 : text.size() / 4 * 3 - padding_of(text);
}

std::string base64url_encode(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    append_digits(text, bytes, url_safe);
    return text;
}

std::optional<std::string> base64url_decode(std::string_view text) {
    return decode_digits(text, url_safe_values);
}

}  // namespace mailroom
