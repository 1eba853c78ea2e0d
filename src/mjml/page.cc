#include "mjml/page.h"

#include "mjml/components.h"
#include "mjml/vocabulary.h"

#include <algorithm>
#include <optional>

namespace mailroom::mjml {
namespace {

constexpr std::string_view outlook_begin = "<!--[if mso | IE]>";
constexpr std::string_view outlook_end = "<![endif]-->";

std::string_view name_of(Side side) {
    constexpr std::string_view names[] = {"top", "right", "bottom", "left"};
    return names[static_cast<std::size_t>(side)];
}

}  // namespace

void Page::begin_outlook() {
    if (outlook_end_ == html_.size()) {
        html_.resize(html_.size() - outlook_end.size());
    } else {
        html_ += outlook_begin;
    }
}

void Page::end_outlook() {
    html_ += outlook_end;
    outlook_end_ = html_.size();
}

void Page::each_child(const Item& parent, const Context& context, const AttributeList& passed,
                      const Write& write) {
    const auto& children = parent.element.children;
    const auto raw = std::ranges::count(children, "mj-raw", &Element::tag);
    const auto siblings = children.size() - static_cast<std::size_t>(raw);
    for (std::size_t index = 0; index < children.size() && !is_too_long_; ++index) {
        const auto& child = children[index];
        const auto* rule = find_rule(child.tag);
        if (rule == nullptr || find_writer(child.tag) == nullptr) continue;
        const Attributes attributes(child, head_, *rule, passed, parent.own_classes);
        const auto* classes = child.attribute("mj-class");
        note_style(child.tag);
        write({child, attributes, context, index, siblings,
               classes == nullptr ? parent.own_classes : std::string_view(*classes)});
    }
}

void Page::write(const Item& item) {
    if (html_.size() > options_.html_bytes_max) is_too_long_ = true;
    if (!is_too_long_) find_writer(item.element.tag)(*this, item);
}

void Page::write_body(const Element& body) {
    const AttributeList nothing;
    const Attributes attributes(body, head_, *find_rule(body.tag), nothing, {});
    const auto* classes = body.attribute("mj-class");
    write({body, attributes, Context{}, 0, 1, classes == nullptr ? std::string_view() : *classes});
    if (html_.size() > options_.html_bytes_max) is_too_long_ = true;
}

std::string Page::add_column_class(const Width& width, std::string number) {
    auto name = (width.is_percent() ? "mj-column-per-" : "mj-column-px-") + std::move(number);
    const auto found = std::ranges::find(media_queries_, name, &MediaQuery::first);
    if (found != media_queries_.end()) {
        found->second = width;
    } else if (media_queries_.size() < media_queries_max) {
        media_queries_.emplace_back(name, width);
    }
    return name;
}

void Page::note_style(const std::string& tag) {
    if (!has_head_style(tag)) return;
    if (std::ranges::find(styled_tags_, tag) == styled_tags_.end()) styled_tags_.push_back(tag);
}

BoxWidths box_widths(const Item& item) {
    BoxWidths widths;
    widths.paddings =
        padding_side(item, "padding", Side::right) + padding_side(item, "padding", Side::left);
    widths.borders =
        border_side(item, "border", Side::right) + border_side(item, "border", Side::left);
    widths.box = item.context.width_integer() - widths.paddings - widths.borders;
    return widths;
}

double padding_side(const Item& item, std::string_view attribute, Side side) {
    const auto of_side = std::string(attribute) + "-" + std::string(name_of(side));
    if (item.has_text(of_side)) return leading_integer(*item.get(of_side)).value_or(0);
    return shorthand_side(item.get(attribute).value_or(""), side);
}

double border_side(const Item& item, std::string_view attribute, Side side) {
    const auto of_side = std::string(attribute) + "-" + std::string(name_of(side));
    if (item.has_text(of_side)) return border_width(*item.get(of_side));
    return border_width(item.get(attribute).value_or(""));
}

std::optional<std::string> outlook_classes(Value classes) {
    if (!classes || classes->empty()) return std::nullopt;
    std::string suffixed(*classes);
    for (auto space = suffixed.find(' '); space != suffixed.npos;
         space = suffixed.find(' ', space + 9)) {
        suffixed.insert(space, "-outlook");
    }
    return suffixed + "-outlook";
}

}  // namespace mailroom::mjml
