// What mj-head says of the whole mail. Private to this folder.
#pragma once

#include "mjml/element.h"
#include "mjml/failure.h"
#include "mjml/warnings.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::mjml {

constexpr std::size_t fonts_max = 50;  // Each is searched for in the mail.

struct Font {
    std::string name, address;
};

// The attributes of an mj-class, and those that it gives to what stands in its elements.
struct Class {
    AttributeList own;
    std::map<std::string, AttributeList, std::less<>> of_children;  // By tag.
};

struct HtmlAttributes {
    std::string selector;
    std::size_t line = 0;
    AttributeList attributes;
};

struct Head {
    std::string language = "und", direction = "auto";  // Of the mjml element.
    bool is_desktop_in_owa = false;
    std::string title, preview;
    std::string breakpoint = "480px";
    std::vector<Font> fonts;
    std::vector<std::string> styles;
    std::vector<std::pair<std::string, std::size_t>> inline_styles;  // With their lines.
    std::vector<std::string> raw;
    std::map<std::string, AttributeList, std::less<>> defaults;  // By tag; "mj-all" for every one.
    std::map<std::string, Class, std::less<>> classes;
    std::vector<HtmlAttributes> html_attributes;
};

// Of the whole source: a mail needs no mj-head.
Result<Head, Failure> read_head(const Element& root, Warnings& warnings);

}  // namespace mailroom::mjml
