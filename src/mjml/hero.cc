// mj-hero: contents in front of a large image.
#include "mjml/components.h"

#include <cmath>

namespace mailroom::mjml {
namespace {

std::string shorthand_background(const Item& item) {
    std::string text(item.get("background-color").value_or(""));
    const auto url = item.get("background-url");
    if (!url) return text;
    text.append(text.empty() ? "" : " ").append("url('").append(*url).append("') no-repeat ");
    return text.append(item.get("background-position").value_or("")) + " / cover";
}

Style cell_style(const Item& item) {
    Style style;
    style.add("background", shorthand_background(item));
    take(style, item.attributes, {"background-position"});
    style.add("background-repeat", "no-repeat");
    take(style, item.attributes, {"border-radius"});
    take_padding(style, item.attributes);
    take(style, item.attributes, {"vertical-align"});
    return style;
}

Tag outlook_image(const Item& item) {
    const auto width = item.get("background-width").value_or("");
    Style style;
    style.add("border", "0").add("height", item.get("background-height"));
    style.add("mso-position-horizontal", "center").add("position", "absolute").add("top", "0");
    style.add("width", width.empty() ? std::string_view(item.context.width) : width);
    style.add("z-index", "-3");
    Tag image("v:image");
    image.style(style).set("src", item.get("background-url"));
    return image.set("xmlns:v", "urn:schemas-microsoft-com:vml");
}

void begin_outlook_frame(Page& page, const Item& item) {
    Tag table("table");
    table.layout().set("align", "center").style(Style().add("width", item.context.width));
    table.set("width", number_text(item.context.width_integer()));
    Style cell;
    cell.add("line-height", "0").add("font-size", "0").add("mso-line-height-rule", "exactly");
    page.begin_outlook();
    page << table << "<tr>" << Tag("td").style(cell) << outlook_image(item).closed();
    page.end_outlook();
}

void begin_outlook_contents(Page& page, const Item& item) {
    Tag table("table");
    table.set("align", item.get("align")).set("border", "0").set("cellpadding", "0");
    table.set("cellspacing", "0").style(Style().add("width", item.context.width));
    const std::string_view width = item.context.width;
    table.set("width", width.substr(0, width.find("px")));
    Style cell;
    cell.add("background-color", item.get("inner-background-color"));
    take_padding(cell, item.attributes, "inner-");
    page.begin_outlook();
    page << table << "<tr>" << Tag("td").style(cell);
    page.end_outlook();
}

void end_outlook(Page& page) {
    page.begin_outlook();
    page << "</td></tr></table>";
    page.end_outlook();
}

Context inside(const Item& item) {
    auto context = item.context;
    const auto width = leading_integer(px(item.context.width_number())).value_or(0);
    context.width = px(width - padding_side(item, "padding", Side::left) -
                       padding_side(item, "padding", Side::right));
    return context;
}

void write_rows(Page& page, const Item& item) {
    page.each_child(item, inside(item), [&](const Item& child) {
        if (child.is_raw()) return page.write(child);
        auto cell = content_cell(child);
        page << "<tr>" << cell.set("background", child.get("container-background-color"));
        page.write(child);
        page << "</td></tr>\n";
    });
}

void write_contents(Page& page, const Item& item) {
    Style style, full;
    style.add("background-color", item.get("inner-background-color"));
    style.add("float", item.get("align")).add("margin", "0px auto").add("width", item.get("width"));
    full.add("width", "100%").add("margin", "0px");
    Tag content("div"), table("table");
    content.set("align", item.get("align")).set("class", "mj-hero-content").style(style);
    table.layout().style(full);

    begin_outlook_contents(page, item);
    page << content << table << "<tbody><tr><td>" << table << "<tbody>";
    write_rows(page, item);
    page << "</tbody></table></td></tr></tbody></table></div>";
    end_outlook(page);
}

// Beside the contents stand empty cells whose height follows their width.
std::string fluid_cell(const Item& item) {
    const auto height = leading_integer(item.get("background-height").value_or(""));
    const auto width = leading_integer(item.get("background-width").value_or(""));
    Style style;
    style.add("width", "0.01%");
    if (height && width && *width > 0) {
        style.add("padding-bottom", number_text(std::round(*height / *width * 100)) + "%");
    }
    style.add("mso-padding-bottom-alt", "0");
    return Tag("td").style(style).text() + "</td>";
}

void write_cells(Page& page, const Item& item) {
    const bool is_fluid = item.attributes.is("mode", "fluid-height");
    auto style = cell_style(item);
    Tag cell("td");
    cell.set("background", item.get("background-url"));
    if (!is_fluid) {
        const auto height = leading_integer(item.get("height").value_or("")).value_or(0) -
                            padding_side(item, "padding", Side::top) -
                            padding_side(item, "padding", Side::bottom);
        style.add("height", px(height));
        cell.set("height", number_text(height));
    }
    if (is_fluid) page << fluid_cell(item);
    page << cell.style(style);
    write_contents(page, item);
    page << "</td>";
    if (is_fluid) page << fluid_cell(item);
}

}  // namespace

void write_hero(Page& page, const Item& item) {
    Style style;
    style.add("margin", "0 auto").add("max-width", item.context.width);
    Tag box("div"), table("table");
    box.set("align", item.get("align")).set("class", item.get("css-class")).style(style);
    table.layout().style(Style().add("width", "100%"));

    begin_outlook_frame(page, item);
    page << box << table << "<tbody><tr style=\"vertical-align:top;\">";
    write_cells(page, item);
    page << "</tr></tbody></table></div>";
    end_outlook(page);
}

}  // namespace mailroom::mjml
