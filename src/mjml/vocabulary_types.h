// The words in which the tables of the vocabulary are written. Private to this folder.
#pragma once

#include "mjml/vocabulary.h"

#include <initializer_list>

namespace mailroom::mjml {

using Kind = ValueType::Kind;
using Rules = std::vector<AttributeRule>;

inline constexpr ValueType text_type{};
inline constexpr ValueType color_type{Kind::color};
inline constexpr ValueType boolean_type{Kind::boolean};
inline constexpr ValueType integer_type{Kind::integer};
inline constexpr ValueType pixels{Kind::unit, "px"};
inline constexpr ValueType length{Kind::unit, "px|%"};
inline constexpr ValueType lengths{Kind::unit, "px|%", 4};
inline constexpr ValueType line_height{Kind::unit, "px|%|"};
inline constexpr ValueType letter_spacing{Kind::unit, "px|em", 1, true};
constexpr ValueType one_of(std::string_view among) { return {Kind::choice, among}; }
inline constexpr ValueType left_or_right = one_of("left|right");
inline constexpr ValueType left_center_right = one_of("left|center|right");
inline constexpr ValueType top_middle_bottom = one_of("top|middle|bottom");
inline constexpr ValueType direction = one_of("ltr|rtl");

inline constexpr std::string_view default_fonts = "Ubuntu, Helvetica, Arial, sans-serif";

inline Rules join(std::initializer_list<Rules> parts) {
    Rules all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

inline Rules paddings(std::optional<std::string_view> preset = {}) {
    return {{"padding", lengths, preset},
            {"padding-top", length},
            {"padding-right", length},
            {"padding-bottom", length},
            {"padding-left", length}};
}

inline Rules borders(std::optional<std::string_view> preset = {}) {
    return {{"border", text_type, preset},
            {"border-top"},
            {"border-right"},
            {"border-bottom"},
            {"border-left"}};
}

inline Rules backgrounds(std::string_view size, std::string_view position) {
    return {{"background-color", color_type},
            {"background-url"},
            {"background-repeat", one_of("repeat|no-repeat"), "repeat"},
            {"background-size", text_type, size},
            {"background-position", text_type, position},
            {"background-position-x"},
            {"background-position-y"}};
}

// What every text has.
inline Rules fonts(std::optional<std::string_view> color = {}) {
    return {{"color", color_type, color},
            {"font-family", text_type, default_fonts},
            {"font-size", pixels, "13px"},
            {"font-style"},
            {"font-weight"}};
}

std::vector<ElementRule> head_rules();
std::vector<ElementRule> structure_rules();
std::vector<ElementRule> content_rules();
std::vector<ElementRule> group_rules();  // Elements that have parts.

}  // namespace mailroom::mjml
