// What is only words, lines and space: mj-text, mj-table, mj-divider, mj-spacer.
#include "mjml/components.h"

#include <algorithm>

namespace mailroom::mjml {
namespace {

// Outlook knows no height of a div.
void begin_outlook_height(Page& page, std::string_view height) {
    Style style;
    style.add("vertical-align", "top").add("height", height);
    page.begin_outlook();
    page << Tag("table").layout() << "<tr>" << Tag("td").set("height", height).style(style);
    page.end_outlook();
}

void end_outlook_height(Page& page) {
    page.begin_outlook();
    page << "</td></tr></table>";
    page.end_outlook();
}

std::string outlook_divider_width(const Item& item) {
    const auto left = item.context.width_integer() - padding_side(item, "padding", Side::left) -
                      padding_side(item, "padding", Side::right);
    const auto text = item.get("width").value_or("");
    const auto width = parse_width(text, Percent::whole);
    if (width && width->is_percent()) return px(left * (width->number / 100));
    if (width && width->unit == "px") return std::string(text);
    return px(left);
}

Style divider_style(const Item& item, std::string_view width) {
    std::string line;
    for (const auto* part : {"border-style", "border-width", "border-color"}) {
        line.append(line.empty() ? "" : " ").append(item.get(part).value_or(""));
    }
    std::string_view margin = "0px auto";
    if (item.attributes.is("align", "left")) margin = "0px";
    if (item.attributes.is("align", "right")) margin = "0px 0px 0px auto";
    Style style;
    style.add("border-top", line).add("font-size", "1px").add("margin", margin);
    return style.add("width", width);
}

bool has_spacing(const Item& item) {
    auto text = item.get("cellspacing").value_or("");
    const auto digit = text.find_first_of("123456789");
    return digit != text.npos;
}

std::string table_width(std::string_view text) {
    const auto width = parse_width(text, Percent::whole);
    if (!width || width->is_percent()) return std::string(text);
    return number_text(width->number);
}

}  // namespace

void write_text(Page& page, const Item& item) {
    Style style;
    take(
        style, item.attributes,
        {"font-family", "font-size", "font-style", "font-weight", "letter-spacing", "line-height"});
    style.add("text-align", item.get("align"));
    take(style, item.attributes, {"text-decoration", "text-transform", "color", "height"});
    const bool has_height = item.has_text("height");
    if (has_height) begin_outlook_height(page, *item.get("height"));
    page << Tag("div").style(style) << item.element.content << "</div>\n";
    if (has_height) end_outlook_height(page);
}

void write_table(Page& page, const Item& item) {
    Style style;
    take(style, item.attributes,
         {"color", "font-family", "font-size", "line-height", "table-layout", "width", "border"});
    if (has_spacing(item)) style.add("border-collapse", "separate");
    Tag table("table");
    take(table, item.attributes, {"cellpadding", "cellspacing", "role"});
    table.set("width", table_width(item.get("width").value_or("")));
    page << table.set("border", "0").style(style) << item.element.content << "</table>\n";
}

void write_divider(Page& page, const Item& item) {
    const auto outlook_width = outlook_divider_width(item);
    page << Tag("p").style(divider_style(item, item.get("width").value_or(""))) << "</p>\n";
    Tag table("table");
    table.layout().set("align", item.get("align")).set("width", outlook_width);
    page.begin_outlook();
    page << table.style(divider_style(item, outlook_width))
         << "<tr><td style=\"height:0;line-height:0;\"> &nbsp; </td></tr></table>";
    page.end_outlook();
}

void write_spacer(Page& page, const Item& item) {
    Style style;
    style.add("height", item.get("height")).add("line-height", item.get("height"));
    page << Tag("div").style(style) << "&#8202;</div>\n";  // A hair space: the div is not empty.
}

}  // namespace mailroom::mjml
