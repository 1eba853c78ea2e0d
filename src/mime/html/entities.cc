#include "mime/html/entities.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace mailroom::mime::html {
namespace {

constexpr std::size_t name_bytes_max = 32;  // Of `CounterClockwiseContourIntegral;`.

// What the numbers 0x80 to 0x9f mean, for they are taken as windows-1252.
constexpr std::uint16_t windows_1252[] = {
    0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
    0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178,
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter_or_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void append_utf8(std::string& out, std::uint32_t code) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        out += static_cast<char>(0xe0 | code >> 12);
        tail(6);
        tail(0);
    } else {
        out += static_cast<char>(0xf0 | code >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

void append_code_point(std::string& out, std::uint32_t code) {
    constexpr std::uint32_t replacement = 0xfffd, code_max = 0x10ffff;
    if (code >= 0x80 && code <= 0x9f) code = windows_1252[code - 0x80];
    if (code == 0 || code > code_max || (code >= 0xd800 && code <= 0xdfff)) code = replacement;
    append_utf8(out, code);
}

// `raw` begins after `&#`. How much of it the number takes; 0 if it is none.
std::size_t append_number(std::string& out, std::string_view raw) {
    constexpr std::uint32_t far = 0x110000;  // Past all characters; larger ones are the same.
    const bool is_hex = raw.starts_with('x') || raw.starts_with('X');
    const std::uint32_t base = is_hex ? 16 : 10;
    std::size_t at = is_hex ? 1 : 0;
    const auto begin = at;
    std::uint32_t code = 0;
    for (; at < raw.size(); ++at) {
        const int digit = is_hex || is_digit(raw[at]) ? hex_value(raw[at]) : -1;
        if (digit < 0) break;
        code = std::min(code * base + static_cast<std::uint32_t>(digit), far);
    }
    if (at == begin) return 0;
    append_code_point(out, code);
    return at < raw.size() && raw[at] == ';' ? at + 1 : at;
}

const NamedReference* find_name(std::string_view name) {
    const std::span all(named_references, named_reference_count);
    const auto found = std::ranges::lower_bound(all, name, {}, &NamedReference::name);
    return found != all.end() && found->name == name ? &*found : nullptr;
}

// `raw` begins after `&`. The longest name that it begins with counts.
std::size_t append_named(std::string& out, std::string_view raw, Where where) {
    std::size_t length = 0;
    while (length < std::min(raw.size(), name_bytes_max) && is_letter_or_digit(raw[length])) {
        ++length;
    }
    if (length == 0) return 0;
    if (length < raw.size() && raw[length] == ';') ++length;
    for (; length > 1; --length) {
        const auto* found = find_name(raw.substr(0, length));
        if (found == nullptr) continue;
        const char next = length < raw.size() ? raw[length] : '\0';
        const bool is_closed = found->name.ends_with(';');
        if (where == Where::attribute && !is_closed && (next == '=' || is_letter_or_digit(next))) {
            return 0;
        }
        out += found->text;
        return length;
    }
    return 0;
}

std::size_t append_reference(std::string& out, std::string_view raw, Where where) {
    if (!raw.starts_with('#')) return append_named(out, raw, where);
    const auto taken = append_number(out, raw.substr(1));
    return taken == 0 ? 0 : taken + 1;
}

}  // namespace

void append_decoded(std::string& out, std::string_view raw, Where where) {
    while (!raw.empty()) {
        const auto reference = raw.find('&');
        const auto special = std::min(reference, raw.substr(0, reference).find('\r'));
        out += raw.substr(0, special);
        if (special == raw.npos) return;
        const char found = raw[special];
        raw.remove_prefix(special + 1);
        if (found == '\r') {
            if (!raw.starts_with('\n')) out += '\n';
            continue;
        }
        const auto taken = append_reference(out, raw, where);
        if (taken == 0) out += '&';
        raw.remove_prefix(taken);
    }
}

}  // namespace mailroom::mime::html
