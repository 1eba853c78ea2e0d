// The elements and attributes of HTML that mean something in a mail.
#pragma once

#include <cstddef>
#include <string_view>

namespace mailroom::mime::html {

// What becomes of an element, and how it nests.
enum class ElementKind {
    formatting,  // Kept: text-level elements that HTML parsers open again by themselves (b, font).
    text_level,  // Kept: span, sup.
    block,       // Kept: ends an open paragraph.
    paragraph,   // p
    list_item,   // li
    term,        // dt, dd
    cell,        // td, th
    row,         // tr
    row_group,   // thead, tbody, tfoot
    table_part,  // caption, colgroup
    table,
    no_content,  // Kept: br, img.
    body,
    style_sheet,    // The content is CSS.
    invisible_raw,  // The content is not markup and not shown: script, title.
    visible_raw,    // The content is not markup but text: textarea, xmp.
    foreign,        // Another language: svg, math. Its text is not shown.
    unwrapped,      // The tags go, the content stays. Everything not listed here.
};

struct Element {
    std::string_view name;
    ElementKind kind;
};

// Null for one that is not in the vocabulary. `name` in lower case.
const Element* find_element(std::string_view name);

// `unwrapped` for what is not in the vocabulary. `name` in lower case.
ElementKind element_kind(std::string_view name);

// Where an element stands in the vocabulary, for tables of what becomes of each.
std::size_t element_index(const Element& element);
inline constexpr std::size_t elements_max = 128;

// The attribute, if any part of the program reads it; empty otherwise. `name` in lower case. What
// is returned lasts.
std::string_view known_attribute(std::string_view name);
inline bool is_known_attribute(std::string_view name) { return !known_attribute(name).empty(); }

}  // namespace mailroom::mime::html
