#include "mjml/attributes.h"

#include <algorithm>
#include <array>
#include <string>

namespace mailroom::mjml {
namespace {

constexpr std::array<std::string_view, 4> sides = {"top", "right", "bottom", "left"};
// Of one element; what goes beyond is left out.
constexpr std::size_t classes_max = 10;
constexpr std::size_t css_class_bytes_max = 4096;

Value find(const AttributeList& list, std::string_view name) {
    for (const auto& each : list) {
        if (each.name == name) return each.value;
    }
    return std::nullopt;
}

std::vector<std::string_view> split(std::string_view names) {
    std::vector<std::string_view> found;
    while (found.size() < classes_max) {
        const auto space = names.find(' ');
        found.push_back(names.substr(0, space));
        if (space == names.npos) break;
        names.remove_prefix(space + 1);
    }
    return found;
}

}  // namespace

Attributes::Attributes(const Element& element, const Head& head, const ElementRule& rule,
                       const AttributeList& passed, std::string_view outer_classes)
    : rule_(rule), own_(element.attributes) {
    auto outer = split(outer_classes);
    std::ranges::reverse(outer);  // Later ones win.
    for (const auto name : outer) {
        const auto found = head.classes.find(name);
        if (found == head.classes.end()) continue;
        const auto of_tag = found->second.of_children.find(element.tag);
        if (of_tag != found->second.of_children.end()) given_.push_back(&of_tag->second);
    }
    if (const auto names = find(own_, "mj-class")) add_classes(head, *names);
    const auto of_tag = head.defaults.find(element.tag);
    if (of_tag != head.defaults.end()) given_.push_back(&of_tag->second);
    given_.push_back(&passed);
    const auto of_all = head.defaults.find("mj-all");
    if (of_all != head.defaults.end()) given_.push_back(&of_all->second);
}

void Attributes::add_classes(const Head& head, std::string_view names) {
    std::vector<const AttributeList*> found;
    std::string css_classes;
    for (const auto name : split(names)) {
        const auto its_class = head.classes.find(name);
        if (its_class == head.classes.end()) continue;
        found.push_back(&its_class->second.own);
        const auto css = mjml::find(its_class->second.own, "css-class");
        if (css && css_classes.size() + css->size() < css_class_bytes_max) {
            css_classes.append(css_classes.empty() ? "" : " ").append(*css);
        }
    }
    if (!css_classes.empty()) joined_.push_back({"css-class", std::move(css_classes)});
    given_.push_back(&joined_);
    std::ranges::reverse(found);
    given_.insert(given_.end(), found.begin(), found.end());
}

Value Attributes::get(std::string_view name) const {
    if (const auto own = find(own_, name)) return own;
    for (const auto* list : given_) {
        if (const auto found = find(*list, name)) return found;
    }
    const auto* known = rule_.attribute(name);
    return known == nullptr ? std::nullopt : known->preset;
}

bool Attributes::has_own(std::string_view name) const { return find(own_, name).has_value(); }

void take(Style& style, const Attributes& attributes,
          std::initializer_list<std::string_view> names) {
    for (const auto name : names) style.add(name, attributes.get(name));
}

void take(Tag& tag, const Attributes& attributes, std::initializer_list<std::string_view> names) {
    for (const auto name : names) tag.set(name, attributes.get(name));
}

void take_padding(Style& style, const Attributes& attributes, std::string_view prefix) {
    const auto name = std::string(prefix) + "padding";
    const auto written = prefix == "inner-" || prefix == "ico-" ? std::string("padding") : name;
    style.add(written, attributes.get(name));
    for (const auto side : sides) {
        style.add(written + "-" + std::string(side),
                  attributes.get(name + "-" + std::string(side)));
    }
}

void take_border(Style& style, const Attributes& attributes) {
    style.add("border", attributes.get("border"));
    for (const auto side : sides) {
        const auto name = "border-" + std::string(side);
        style.add(name, attributes.get(name));
    }
}

}  // namespace mailroom::mjml
