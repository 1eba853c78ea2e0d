// The elements of MJML 4, their attributes, and what may stand in what. Private to this folder.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace mailroom::mjml {

struct ValueType {
    enum class Kind { text, color, unit, choice, boolean, integer };
    Kind kind = Kind::text;
    std::string_view among = {};  // Units or choices, with `|` between them.
    int count_max = 1;            // How many units.
    bool may_be_negative = false;
};

struct AttributeRule {
    std::string_view name;
    ValueType type = {};
    std::optional<std::string_view> preset = {};  // The value where none is given.
};

struct ElementRule {
    enum class Holds { elements, html };
    std::string_view tag;
    Holds holds = Holds::elements;
    std::vector<AttributeRule> attributes = {};
    std::vector<std::string_view> children = {};
    bool any_children = false;

    const AttributeRule* attribute(std::string_view name) const;
    bool may_hold(std::string_view child) const;
};

// Null for an element that MJML does not have.
const ElementRule* find_rule(std::string_view tag);
const std::vector<ElementRule>& all_rules();

// Of the style attributes of any element: those whose short form `#abc` is written out.
bool is_color_attribute(std::string_view name);

}  // namespace mailroom::mjml
