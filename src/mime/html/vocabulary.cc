#include "mime/html/vocabulary.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

namespace mailroom::mime::html {
namespace {

using enum ElementKind;

// Sorted by name.
constexpr Element elements[] = {
    {"a", formatting},
    {"abbr", text_level},
    {"acronym", text_level},
    {"address", block},
    {"article", block},
    {"aside", block},
    {"b", formatting},
    {"bdo", text_level},
    {"big", formatting},
    {"blockquote", block},
    {"body", body},
    {"br", no_content},
    {"caption", table_part},
    {"center", block},
    {"cite", text_level},
    {"code", formatting},
    {"col", no_content},
    {"colgroup", table_part},
    {"dd", term},
    {"del", text_level},
    {"dfn", text_level},
    {"div", block},
    {"dl", block},
    {"dt", term},
    {"em", formatting},
    {"figcaption", block},
    {"figure", block},
    {"font", formatting},
    {"footer", block},
    {"h1", block},
    {"h2", block},
    {"h3", block},
    {"h4", block},
    {"h5", block},
    {"h6", block},
    {"header", block},
    {"hr", no_content},
    {"i", formatting},
    {"iframe", invisible_raw},
    {"img", no_content},
    {"ins", text_level},
    {"kbd", text_level},
    {"li", list_item},
    {"main", block},
    {"mark", text_level},
    {"math", foreign},
    {"nav", block},
    {"noembed", invisible_raw},
    {"noframes", invisible_raw},
    {"ol", block},
    {"p", paragraph},
    {"plaintext", visible_raw},
    {"pre", block},
    {"q", text_level},
    {"s", formatting},
    {"samp", text_level},
    {"script", invisible_raw},
    {"section", block},
    {"small", formatting},
    {"span", text_level},
    {"strike", formatting},
    {"strong", formatting},
    {"style", style_sheet},
    {"sub", text_level},
    {"sup", text_level},
    {"svg", foreign},
    {"table", table},
    {"tbody", row_group},
    {"td", cell},
    {"template", foreign},
    {"textarea", visible_raw},
    {"tfoot", row_group},
    {"th", cell},
    {"thead", row_group},
    {"title", invisible_raw},
    {"tr", row},
    {"tt", formatting},
    {"u", formatting},
    {"ul", block},
    {"var", text_level},
    {"wbr", no_content},
    {"xmp", visible_raw},
};
static_assert(std::ranges::is_sorted(elements, {}, &Element::name));

// Sorted.
constexpr std::string_view attributes[] = {
    "abbr",   "align", "alt",     "background", "bgcolor", "border",   "cellpadding", "cellspacing",
    "class",  "color", "colspan", "dir",        "face",    "height",   "hidden",      "href",
    "hspace", "id",    "lang",    "name",       "nowrap",  "reversed", "role",        "rowspan",
    "scope",  "size",  "span",    "src",        "srcset",  "start",    "style",       "summary",
    "title",  "type",  "valign",  "value",      "vspace",  "width",
};
static_assert(std::ranges::is_sorted(attributes));

// Places by hash: names are looked up for each tag and each attribute of a mail.
class Lookup {
public:
    static constexpr std::uint8_t none = 0xff;

    template <class Names, class NameOf>
    constexpr Lookup(const Names& names, NameOf name_of) {
        for (auto& place : places_) place = none;
        for (std::size_t i = 0; i < std::size(names); ++i) {
            auto slot = hash_of(name_of(names[i]));
            while (places_[slot] != none) slot = (slot + 1) % slots;
            places_[slot] = static_cast<std::uint8_t>(i);
        }
    }
    // The place of `name`, or `none`.
    template <class NameAt>
    std::size_t find(std::string_view name, NameAt name_at) const {
        if (name.empty()) return none;
        for (auto slot = hash_of(name); places_[slot] != none; slot = (slot + 1) % slots) {
            if (name_at(places_[slot]) == name) return places_[slot];
        }
        return none;
    }

private:
    static constexpr std::size_t slots = 512;  // Some five for each name: most are found at once.

    static constexpr std::size_t hash_of(std::string_view name) {
        const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
        const auto last = name.size() - 1;
        return (byte(0) * 5U + byte(last / 2) * 17U + byte(last) * 3U + last * 67U) % slots;
    }

    std::array<std::uint8_t, slots> places_{};
};

constexpr Lookup element_lookup(elements, [](const Element& element) { return element.name; });
constexpr Lookup attribute_lookup(attributes, [](std::string_view name) { return name; });

}  // namespace

const Element* find_element(std::string_view name) {
    const auto place = element_lookup.find(name, [](std::size_t i) { return elements[i].name; });
    return place == Lookup::none ? nullptr : &elements[place];
}

ElementKind element_kind(std::string_view name) {
    const auto* found = find_element(name);
    return found == nullptr ? unwrapped : found->kind;
}

std::size_t element_index(const Element& element) {
    return static_cast<std::size_t>(&element - elements);
}
static_assert(std::size(elements) <= elements_max);

std::string_view known_attribute(std::string_view name) {
    const auto place = attribute_lookup.find(name, [](std::size_t i) { return attributes[i]; });
    return place == Lookup::none ? std::string_view() : attributes[place];
}

}  // namespace mailroom::mime::html
