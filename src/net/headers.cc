#include "net/headers.h"

#include "base/text.h"

#include <algorithm>

namespace mailroom::net {

namespace {

constexpr std::string_view token_marks = "!#$%&'*+-.^_`|~";

bool is_token_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           token_marks.find(c) != token_marks.npos;
}

bool is_value_char(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return c == '\t' || (byte >= 0x20 && byte != 0x7f);
}

}  // namespace

std::optional<std::string_view> find_header(const Headers& headers, std::string_view name) {
    for (const auto& [field, value] : headers) {
        if (ascii_equal_ignoring_case(field, name)) return value;
    }
    return std::nullopt;
}

bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_token_char);
}

bool is_header_value(std::string_view text) { return std::ranges::all_of(text, is_value_char); }

}  // namespace mailroom::net
