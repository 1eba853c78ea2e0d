// mj-column, and mj-group, which keeps columns beside each other on small screens.
#include "mjml/components.h"

#include <algorithm>

namespace mailroom::mjml {
namespace {

bool has_gutter(const Item& item) {
    constexpr std::string_view names[] = {"padding", "padding-bottom", "padding-left",
                                          "padding-right", "padding-top"};
    return std::ranges::any_of(names, [&](auto name) { return item.get(name).has_value(); });
}

void take_inner(Style& style, const Attributes& attributes) {
    style.add("background-color", attributes.get("inner-background-color"));
    for (const std::string name : {"border", "border-bottom", "border-left", "border-radius",
                                   "border-right", "border-top"}) {
        style.add(name, attributes.get("inner-" + name));
    }
}

void take_outer(Style& style, const Item& item) {
    take(style, item.attributes,
         {"background-color", "border", "border-bottom", "border-left", "border-radius",
          "border-right", "border-top", "vertical-align"});
    if (item.has_text("border-radius")) style.add("border-collapse", "separate");
}

std::string mobile_width(const Item& item) {
    if (!item.attributes.is("mobileWidth", "mobileWidth")) return "100%";
    const auto siblings = static_cast<double>(item.siblings);
    const auto width = parse_width(item.get("width").value_or(""));
    if (!width) return number_text(static_cast<double>(static_cast<int>(100 / siblings))) + "%";
    if (width->is_percent()) return std::string(*item.get("width"));
    const auto whole = item.context.width_integer();
    if (whole == 0) return "100%";  // Nothing is left that it could be a part of.
    return number_text(width->number / whole * 100) + "%";
}

// What stands in a column has its width less what the column takes for itself.
Context inside(const Item& item, double taken) {
    auto context = item.context;
    const auto outer = item.context.width_number();
    const auto width = parse_width(item.get("width").value_or(""));
    double inner = outer / static_cast<double>(item.siblings);
    if (width) inner = width->is_percent() ? outer * width->number / 100 : width->number;
    if (!width) inner = leading_integer(px(inner)).value_or(0);
    context.width = px(inner - taken);
    return context;
}

Context inside_column(const Item& item) {
    const auto widths = box_widths(item);
    return inside(item, widths.paddings + widths.borders +
                            border_side(item, "inner-border", Side::left) +
                            border_side(item, "inner-border", Side::right));
}

void write_contents(Page& page, const Item& item) {
    Style style;
    if (has_gutter(item)) {
        take_inner(style, item.attributes);
    } else {
        take_outer(style, item);
    }
    if (item.has_text("inner-border-radius")) style.add("border-collapse", "separate");
    page << Tag("table").layout().style(style).set("width", "100%") << "<tbody>";
    page.each_child(item, inside_column(item), [&](const Item& child) {
        if (child.is_raw()) return page.write(child);
        page << "<tr>" << content_cell(child);
        page.write(child);
        page << "</td></tr>\n";
    });
    page << "</tbody></table>";
}

void write_gutter(Page& page, const Item& item) {
    Style table_style, cell_style;
    if (item.has_text("border-radius")) table_style.add("border-collapse", "separate");
    take_outer(cell_style, item);
    take_padding(cell_style, item.attributes);
    page << Tag("table").layout().set("width", "100%").style(table_style) << "<tbody><tr>"
         << Tag("td").style(cell_style);
    write_contents(page, item);
    page << "</td></tr></tbody></table>";
}

std::string classes_of(const Item& item, std::string name) {
    name += " mj-outlook-group-fix";
    if (item.has_text("css-class")) name += " " + std::string(*item.get("css-class"));
    return name;
}

Context inside_group(const Item& item) {
    return inside(item, padding_side(item, "padding", Side::left) +
                            padding_side(item, "padding", Side::right));
}

void write_column_of_group(Page& page, const Item& child) {
    Style style;
    style.add("align", child.get("align")).add("vertical-align", child.get("vertical-align"));
    style.add("width", px(leading_integer(column_width_px(child)).value_or(0)));
    page.begin_outlook();
    page << Tag("td").style(style);
    page.end_outlook();
    page.write(child);
    page.begin_outlook();
    page << "</td>";
    page.end_outlook();
}

void write_columns_of_group(Page& page, const Item& item) {
    Tag table("table");
    table.layout();
    if (!item.attributes.is("background-color", "none")) {
        table.set("bgcolor", item.get("background-color"));
    }
    page.begin_outlook();
    page << table << "<tr>";
    page.end_outlook();
    const AttributeList passed = {{"mobileWidth", "mobileWidth"}};
    page.each_child(item, inside_group(item), passed, [&](const Item& child) {
        if (child.is_raw()) return page.write(child);
        write_column_of_group(page, child);
    });
    page.begin_outlook();
    page << "</tr></table>";
    page.end_outlook();
}

}  // namespace

Width column_width(const Item& item) {
    const auto width = parse_width(item.get("width").value_or(""));
    return width ? *width : Width{100 / static_cast<double>(item.siblings), "%"};
}

std::string column_width_px(const Item& item) {
    const auto width = column_width(item);
    if (!width.is_percent()) return px(width.number);
    return px(item.context.width_number() * width.number / 100);
}

Tag content_cell(const Item& item) {
    Style style;
    style.add("background", item.get("container-background-color")).add("font-size", "0px");
    take_padding(style, item.attributes);
    style.add("word-break", "break-word");
    return Tag("td")
        .set("align", item.get("align"))
        .set("class", item.get("css-class"))
        .style(style);
}

void write_column(Page& page, const Item& item) {
    Style style;
    style.add("font-size", "0px").add("text-align", "left");
    style.add("direction", item.get("direction")).add("display", "inline-block");
    style.add("vertical-align", item.get("vertical-align")).add("width", mobile_width(item));
    const auto width = column_width(item);
    auto number = number_text(width.number);
    if (const auto dot = number.find('.'); dot != number.npos) number[dot] = '-';
    const auto name = page.add_column_class(width, std::move(number));
    page << Tag("div").set("class", classes_of(item, name)).style(style);
    if (has_gutter(item)) {
        write_gutter(page, item);
    } else {
        write_contents(page, item);
    }
    page << "</div>\n";
}

void write_group(Page& page, const Item& item) {
    Style style;
    style.add("font-size", "0").add("line-height", "0").add("text-align", "left");
    style.add("display", "inline-block").add("width", "100%");
    take(style, item.attributes, {"direction", "vertical-align", "background-color"});
    const auto width = column_width(item);
    const auto whole = leading_integer(number_text(width.number)).value_or(0);
    const auto name = page.add_column_class(width, number_text(whole));
    page << Tag("div").set("class", classes_of(item, name)).style(style);
    write_columns_of_group(page, item);
    page << "</div>\n";
}

}  // namespace mailroom::mjml
