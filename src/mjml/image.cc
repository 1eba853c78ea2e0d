// mj-image, and mj-carousel, which mails show as its first image: few programs turn the pages, and
// the others show that one, too.
#include "mjml/components.h"

#include <algorithm>

namespace mailroom::mjml {
namespace {

bool is_full_width(const Item& item) { return item.attributes.is("full-width", "full-width"); }

double content_width(const Item& item) {
    const auto box = box_widths(item).box;
    const auto width = leading_integer(item.get("width").value_or(""));
    return width ? std::min(box, *width) : box;
}

Style image_style(const Item& item) {
    Style style;
    take_border(style, item.attributes);
    take(style, item.attributes, {"border-radius"});
    style.add("display", "block").add("outline", "none").add("text-decoration", "none");
    take(style, item.attributes, {"height", "max-height"});
    if (is_full_width(item)) style.add("min-width", "100%");
    style.add("width", "100%");
    if (is_full_width(item)) style.add("max-width", "100%");
    take(style, item.attributes, {"font-size"});
    return style;
}

Tag image_tag(const Item& item, std::string_view width) {
    Tag image("img");
    take(image, item.attributes, {"alt", "src", "srcset", "sizes"});
    image.style(image_style(item));
    take(image, item.attributes, {"title"});
    image.set("width", width).set("usemap", item.get("usemap"));
    if (item.has_text("height")) {
        const auto height = *item.get("height");
        const auto number = leading_integer(height);
        image.set("height", number ? number_text(*number) : std::string(height));
    }
    return image;
}

Style table_style(const Item& item, std::string_view width) {
    Style style;
    if (is_full_width(item)) {
        style.add("min-width", "100%").add("max-width", "100%").add("width", width);
    }
    return style.add("border-collapse", "collapse").add("border-spacing", "0px");
}

void write_linked(Page& page, const Item& item, const Tag& image) {
    Tag link("a");
    take(link, item.attributes, {"href", "target", "rel", "name", "title"});
    const bool is_link = item.has_text("href");
    if (is_link) page << link;
    page << image.closed();
    if (is_link) page << "</a>";
}

}  // namespace

void write_image(Page& page, const Item& item) {
    const auto width = content_width(item);
    Tag table("table"), cell("td");
    table.layout().style(table_style(item, px(width)));
    if (!is_full_width(item)) cell.style(Style().add("width", px(width)));
    if (item.has_text("fluid-on-mobile") && !item.attributes.is("fluid-on-mobile", "false")) {
        table.set("class", "mj-full-width-mobile");
        cell.set("class", "mj-full-width-mobile");
    }
    page << table << "<tbody><tr>" << cell;
    write_linked(page, item, image_tag(item, number_text(width)));
    page << "</td></tr></tbody></table>\n";
}

void write_carousel(Page& page, const Item& item) {
    if (item.element.children.size() > 1) {
        page.warnings().add(item.element, "is shown as its first image alone");
    }
    AttributeList passed;
    if (const auto radius = item.get("border-radius")) {
        passed.push_back({"border-radius", std::string(*radius)});
    }
    bool is_written = false;
    page.each_child(item, item.context, passed, [&](const Item& child) {
        if (child.element.tag != "mj-carousel-image" || is_written) return;
        page.write(child);
        is_written = true;
    });
}

void write_carousel_image(Page& page, const Item& item) {
    const auto width = number_text(item.context.width_integer());
    Style style;
    take(style, item.attributes, {"border-radius"});
    style.add("display", "block").add("width", width + "px").add("max-width", "100%");
    Tag image("img");
    take(image, item.attributes, {"title", "src", "alt"});
    image.style(style.add("height", "auto")).set("width", width).set("border", "0");
    page << Tag("table").layout() << "<tbody><tr><td>";
    write_linked(page, item, image);
    page << "</td></tr></tbody></table>\n";
}

}  // namespace mailroom::mjml
