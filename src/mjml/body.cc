// mj-body, and what may stand anywhere: mj-raw.
#include "mjml/components.h"

namespace mailroom::mjml {

void write_body(Page& page, const Item& item) {
    const auto& head = page.head();
    const auto color = item.get("background-color");
    page.set_background(color);
    Tag article("div");
    if (!head.title.empty()) article.set("aria-label", head.title);
    article.set("aria-roledescription", "email").set("class", item.get("css-class"));
    article.style(Style().add("background-color", color)).set("role", "article");
    page << article.set("lang", head.language).set("dir", head.direction);
    const Context context{.width = std::string(item.get("width").value_or("600px"))};
    page.each_child(item, context, [&](const Item& child) { page.write(child); });
    page << "</div>\n";
}

void write_raw(Page& page, const Item& item) { page << item.element.content << "\n"; }

}  // namespace mailroom::mjml
