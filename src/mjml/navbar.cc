// mj-navbar: links beside each other; on small screens, where wanted, behind a button.
#include "mjml/components.h"

namespace mailroom::mjml {
namespace {

Style label_style(const Item& item) {
    Style style;
    style.add("display", "block").add("cursor", "pointer").add("mso-hide", "all");
    style.add("-moz-user-select", "none").add("user-select", "none");
    for (const std::string name : {"color", "font-size", "font-family", "text-transform",
                                   "text-decoration", "line-height"}) {
        style.add(name, item.get("ico-" + name));
    }
    take_padding(style, item.attributes, "ico-");
    return style;
}

void write_icon(Page& page, std::string_view css_class, const Style& style, Value icon) {
    page << Tag("span").set("class", css_class).style(style) << icon.value_or("") << "</span>";
}

// A checkbox that nobody sees keeps whether the links are shown; the label switches it.
void write_button_for_links(Page& page, const Item& item) {
    const auto id = "mj-menu-" + std::to_string(page.next_number());
    Tag checkbox("input"), label("label");
    checkbox.set("type", "checkbox").set("id", id).set("class", "mj-menu-checkbox");
    checkbox.set("style", "display:none !important; max-height:0; visibility:hidden;");
    label.set("for", id).set("class", "mj-menu-label").style(label_style(item));
    Style trigger, open, close;
    trigger.add("display", "none").add("max-height", "0px").add("max-width", "0px");
    trigger.add("font-size", "0px").add("overflow", "hidden");
    open.add("mso-hide", "all");
    close.add("display", "none").add("mso-hide", "all");

    page << "<!--[if !mso]><!-->" << checkbox.closed() << "<!--<![endif]-->"
         << Tag("div").set("class", "mj-menu-trigger").style(trigger)
         << label.set("align", item.get("ico-align"));
    write_icon(page, "mj-menu-icon-open", open, item.get("ico-open"));
    write_icon(page, "mj-menu-icon-close", close, item.get("ico-close"));
    page << "</label></div>";
}

}  // namespace

void write_navbar(Page& page, const Item& item) {
    if (item.attributes.is("hamburger", "hamburger")) write_button_for_links(page, item);
    AttributeList passed;
    if (const auto base = item.get("base-url")) {
        passed.push_back({"navbarBaseUrl", std::string(*base)});
    }
    page << "<div class=\"mj-inline-links\">";
    page.begin_outlook();
    page << Tag("table").layout().set("align", item.get("align")) << "<tr>";
    page.end_outlook();
    page.each_child(item, item.context, passed, [&](const Item& child) { page.write(child); });
    page.begin_outlook();
    page << "</tr></table>";
    page.end_outlook();
    page << "</div>\n";
}

void write_navbar_link(Page& page, const Item& item) {
    Style cell_style, style;
    take_padding(cell_style, item.attributes);
    style.add("display", "inline-block");
    take(style, item.attributes,
         {"color", "font-family", "font-size", "font-style", "font-weight", "letter-spacing",
          "line-height", "text-decoration", "text-transform"});
    take_padding(style, item.attributes);
    Tag cell("td"), link("a");
    cell.style(cell_style).set("class", outlook_classes(item.get("css-class")));
    const bool has_class = item.has_text("css-class");
    link.set("class", has_class ? "mj-link " + std::string(*item.get("css-class")) : "mj-link");
    if (item.get("href")) {
        link.set("href", std::string(item.get("navbarBaseUrl").value_or("")) +
                             std::string(*item.get("href")));
    }
    take(link, item.attributes, {"rel", "target", "name"});

    page.begin_outlook();
    page << cell;
    page.end_outlook();
    page << link.style(style) << item.element.content << "</a>\n";
    page.begin_outlook();
    page << "</td>";
    page.end_outlook();
}

}  // namespace mailroom::mjml
