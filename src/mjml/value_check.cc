#include "mjml/value_check.h"

#include "mjml/color_names.h"

#include <algorithm>
#include <cstddef>

namespace mailroom::mjml {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Calls `visit` with each part between `|` until it says true.
template <class Visit>
bool any_of(std::string_view among, const Visit& visit) {
    for (;;) {
        const auto bar = among.find('|');
        if (visit(among.substr(0, bar))) return true;
        if (bar == among.npos) return false;
        among.remove_prefix(bar + 1);
    }
}

bool is_choice(std::string_view among, std::string_view value) {
    return any_of(among, [&](std::string_view choice) { return choice == value; });
}

bool is_length(const ValueType& type, std::string_view value) {
    if (value == "0") return true;
    std::size_t end = 0;
    auto may_be_in_number = [&](char c) {
        return is_digit(c) || c == '.' || c == ',' || (c == '-' && type.may_be_negative);
    };
    while (end < value.size() && may_be_in_number(value[end])) ++end;
    const auto unit = value.substr(end);
    return any_of(type.among, [&](std::string_view known) {
        return known == "auto" ? value == "auto" : end > 0 && unit == known;
    });
}

bool are_lengths(const ValueType& type, std::string_view value) {
    int count = 0;
    while (!value.empty()) {
        const auto space = value.find(' ');
        if (++count > type.count_max || !is_length(type, value.substr(0, space))) return false;
        if (space == value.npos) break;
        value.remove_prefix(space + 1);
    }
    return count > 0;
}

bool is_function_color(std::string_view value) {
    if (!value.ends_with(')')) return false;
    const bool alpha = value.starts_with("rgba(");
    if (!alpha && !value.starts_with("rgb(")) return false;
    const auto inside = value.substr(alpha ? 5 : 4, value.size() - (alpha ? 6 : 5));
    auto plain = [](char c) { return is_digit(c) || c == ',' || c == '.' || c == ' '; };
    return std::ranges::all_of(inside, plain) && std::ranges::count(inside, ',') == (alpha ? 3 : 2);
}

bool is_color(std::string_view value) {
    if (value.starts_with('#')) {
        return (value.size() == 4 || value.size() == 7) &&
               std::ranges::all_of(value.substr(1), is_hex);
    }
    return is_function_color(value) || is_color_name(value);
}

std::string listed(std::string_view among) {
    std::string text;
    any_of(among, [&](std::string_view part) {
        if (!text.empty()) text += ", ";
        text += part.empty() ? "nothing" : part;
        return false;
    });
    return text;
}

}  // namespace

std::optional<std::string> value_fault(const ValueType& type, std::string_view value) {
    switch (type.kind) {
        case ValueType::Kind::text:
            return std::nullopt;
        case ValueType::Kind::color:
            if (is_color(value)) return std::nullopt;
            return "must be a color";
        case ValueType::Kind::boolean:
            if (value == "true" || value == "false") return std::nullopt;
            return "must be true or false";
        case ValueType::Kind::integer:
            if (std::ranges::any_of(value, is_digit)) return std::nullopt;
            return "must be a number";
        case ValueType::Kind::choice:
            if (is_choice(type.among, value)) return std::nullopt;
            return "must be one of: " + listed(type.among);
        case ValueType::Kind::unit:
            if (are_lengths(type, value)) return std::nullopt;
            return "must be " +
                   std::string(type.count_max > 1 ? "one to four numbers" : "a number") +
                   " with one of the units: " + listed(type.among);
    }
    return std::nullopt;
}

}  // namespace mailroom::mjml
