// What the reader makes of a source. Private to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mjml {

struct Attribute {
    std::string name, value;
};
using AttributeList = std::vector<Attribute>;

struct Element {
    std::string tag;  // In lower case.
    std::size_t line = 0;
    AttributeList attributes = {};
    std::string content = {};  // The HTML in those that hold HTML.
    std::vector<Element> children = {};

    // Null without.
    const std::string* attribute(std::string_view name) const {
        for (const auto& each : attributes) {
            if (each.name == name) return &each.value;
        }
        return nullptr;
    }
};

}  // namespace mailroom::mjml
