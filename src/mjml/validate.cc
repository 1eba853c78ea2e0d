#include "mjml/validate.h"

#include "base/suggestion.h"
#include "mjml/liquid_text.h"
#include "mjml/value_check.h"
#include "mjml/vocabulary.h"

#include <algorithm>
#include <array>
#include <string>

namespace mailroom::mjml {
namespace {

bool has_any_attributes(std::string_view tag) { return tag == "mj-all" || tag == "mj-class"; }

bool is_computed_with(std::string_view name) {
    constexpr std::array<std::string_view, 4> names = {"width", "padding", "padding-left",
                                                       "padding-right"};
    return std::ranges::find(names, name) != names.end();
}

void check_attribute(const Element& element, const ElementRule& rule, const Attribute& attribute,
                     Warnings& warnings) {
    if (attribute.name == "css-class" || attribute.name == "mj-class") return;
    const auto* known = rule.attribute(attribute.name);
    if (known == nullptr) {
        return warnings.add(element, "has no attribute " + quoted(attribute.name));
    }
    if (has_liquid(attribute.value)) {
        if (is_computed_with(attribute.name) && known->type.kind == ValueType::Kind::unit) {
            warnings.add(element, attribute.name +
                                      " is computed with before Liquid is filled in: widths "
                                      "come out as if it were not there");
        }
        return;
    }
    if (const auto fault = value_fault(known->type, attribute.value)) {
        warnings.add(element, attribute.name + " " + *fault + ", not " + quoted(attribute.value));
    }
}

std::string places_of(std::string_view tag) {
    std::string places;
    for (const auto& rule : all_rules()) {
        if (rule.any_children || !rule.may_hold(tag)) continue;
        places += (places.empty() ? "" : ", ") + std::string(rule.tag);
    }
    return places;
}

std::string unknown_element(std::string_view tag) {
    std::vector<std::string> names;
    for (const auto& rule : all_rules()) names.emplace_back(rule.tag);
    std::string message = "is no element of MJML and is left out";
    if (tag.size() < 40) {
        if (const auto close = suggestion(tag, names)) {
            return message + "; did you mean " + *close + "?";
        }
    }
    if (!tag.starts_with("mj-")) message += "; HTML may stand in mj-raw, mj-text and mj-table";
    return message;
}

// Elements are nested at most depth_max deep.
void validate_in(const Element& element, const ElementRule* parent, Warnings& warnings) {
    const auto* rule = find_rule(element.tag);
    if (rule == nullptr && !has_any_attributes(element.tag)) {
        warnings.add(element, unknown_element(element.tag));
    }
    const bool is_misplaced =
        parent != nullptr && rule != nullptr && !parent->may_hold(element.tag);
    if (is_misplaced) {
        warnings.add(element, "cannot stand in " + std::string(parent->tag) +
                                  ", only in: " + places_of(element.tag));
    }
    if (rule != nullptr && !has_any_attributes(element.tag)) {
        for (const auto& each : element.attributes) {
            check_attribute(element, *rule, each, warnings);
        }
    }
    for (const auto& child : element.children) validate_in(child, rule, warnings);
}

}  // namespace

void validate(const Element& root, Warnings& warnings) {
    validate_in(root, nullptr, warnings);
    for (const std::string_view tag : {"mj-head", "mj-body"}) {
        bool is_first = true;
        for (const auto& part : root.children) {
            if (part.tag != tag) continue;
            if (!is_first) warnings.add(part, "is left out: there is one before it");
            is_first = false;
        }
    }
}

}  // namespace mailroom::mjml
