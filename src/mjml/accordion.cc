// mj-accordion: titles that show and hide the text under them, where the mail program can; others
// show everything.
#include "mjml/components.h"
#include "mjml/vocabulary.h"

#include <algorithm>

namespace mailroom::mjml {
namespace {

AttributeList icons_of(const Item& item) {
    AttributeList passed;
    for (const auto* name :
         {"border", "icon-align", "icon-width", "icon-height", "icon-position", "icon-wrapped-url",
          "icon-wrapped-alt", "icon-unwrapped-url", "icon-unwrapped-alt"}) {
        if (const auto value = item.get(name)) passed.push_back({name, std::string(*value)});
    }
    return passed;
}

// Its own one, else that of what it stands in.
Value font_of(const Item& item) {
    if (item.attributes.has_own("font-family")) return item.get("font-family");
    if (!item.context.accordion_element_font.value_or("").empty()) {
        return item.context.accordion_element_font;
    }
    return item.context.accordion_font;
}

Tag full_table(const Item& item) {
    Style style;
    style.add("width", "100%").add("border-bottom", item.get("border"));
    return Tag("table").set("cellspacing", "0").set("cellpadding", "0").style(style);
}

void write_title_text(Page& page, const Item& item) {
    Style style;
    style.add("width", "100%");
    take(style, item.attributes, {"background-color", "color", "font-size"});
    style.add("font-family", font_of(item));
    take(style, item.attributes, {"font-weight"});
    take_padding(style, item.attributes);
    page << Tag("td").set("class", item.get("css-class")).style(style) << item.element.content
         << "</td>";
}

void write_icon(Page& page, const Item& item, const std::string& state, std::string_view name) {
    Style style;
    style.add("display", "none").add("width", item.get("icon-width"));
    style.add("height", item.get("icon-height"));
    Tag image("img");
    image.set("src", item.get("icon-" + state + "-url"));
    image.set("alt", item.get("icon-" + state + "-alt")).set("class", name).style(style);
    page << image.closed();
}

void write_icons(Page& page, const Item& item) {
    Style style;
    style.add("padding", "16px").add("background", item.get("background-color"));
    style.add("vertical-align", item.get("icon-align"));
    page << "<!--[if !mso | IE]><!-->" << Tag("td").set("class", "mj-accordion-ico").style(style);
    write_icon(page, item, "wrapped", "mj-accordion-more");
    write_icon(page, item, "unwrapped", "mj-accordion-less");
    page << "</td><!--<![endif]-->";
}

// An element without title or text gets an empty one: the switch needs both.
void write_missing(Page& page, const Item& item, const Context& context, std::string_view tag) {
    const auto& children = item.element.children;
    if (std::ranges::find(children, tag, &Element::tag) != children.end()) return;
    const Element empty{std::string(tag), item.element.line};
    static const Head no_head;
    const auto passed = icons_of(item);
    const Attributes attributes(empty, no_head, *find_rule(tag), passed, {});
    page.write({empty, attributes, context, 0, 1, {}});
}

}  // namespace

void write_accordion(Page& page, const Item& item) {
    Style style;
    style.add("width", "100%").add("border-collapse", "collapse");
    style.add("border", item.get("border")).add("border-bottom", "none");
    style.add("font-family", item.get("font-family"));
    Tag table("table");
    table.set("cellspacing", "0").set("cellpadding", "0").set("class", "mj-accordion");
    page << table.style(style) << "<tbody>";
    auto context = item.context;
    context.accordion_font = item.get("font-family");
    page.each_child(item, context, icons_of(item), [&](const Item& child) { page.write(child); });
    page << "</tbody></table>\n";
}

void write_accordion_element(Page& page, const Item& item) {
    Style cell, label;
    cell.add("padding", "0px").add("background-color", item.get("background-color"));
    label.add("font-size", "13px").add("font-family", item.get("font-family"));
    Tag checkbox("input");
    checkbox.set("class", "mj-accordion-checkbox").set("type", "checkbox");
    checkbox.style(Style().add("display", "none"));
    page << Tag("tr").set("class", item.get("css-class")) << Tag("td").style(cell)
         << Tag("label").set("class", "mj-accordion-element").style(label)
         << "<!--[if !mso | IE]><!-->" << checkbox.closed() << "<!--<![endif]--><div>";
    auto context = item.context;
    context.accordion_element_font = item.get("font-family");
    write_missing(page, item, context, "mj-accordion-title");
    page.each_child(item, context, icons_of(item), [&](const Item& child) { page.write(child); });
    write_missing(page, item, context, "mj-accordion-text");
    page << "</div></label></td></tr>\n";
}

void write_accordion_title(Page& page, const Item& item) {
    const bool icon_is_right = item.attributes.is("icon-position", "right");
    page << "<div class=\"mj-accordion-title\">" << full_table(item) << "<tbody><tr>";
    if (!icon_is_right) write_icons(page, item);
    write_title_text(page, item);
    if (icon_is_right) write_icons(page, item);
    page << "</tr></tbody></table></div>\n";
}

void write_accordion_text(Page& page, const Item& item) {
    Style style;
    style.add("background", item.get("background-color"));
    take(style, item.attributes, {"font-size"});
    style.add("font-family", font_of(item));
    take(style, item.attributes, {"font-weight", "letter-spacing", "line-height", "color"});
    take_padding(style, item.attributes);
    page << "<div class=\"mj-accordion-content\">" << full_table(item) << "<tbody><tr>"
         << Tag("td").set("class", item.get("css-class")).style(style) << item.element.content
         << "</td></tr></tbody></table></div>\n";
}

}  // namespace mailroom::mjml
