#include "json/writer.h"

#include <charconv>
#include <cstring>

namespace mailroom::json {

namespace {

constexpr std::uint64_t each_byte = 0x0101010101010101;
constexpr std::uint64_t top_bits = 0x8080808080808080;

// Not 0 if some byte of `word` is 0.
constexpr std::uint64_t zero_bytes(std::uint64_t word) {
    return (word - each_byte) & ~word & top_bits;
}

// Whether some of the eight bytes must be escaped: below space, quote or backslash.
bool needs_escape(std::uint64_t word) {
    const std::uint64_t control = (word - each_byte * 0x20) & ~word & top_bits;
    return (control | zero_bytes(word ^ each_byte * '"') | zero_bytes(word ^ each_byte * '\\')) !=
           0;
}

bool needs_escape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// How many bytes at the front of `text` can be copied as they are.
std::size_t plain_length(std::string_view text) {
    std::size_t length = 0;
    while (length + 8 <= text.size()) {
        std::uint64_t word;
        std::memcpy(&word, text.data() + length, sizeof word);
        if (needs_escape(word)) break;
        length += 8;
    }
    while (length < text.size() && !needs_escape(text[length])) ++length;
    return length;
}

void append_escape(std::string& out, char c) {
    constexpr char digits[] = "0123456789abcdef";
    switch (c) {
        case '"':
            out += "\\\"";
            return;
        case '\\':
            out += "\\\\";
            return;
        case '\n':
            out += "\\n";
            return;
        case '\r':
            out += "\\r";
            return;
        case '\t':
            out += "\\t";
            return;
        default:
            out += "\\u00";
            out += digits[static_cast<unsigned char>(c) >> 4];
            out += digits[static_cast<unsigned char>(c) & 15];
    }
}

}  // namespace

void append_text(std::string& out, std::string_view text) {
    out += '"';
    for (;;) {
        const std::size_t plain = plain_length(text);
        out.append(text.data(), plain);
        if (plain == text.size()) break;
        append_escape(out, text[plain]);
        text.remove_prefix(plain + 1);
    }
    out += '"';
}

Writer& Writer::key(std::string_view name) {
    separate();
    out_ += '"';
    out_ += name;
    out_ += "\":";
    return *this;
}

Writer& Writer::name(std::string_view name) {
    separate();
    append_text(out_, name);
    return put(':');
}

Writer& Writer::text(std::string_view text) {
    separate();
    append_text(out_, text);
    return *this;
}

Writer& Writer::integer(std::int64_t value) {
    separate();
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_.append(digits, static_cast<std::size_t>(end - digits));
    return *this;
}

Writer& Writer::decimal(double value) {
    separate();
    char digits[400];  // The greatest double has 309 digits.
    const auto end =
        std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr;
    const std::string_view text(digits, static_cast<std::size_t>(end - digits));
    out_ += text;
    if (text.find('.') == text.npos) out_ += ".0";
    return *this;
}

Writer& Writer::boolean(bool value) {
    separate();
    out_ += value ? "true" : "false";
    return *this;
}

Writer& Writer::null() {
    separate();
    out_ += "null";
    return *this;
}

}  // namespace mailroom::json
