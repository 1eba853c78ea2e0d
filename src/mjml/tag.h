// Writes start tags and style attributes. Private to this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mjml {

using Value = std::optional<std::string_view>;

// The declarations of a style attribute, in the order in which they were added.
class Style {
public:
    // Without a value nothing is added.
    Style& add(std::string_view property, Value value) {
        if (value) text_.append(property).append(":").append(*value).append(";");
        return *this;
    }
    const std::string& text() const { return text_; }

private:
    std::string text_;
};

// A start tag. A quote in a value is escaped, unless Liquid needs it.
class Tag {
public:
    explicit Tag(std::string_view name) { text_.append("<").append(name); }

    // Without a value nothing is added.
    Tag& set(std::string_view name, Value value);
    // Without declarations nothing is added.
    Tag& style(const Style& style);
    // The attributes of a table that only arranges things.
    Tag& layout() {
        return set("border", "0")
            .set("cellpadding", "0")
            .set("cellspacing", "0")
            .set("role", "presentation");
    }
    std::string text() const { return text_ + ">"; }
    std::string closed() const { return text_ + " />"; }

private:
    std::string text_;
};

}  // namespace mailroom::mjml
