#include "mjml/vocabulary.h"

#include "mjml/vocabulary_types.h"

#include <algorithm>
#include <array>
#include <map>

namespace mailroom::mjml {

const AttributeRule* ElementRule::attribute(std::string_view name) const {
    const auto found = std::ranges::find(attributes, name, &AttributeRule::name);
    return found == attributes.end() ? nullptr : &*found;
}

bool ElementRule::may_hold(std::string_view child) const {
    return any_children || std::ranges::find(children, child) != children.end();
}

const std::vector<ElementRule>& all_rules() {
    static const auto rules = [] {
        std::vector<ElementRule> all;
        for (auto part : {head_rules(), structure_rules(), content_rules(), group_rules()}) {
            std::ranges::move(part, std::back_inserter(all));
        }
        return all;
    }();
    return rules;
}

const ElementRule* find_rule(std::string_view tag) {
    static const auto by_tag = [] {
        std::map<std::string_view, const ElementRule*> map;
        for (const auto& rule : all_rules()) map.emplace(rule.tag, &rule);
        return map;
    }();
    const auto found = by_tag.find(tag);
    return found == by_tag.end() ? nullptr : found->second;
}

bool is_color_attribute(std::string_view name) {
    constexpr std::array<std::string_view, 6> names = {
        "background-color",       "color",     "container-background-color",
        "inner-background-color", "ico-color", "border-color",
    };
    return std::ranges::find(names, name) != names.end();
}

std::vector<ElementRule> head_rules() {
    constexpr auto html = ElementRule::Holds::html;
    constexpr auto elements = ElementRule::Holds::elements;
    return {
        {"mjml",
         elements,
         {{"owa"}, {"lang"}, {"dir"}, {"version"}, {"xmlns"}},
         {"mj-body", "mj-head", "mj-raw"}},
        {"mj-head",
         elements,
         {},
         {"mj-attributes", "mj-breakpoint", "mj-html-attributes", "mj-font", "mj-preview",
          "mj-style", "mj-title", "mj-raw"}},
        {"mj-attributes", elements, {}, {}, true},
        {"mj-breakpoint", html, {{"width", pixels}}},
        {"mj-font", elements, {{"name"}, {"href"}}},
        {"mj-html-attributes", elements, {}, {"mj-selector"}},
        {"mj-selector", elements, {{"path"}}, {"mj-html-attribute"}},
        {"mj-html-attribute", html, {{"name"}}},
        {"mj-preview", html},
        {"mj-style", html, {{"inline"}}},
        {"mj-title", html},
        {"mj-raw", html, {{"position", one_of("file-start")}}},
    };
}

}  // namespace mailroom::mjml
