// Parts of row keys. Byte order is the order of the parts, so a range of rows is a range of bytes.
//   key  := part*
//   text := the bytes, each 0x00 written 0x00 0xFF, then 0x00 0x01   ("" < "a" < "a\0" < "ab")
//   u64  := 8 bytes, big-endian
//   u32  := 4 bytes, big-endian
//   u16  := 2 bytes, big-endian
// A part says nothing of its kind: who reads a key knows which parts it was made of. On disk: never
// change one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::kv {

inline void append_text(std::string& key, std::string_view text) {
    for (;;) {
        const auto zero = text.find('\0');
        key.append(text.substr(0, zero));
        if (zero == text.npos) break;
        key.append("\x00\xff", 2);
        text.remove_prefix(zero + 1);
    }
    key.append("\x00\x01", 2);
}

template <std::unsigned_integral Number>
void append_big_endian(std::string& key, Number number) {
    char bytes[sizeof(Number)];
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        bytes[i] = static_cast<char>(number >> (8 * (sizeof(Number) - 1 - i)) & 0xff);
    }
    key.append(bytes, sizeof(Number));
}
inline void append_u64(std::string& key, std::uint64_t number) { append_big_endian(key, number); }
inline void append_u32(std::string& key, std::uint32_t number) { append_big_endian(key, number); }
inline void append_u16(std::string& key, std::uint16_t number) { append_big_endian(key, number); }

// The readers take one part off the front of `in`. When `in` does not start with such a part they
// return none and leave `in` alone.
inline std::optional<std::string> read_text(std::string_view& in) {
    std::string text;
    auto rest = in;
    for (;;) {
        const auto zero = rest.find('\0');
        if (zero == rest.npos || zero + 1 == rest.size()) return std::nullopt;
        text.append(rest.substr(0, zero));
        const char mark = rest[zero + 1];
        rest.remove_prefix(zero + 2);
        if (mark == '\x01') break;
        if (mark != '\xff') return std::nullopt;
        text += '\0';
    }
    in = rest;
    return text;
}

template <std::unsigned_integral Number>
std::optional<Number> read_big_endian(std::string_view& in) {
    if (in.size() < sizeof(Number)) return std::nullopt;
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
        number = number << 8 | static_cast<unsigned char>(in[i]);
    }
    in.remove_prefix(sizeof(Number));
    return static_cast<Number>(number);
}
inline std::optional<std::uint64_t> read_u64(std::string_view& in) {
    return read_big_endian<std::uint64_t>(in);
}
inline std::optional<std::uint32_t> read_u32(std::string_view& in) {
    return read_big_endian<std::uint32_t>(in);
}
inline std::optional<std::uint16_t> read_u16(std::string_view& in) {
    return read_big_endian<std::uint16_t>(in);
}

// The smallest key greater than every key that starts with `prefix`; empty if there is none (an
// empty prefix, or all 0xFF), which is also how Store::scan spells "to the end".
inline std::string after_prefix(std::string_view prefix) {
    const auto last = prefix.find_last_not_of('\xff');
    if (last == prefix.npos) return {};
    std::string after(prefix.substr(0, last + 1));
    after.back() = static_cast<char>(static_cast<unsigned char>(after.back()) + 1);
    return after;
}

}  // namespace mailroom::kv
