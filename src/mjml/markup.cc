#include "mjml/markup.h"

#include "base/text.h"
#include "mjml/attribute_reader.h"
#include "mjml/html_scan.h"
#include "mjml/liquid_text.h"
#include "mjml/tag.h"

#include <algorithm>
#include <utility>

namespace mailroom::mjml {
namespace {

// How far up an end tag looks for its start: mails nest tables, but not without end.
constexpr std::size_t search_depth_max = 200;

class MarkupReader {
public:
    explicit MarkupReader(std::string_view html) : html_(html) {}

    std::vector<MarkupElement> read();

private:
    void read_start_tag();
    void read_end_tag();
    void add(MarkupElement element);

    std::string_view html_;
    std::size_t at_ = 0;
    std::vector<MarkupElement> elements_;
    struct Open {
        std::size_t element, last_child;
    };
    std::vector<Open> open_ = {{no_element, no_element}};
};

std::vector<MarkupElement> MarkupReader::read() {
    while (at_ < html_.size()) {
        if (html_[at_] == '{') {
            at_ = std::max(at_ + 1, liquid_end(html_, at_));
        } else if (!starts_markup(html_, at_)) {
            ++at_;
        } else if (html_.substr(at_).starts_with("<!--")) {
            at_ = std::min(html_.find("-->", at_ + 4), html_.size() - 3) + 3;
        } else if (html_[at_ + 1] == '/') {
            read_end_tag();
        } else if (html_[at_ + 1] == '!' || html_[at_ + 1] == '?') {
            at_ = std::min(html_.find('>', at_), html_.size() - 1) + 1;
        } else {
            read_start_tag();
        }
    }
    return std::move(elements_);
}

void MarkupReader::read_start_tag() {
    AttributeReader reader(html_, at_);
    auto tag = reader.read();
    if (!tag) {  // Liquid between attributes, and what is no tag after all.
        ++at_;
        return;
    }
    MarkupElement element{std::move(tag->name), std::move(tag->attributes), at_, tag->end,
                          tag->is_closed};
    at_ = tag->end;
    const auto name = element.name;
    const bool is_open = !element.is_closed && !is_void_element(name);
    add(std::move(element));
    if (is_open && is_raw_text_element(name)) {
        at_ = raw_text_end(html_, at_, name);
    } else if (is_open) {
        open_.push_back({elements_.size() - 1, no_element});
    }
}

// Whose end tag may be left out before another of them.
bool closes_itself(std::string_view name) {
    return name == "li" || name == "p" || name == "td" || name == "th" || name == "tr";
}

void MarkupReader::add(MarkupElement element) {
    if (open_.size() > 1 && closes_itself(element.name) &&
        elements_[open_.back().element].name == element.name) {
        open_.pop_back();
    }
    auto& parent = open_.back();
    element.parent = parent.element;
    element.previous = parent.last_child;
    if (parent.last_child != no_element) elements_[parent.last_child].is_last = false;
    parent.last_child = elements_.size();
    elements_.push_back(std::move(element));
}

void MarkupReader::read_end_tag() {
    const auto end = std::min(html_.find('>', at_), html_.size() - 1) + 1;
    const auto name = ascii_lower(trim(html_.substr(at_ + 2, end - at_ - 3)));
    at_ = end;
    const auto depth = open_.size();
    for (auto up = depth; up > 1 && depth - up < search_depth_max; --up) {
        if (elements_[open_[up - 1].element].name != name) continue;
        open_.resize(up - 1, {no_element, no_element});
        return;
    }
}

}  // namespace

std::string_view MarkupElement::attribute(std::string_view wanted) const {
    for (const auto& each : attributes) {
        if (ascii_equal_ignoring_case(each.name, wanted)) return each.value;
    }
    return {};
}

bool MarkupElement::has(std::string_view wanted) const {
    return std::ranges::any_of(attributes, [&](const Attribute& each) {
        return ascii_equal_ignoring_case(each.name, wanted);
    });
}

void MarkupElement::set(std::string_view attribute, std::string value) {
    for (auto& each : attributes) {
        if (!ascii_equal_ignoring_case(each.name, attribute)) continue;
        each.value = std::move(value);
        return;
    }
    attributes.push_back({std::string(attribute), std::move(value)});
}

std::string MarkupElement::text() const {
    Tag tag(name);
    for (const auto& each : attributes) tag.set(each.name, each.value);
    return is_closed ? tag.closed() : tag.text();
}

std::vector<MarkupElement> read_markup(std::string_view html) { return MarkupReader(html).read(); }

std::string with_changes(std::string_view html, const std::vector<MarkupElement>& elements,
                         const std::vector<bool>& changed) {
    std::string text;
    std::size_t at = 0;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!changed[i]) continue;
        text.append(html.substr(at, elements[i].begin - at)).append(elements[i].text());
        at = elements[i].end;
    }
    return text.append(html.substr(at));
}

}  // namespace mailroom::mjml
