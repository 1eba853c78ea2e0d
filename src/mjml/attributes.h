// The attributes of one component, from all the places that give them. Private to this folder.
#pragma once

#include "mjml/head.h"
#include "mjml/tag.h"
#include "mjml/vocabulary.h"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace mailroom::mjml {

// A view of the source and the head, which must outlive it.
class Attributes {
public:
    // `passed` are what the component that holds this one passes on; `outer_classes` is the
    // mj-class that its children inherit from.
    Attributes(const Element& element, const Head& head, const ElementRule& rule,
               const AttributeList& passed, std::string_view outer_classes);
    Attributes(const Attributes&) = delete;
    Attributes& operator=(const Attributes&) = delete;

    // From the strongest: its own, what outer classes say of its tag, its classes, mj-attributes of
    // its tag, what was passed on, mj-all, the preset. None where nobody gives one.
    Value get(std::string_view name) const;
    bool has_text(std::string_view name) const { return !get(name).value_or("").empty(); }
    bool is(std::string_view name, std::string_view value) const { return get(name) == value; }
    // On the element itself.
    bool has_own(std::string_view name) const;

private:
    void add_classes(const Head& head, std::string_view names);

    const ElementRule& rule_;
    const AttributeList& own_;
    std::vector<const AttributeList*> given_;  // From the strongest.
    AttributeList joined_;                     // The css-class of several classes.
};

// Adds those of `names` that `attributes` have, under their own names.
void take(Style& style, const Attributes& attributes,
          std::initializer_list<std::string_view> names);
void take(Tag& tag, const Attributes& attributes, std::initializer_list<std::string_view> names);
// padding and its four sides.
void take_padding(Style& style, const Attributes& attributes, std::string_view prefix = "");
// border and its four sides.
void take_border(Style& style, const Attributes& attributes);

}  // namespace mailroom::mjml
