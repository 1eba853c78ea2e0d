// mj-button: a link in a cell of its color, so that programs without CSS show a button, too.
#include "mjml/components.h"

namespace mailroom::mjml {
namespace {

// A width in percent depends on the text, and is left to the table.
std::optional<std::string> link_width(const Item& item) {
    const auto width = parse_width(item.get("width").value_or(""), Percent::whole);
    if (!width || width->unit != "px") return std::nullopt;
    return px(width->number - padding_side(item, "inner-padding", Side::left) -
              padding_side(item, "inner-padding", Side::right) - box_widths(item).borders);
}

Style cell_style(const Item& item) {
    Style style;
    take_border(style, item.attributes);
    take(style, item.attributes, {"border-radius"});
    style.add("cursor", "auto");
    take(style, item.attributes, {"font-style", "height"});
    style.add("mso-padding-alt", item.get("inner-padding"));
    take(style, item.attributes, {"text-align"});
    return style.add("background", item.get("background-color"));
}

Style link_style(const Item& item) {
    Style style;
    style.add("display", "inline-block").add("width", link_width(item));
    style.add("background", item.get("background-color"));
    take(style, item.attributes,
         {"color", "font-family", "font-size", "font-style", "font-weight", "line-height",
          "letter-spacing"});
    style.add("margin", "0");
    take(style, item.attributes, {"text-decoration", "text-transform"});
    style.add("padding", item.get("inner-padding")).add("mso-padding-alt", "0px");
    take(style, item.attributes, {"border-radius"});
    return style;
}

}  // namespace

void write_button(Page& page, const Item& item) {
    const bool is_link = item.has_text("href");
    const std::string_view name = is_link ? "a" : "p";
    Style table_style;
    table_style.add("border-collapse", "separate").add("width", item.get("width"));
    table_style.add("line-height", "100%");
    Tag cell("td"), link(name);
    cell.set("align", "center").set("role", "presentation").style(cell_style(item));
    if (!item.attributes.is("background-color", "none")) {
        cell.set("bgcolor", item.get("background-color"));
    }
    cell.set("valign", item.get("vertical-align"));
    take(link, item.attributes, {"href", "name", "rel", "title"});
    link.style(link_style(item));
    if (is_link) link.set("target", item.get("target"));

    page << Tag("table").layout().style(table_style) << "<tbody><tr>" << cell << link
         << item.element.content << "</" << name << "></td></tr></tbody></table>\n";
}

}  // namespace mailroom::mjml
