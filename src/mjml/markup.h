// The elements of HTML that is about to get attributes: where their tags stand, and in what. Those
// in comments, and so those that only Outlook sees, are not among them. Private to this folder.
#pragma once

#include "mjml/element.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mjml {

constexpr std::size_t no_element = static_cast<std::size_t>(-1);

struct MarkupElement {
    std::string name;
    AttributeList attributes;
    std::size_t begin = 0, end = 0;                          // The start tag.
    bool is_closed = false;                                  // By `/>`.
    std::size_t parent = no_element, previous = no_element;  // Places in the list.
    bool is_last = true;                                     // Of its parent's children.

    std::string_view attribute(std::string_view wanted) const;
    bool has(std::string_view wanted) const;
    void set(std::string_view attribute, std::string value);
    // A start tag with the attributes as they are now.
    std::string text() const;
};

// Takes time in proportion to the length.
std::vector<MarkupElement> read_markup(std::string_view html);

// `html` with the tags of those elements that are in `changed`, which has a place for each.
std::string with_changes(std::string_view html, const std::vector<MarkupElement>& elements,
                         const std::vector<bool>& changed);

}  // namespace mailroom::mjml
