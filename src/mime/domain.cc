#include "mime/domain.h"

#include "base/text.h"

#include <algorithm>
#include <cstddef>

#include <idn2.h>

namespace mailroom::mime {

namespace {

constexpr std::size_t label_bytes_max = 63;  // RFC 1035, 2.3.4.
constexpr std::size_t name_bytes_max = 253;
constexpr std::size_t unicode_bytes_max = 4 * name_bytes_max;  // What could still fit afterwards.

bool is_host_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

bool is_host_label(std::string_view label) {
    return !label.empty() && label.size() <= label_bytes_max && label.front() != '-' &&
           label.back() != '-' && std::ranges::all_of(label, is_host_character);
}

bool is_host_name(std::string_view name) {
    if (name.empty() || name.size() > name_bytes_max) return false;
    while (true) {
        const auto dot = name.find('.');
        if (!is_host_label(name.substr(0, dot))) return false;
        if (dot == name.npos) return true;
        name.remove_prefix(dot + 1);
    }
}

// RFC 5321, 4.1.3, by its characters only.
bool is_literal(std::string_view domain) {
    if (domain.size() < 3 || domain.size() > name_bytes_max) return false;
    if (domain.front() != '[' || domain.back() != ']') return false;
    const auto inside = domain.substr(1, domain.size() - 2);
    return std::ranges::all_of(inside, [](char c) {
        return is_host_character(c) || (c >= 'A' && c <= 'Z') || c == '.' || c == ':';
    });
}

std::optional<std::string> from_unicode(const std::string& domain) {
    if (domain.size() > unicode_bytes_max || !is_utf8(domain)) return std::nullopt;
    if (domain.find('\0') != domain.npos) return std::nullopt;
    std::uint8_t* made = nullptr;
    const auto* in = reinterpret_cast<const std::uint8_t*>(domain.c_str());
    const int flags = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL | IDN2_USE_STD3_ASCII_RULES;
    if (idn2_lookup_u8(in, &made, flags) != IDN2_OK) return std::nullopt;
    std::string ascii(reinterpret_cast<const char*>(made));
    idn2_free(made);
    return ascii_lower(ascii);
}

}  // namespace

std::optional<std::string> domain_to_ascii(std::string_view domain) {
    if (is_literal(domain)) return ascii_lower(domain);
    auto name = ascii_lower(domain);
    const bool is_ascii =
        std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (!is_ascii) {
        auto made = from_unicode(name);
        if (!made) return std::nullopt;
        name = std::move(*made);
    }
    if (name.ends_with('.')) name.pop_back();
    if (!is_host_name(name)) return std::nullopt;
    return name;
}

}  // namespace mailroom::mime
