// mj-social: a row or a list of icons with links.
#include "mjml/components.h"

namespace mailroom::mjml {
namespace {

// What the elements have of the row, unless they say otherwise.
AttributeList passed_on(const Item& item) {
    AttributeList passed;
    if (item.has_text("inner-padding")) {
        passed.push_back({"padding", std::string(*item.get("inner-padding"))});
    }
    for (const auto* name : {"border-radius", "color", "font-family", "font-size", "font-weight",
                             "font-style", "icon-size", "icon-height", "icon-padding",
                             "text-padding", "line-height", "text-decoration"}) {
        if (const auto value = item.get(name)) passed.push_back({name, std::string(*value)});
    }
    return passed;
}

void write_beside(Page& page, const Item& item, const Item& child) {
    Tag table("table");
    table.layout().set("align", item.get("align"));
    table.style(Style().add("float", "none").add("display", "inline-table"));
    page.begin_outlook();
    page << "<td>";
    page.end_outlook();
    page << table << "<tbody>";
    page.write(child);
    page << "</tbody></table>";
    page.begin_outlook();
    page << "</td>";
    page.end_outlook();
}

void write_row(Page& page, const Item& item) {
    page.begin_outlook();
    page << Tag("table").layout().set("align", item.get("align")) << "<tr>";
    page.end_outlook();
    page.each_child(item, item.context, passed_on(item), [&](const Item& child) {
        if (child.is_raw()) return page.write(child);
        write_beside(page, item, child);
    });
    page.begin_outlook();
    page << "</tr></table>";
    page.end_outlook();
}

void write_list(Page& page, const Item& item) {
    page << Tag("table").layout().style(Style().add("margin", "0px")) << "<tbody>";
    page.each_child(item, item.context, passed_on(item),
                    [&](const Item& child) { page.write(child); });
    page << "</tbody></table>\n";
}

// One of them, with what is known of its network.
class SocialElement {
public:
    SocialElement(Page& page, const Item& item);
    void write();

private:
    void write_icon();
    void write_icon_image();
    void write_text();
    Tag link() const;
    bool has_link() const { return item_.has_text("href"); }

    Page& page_;
    const Item& item_;
    std::string address_;
    std::optional<std::string> icon_;  // None: neither the element nor MJML knows one.
    Value color_, size_;
};

SocialElement::SocialElement(Page& page, const Item& item)
    : page_(page),
      item_(item),
      address_(item.get("href").value_or("")),
      size_(item.get("icon-size")) {
    if (item.has_text("src")) icon_ = *item.get("src");
    const auto* network = find_social_network(item.get("name").value_or(""));
    if (item.has_text("background-color")) color_ = item.get("background-color");
    if (network == nullptr) return;
    if (!color_) color_ = network->color;
    if (!icon_) {
        icon_ = page.options().social_icons + std::string(network->icon) + ".png";
    }
    const bool is_shared = !item.get("name")->ends_with("-noshare");
    if (!is_shared || network->share_address.empty()) return;
    std::string address(network->share_address);
    const auto place = address.find("[[URL]]");
    address_ = address.replace(place, 7, address_);
}

Tag SocialElement::link() const {
    Tag tag("a");
    tag.set("href", address_);
    take(tag, item_.attributes, {"rel", "target"});
    return tag;
}

void SocialElement::write_icon() {
    Style cell, table, icon;
    take_padding(cell, item_.attributes);
    take(cell, item_.attributes, {"vertical-align"});
    table.add("background", color_);
    take(table, item_.attributes, {"border-radius"});
    table.add("width", size_);
    icon.add("padding", item_.get("icon-padding")).add("font-size", "0");
    icon.add("height", item_.has_text("icon-height") ? item_.get("icon-height") : size_);
    icon.add("vertical-align", "middle").add("width", size_);
    page_ << Tag("td").style(cell) << Tag("table").layout().style(table) << "<tbody><tr>"
          << Tag("td").style(icon);
    if (has_link()) page_ << link();
    write_icon_image();
    if (has_link()) page_ << "</a>";
    page_ << "</td></tr></tbody></table></td>";
}

void SocialElement::write_icon_image() {
    Style style;
    take(style, item_.attributes, {"border-radius"});
    Tag image("img");
    take(image, item_.attributes, {"alt", "title"});
    image.set("src", icon_).style(style.add("display", "block"));
    image.set("width", number_text(leading_integer(size_.value_or("")).value_or(0)));
    take(image, item_.attributes, {"sizes", "srcset"});
    page_ << image.closed();
}

void SocialElement::write_text() {
    if (item_.element.content.empty()) return;
    Style cell, text;
    cell.add("vertical-align", "middle").add("padding", item_.get("text-padding"));
    cell.add("text-align", item_.get("align"));
    take(text, item_.attributes,
         {"color", "font-size", "font-weight", "font-style", "font-family", "line-height",
          "text-decoration"});
    page_ << Tag("td").style(cell) << (has_link() ? link() : Tag("span")).style(text)
          << item_.element.content << (has_link() ? "</a></td>" : "</span></td>");
}

void SocialElement::write() {
    page_ << Tag("tr").set("class", item_.get("css-class"));
    const bool icon_is_left = item_.attributes.is("icon-position", "left");
    if (icon_is_left) write_icon();
    write_text();
    if (!icon_is_left) write_icon();
    page_ << "</tr>\n";
}

}  // namespace

void write_social(Page& page, const Item& item) {
    if (item.attributes.is("mode", "horizontal")) {
        write_row(page, item);
    } else {
        write_list(page, item);
    }
}

void write_social_element(Page& page, const Item& item) { SocialElement(page, item).write(); }

}  // namespace mailroom::mjml
