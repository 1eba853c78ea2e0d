// mj-section and mj-wrapper: a strip across the mail. A wrapper holds sections, a section columns.
#include "mjml/components.h"

namespace mailroom::mjml {
namespace {

bool is_full_width(const Item& item) { return item.attributes.is("full-width", "full-width"); }
bool has_background(const Item& item) { return item.get("background-url").has_value(); }

using WriteChildren = void (*)(Page& page, const Item& item, const Context& context);

void begin_outlook_table(Page& page, const Item& item) {
    Style style;
    style.add("width", item.context.width);
    if (item.index > 0) style.add("padding-top", item.context.gap);
    Tag table("table");
    table.layout().set("align", "center").style(style);
    table.set("class", outlook_classes(item.get("css-class")));
    table.set("width", number_text(item.context.width_integer()));
    const bool has_gap = !item.context.gap.value_or("").empty();
    if (!has_gap && item.has_text("background-color")) {
        table.set("bgcolor", item.get("background-color"));
    }
    page.begin_outlook();
    page << table << "<tr><td style=\"line-height:0px;font-size:0px;"
         << "mso-line-height-rule:exactly;\">";
    page.end_outlook();
}

void end_outlook_table(Page& page) {
    page.begin_outlook();
    page << "</td></tr></table>";
    page.end_outlook();
}

Style box_style(const Item& item) {
    Style style;
    if (!is_full_width(item)) take_background(style, item);
    style.add("margin", "0px auto").add("max-width", item.context.width);
    take(style, item.attributes, {"border-radius"});
    if (item.has_text("border-radius")) style.add("overflow", "hidden");
    if (item.index > 0) style.add("margin-top", item.context.gap);
    return style;
}

Style table_style(const Item& item) {
    Style style;
    if (!is_full_width(item)) take_background(style, item);
    style.add("width", "100%");
    if (item.has_text("border-radius")) style.add("border-collapse", "separate");
    return style;
}

Style cell_style(const Item& item) {
    Style style;
    take_border(style, item.attributes);
    take(style, item.attributes, {"border-radius", "direction"});
    style.add("font-size", "0px");
    take_padding(style, item.attributes);
    take(style, item.attributes, {"text-align"});
    return style;
}

void write_box(Page& page, const Item& item, WriteChildren write_children) {
    Tag box("div"), table("table");
    if (!is_full_width(item)) box.set("class", item.get("css-class"));
    table.layout().set("align", "center").style(table_style(item));
    if (!is_full_width(item)) table.set("background", item.get("background-url"));
    const bool has_inner_box = has_background(item);

    page << box.style(box_style(item));
    if (has_inner_box) page << "<div style=\"line-height:0;font-size:0;\">";
    page << table << "<tbody><tr>" << Tag("td").style(cell_style(item));
    page.begin_outlook();
    page << Tag("table").layout();
    page.end_outlook();
    const Context context{.width = px(box_widths(item).box), .gap = item.get("gap")};
    write_children(page, item, context);
    page.begin_outlook();
    page << "</table>";
    page.end_outlook();
    page << "</td></tr></tbody></table>" << (has_inner_box ? "</div>" : "") << "</div>\n";
}

void write_full_width(Page& page, const Item& item, WriteChildren write_children) {
    Style style;
    take_background(style, item);
    style.add("width", "100%");
    Tag table("table");
    table.layout().set("align", "center").set("class", item.get("css-class"));
    table.set("background", item.get("background-url")).style(style);

    page << table << "<tbody><tr><td>";
    if (has_background(item)) begin_drawn_background(page, item);
    begin_outlook_table(page, item);
    write_box(page, item, write_children);
    end_outlook_table(page);
    if (has_background(item)) end_drawn_background(page);
    page << "</td></tr></tbody></table>\n";
}

void write_strip(Page& page, const Item& item, WriteChildren write_children) {
    if (is_full_width(item)) return write_full_width(page, item, write_children);
    begin_outlook_table(page, item);
    if (has_background(item)) begin_drawn_background(page, item);
    write_box(page, item, write_children);
    if (has_background(item)) end_drawn_background(page);
    end_outlook_table(page);
}

void write_column_of_section(Page& page, const Item& child) {
    Tag cell("td");
    cell.set("align", child.get("align"));
    cell.set("class", outlook_classes(child.get("css-class")));
    if (child.element.tag == "mj-column" || child.element.tag == "mj-group") {
        Style style;
        style.add("vertical-align", child.get("vertical-align"));
        style.add("width", column_width_px(child));
        cell.style(style);
    }
    page.begin_outlook();
    page << cell;
    page.end_outlook();
    page.write(child);
    page.begin_outlook();
    page << "</td>";
    page.end_outlook();
}

void write_columns(Page& page, const Item& item, const Context& context) {
    page.begin_outlook();
    page << "<tr>";
    page.end_outlook();
    page.each_child(item, context, [&](const Item& child) {
        if (child.is_raw()) return page.write(child);
        write_column_of_section(page, child);
    });
    page.begin_outlook();
    page << "</tr>";
    page.end_outlook();
}

void write_section_of_wrapper(Page& page, const Item& child, std::string_view width) {
    Tag cell("td");
    cell.set("align", child.get("align")).set("width", width);
    cell.set("class", outlook_classes(child.get("css-class")));
    page.begin_outlook();
    page << "<tr>" << cell;
    page.end_outlook();
    page.write(child);
    page.begin_outlook();
    page << "</td></tr>";
    page.end_outlook();
}

void write_sections(Page& page, const Item& item, const Context& context) {
    page.each_child(item, context, [&](const Item& child) {
        if (child.is_raw()) return page.write(child);
        write_section_of_wrapper(page, child, item.context.width);
    });
}

}  // namespace

void write_section(Page& page, const Item& item) { write_strip(page, item, write_columns); }

void write_wrapper(Page& page, const Item& item) { write_strip(page, item, write_sections); }

}  // namespace mailroom::mjml
