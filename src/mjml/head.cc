#include "mjml/head.h"

#include "mjml/reader.h"

#include <algorithm>

namespace mailroom::mjml {
namespace {

constexpr std::size_t html_attributes_max = 100;  // Selectors, each compared with every element.
// What every component gets may not be long: there are many components.
constexpr std::size_t shared_value_bytes_max = 4096;

std::string value_or_empty(const Element& element, std::string_view name) {
    const auto* value = element.attribute(name);
    return value == nullptr ? std::string() : *value;
}

// Later ones win.
Result<Ok, Failure> merge(AttributeList& into, const AttributeList& more, std::size_t line) {
    for (const auto& each : more) {
        if (each.value.size() > shared_value_bytes_max) {
            return Failure{line, each.name + " is too long to be shared by many elements"};
        }
        const auto found = std::ranges::find(into, each.name, &Attribute::name);
        if (found != into.end()) {
            found->value = each.value;
        } else if (into.size() < attributes_max) {
            into.push_back(each);
        } else {
            return Failure{line, "there are too many shared attributes"};
        }
    }
    return Ok{};
}

class HeadReader {
public:
    explicit HeadReader(Warnings& warnings) : warnings_(warnings) {
        for (const auto* name : {"Open Sans", "Droid Sans", "Lato", "Roboto", "Ubuntu"}) {
            std::string word = name;
            std::ranges::replace(word, ' ', '+');
            head_.fonts.push_back(
                {name, "https://fonts.googleapis.com/css?family=" + word + ":300,400,500,700"});
        }
    }

    Result<Head, Failure> read(const Element& head) {
        for (const auto& each : head.children) TRY(read_part(each));
        return std::move(head_);
    }

private:
    Result<Ok, Failure> read_part(const Element& part);
    Result<Ok, Failure> add_font(const Element& font);
    Result<Ok, Failure> add_html_attributes(const Element& part);
    void add_style(const Element& style);
    Result<Ok, Failure> add_defaults(const Element& attributes);
    Result<Ok, Failure> add_class(const Element& element);

    Warnings& warnings_;
    Head head_;
};

Result<Ok, Failure> HeadReader::read_part(const Element& part) {
    if (part.tag == "mj-title") head_.title = part.content;
    if (part.tag == "mj-preview") head_.preview = part.content;
    if (part.tag == "mj-raw") head_.raw.push_back(part.content);
    if (part.tag == "mj-breakpoint" && part.attribute("width") != nullptr) {
        head_.breakpoint = *part.attribute("width");
    }
    if (part.tag == "mj-style") add_style(part);
    if (part.tag == "mj-attributes") return add_defaults(part);
    if (part.tag == "mj-font") return add_font(part);
    if (part.tag == "mj-html-attributes") return add_html_attributes(part);
    return Ok{};
}

void HeadReader::add_style(const Element& style) {
    if (value_or_empty(style, "inline") == "inline") {
        head_.inline_styles.emplace_back(style.content, style.line);
    } else {
        head_.styles.push_back(style.content);
    }
}

Result<Ok, Failure> HeadReader::add_font(const Element& font) {
    const auto name = value_or_empty(font, "name"), address = value_or_empty(font, "href");
    if (name.empty() || address.empty()) {
        warnings_.add(font, "needs a name and a href, and is left out");
        return Ok{};
    }
    const auto found = std::ranges::find(head_.fonts, name, &Font::name);
    if (found != head_.fonts.end()) {
        found->address = address;
        return Ok{};
    }
    if (head_.fonts.size() == fonts_max) return Failure{font.line, "there are too many fonts"};
    head_.fonts.push_back({name, address});
    return Ok{};
}

Result<Ok, Failure> HeadReader::add_defaults(const Element& attributes) {
    for (const auto& each : attributes.children) {
        if (each.tag == "mj-class") {
            TRY(add_class(each));
        } else {
            TRY(merge(head_.defaults[each.tag], each.attributes, each.line));
        }
    }
    return Ok{};
}

Result<Ok, Failure> HeadReader::add_class(const Element& element) {
    const auto* name = element.attribute("name");
    if (name == nullptr) {
        warnings_.add(element, "has no name, and is left out");
        return Ok{};
    }
    auto& its_class = head_.classes[*name];
    auto own = element.attributes;
    std::erase_if(own, [](const Attribute& each) { return each.name == "name"; });
    TRY(merge(its_class.own, own, element.line));
    for (const auto& child : element.children) {
        auto& of_child = its_class.of_children[child.tag];
        of_child.clear();
        TRY(merge(of_child, child.attributes, child.line));
    }
    return Ok{};
}

Result<Ok, Failure> HeadReader::add_html_attributes(const Element& part) {
    for (const auto& selector : part.children) {
        if (selector.tag != "mj-selector") continue;
        if (head_.html_attributes.size() == html_attributes_max) {
            return Failure{selector.line, "there are too many selectors"};
        }
        auto& added = head_.html_attributes.emplace_back();
        added.selector = value_or_empty(selector, "path");
        added.line = selector.line;
        for (const auto& each : selector.children) {
            const auto name = value_or_empty(each, "name");
            if (each.tag != "mj-html-attribute" || name.empty()) continue;
            TRY(merge(added.attributes, {{name, each.content}}, each.line));
        }
    }
    return Ok{};
}

}  // namespace

Result<Head, Failure> read_head(const Element& root, Warnings& warnings) {
    static const Element none{"mj-head"};
    const auto found = std::ranges::find(root.children, "mj-head", &Element::tag);
    auto head = TRY(HeadReader(warnings).read(found == root.children.end() ? none : *found));
    const auto language = value_or_empty(root, "lang"), direction = value_or_empty(root, "dir");
    if (!language.empty()) head.language = language;
    if (!direction.empty()) head.direction = direction;
    head.is_desktop_in_owa = value_or_empty(root, "owa") == "desktop";
    return head;
}

}  // namespace mailroom::mjml
