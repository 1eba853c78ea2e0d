// A document as one text, to compare how two readers nest it. For tests only.
#pragma once

#include "mime/html/document.h"

#include <string>
#include <string_view>

namespace mailroom::mime::html {

inline void describe_node(std::string& out, const Document& document, const Node& node) {
    if (node.is_text) {
        // Two texts beside each other are one.
        if (out.ends_with("\"")) {
            out.pop_back();
        } else {
            out += '"';
        }
        out.append(node.text).append("\"");
        return;
    }
    out.append("(").append(node.element == nullptr ? "?" : node.element->name);
    for (const auto& [name, value] : document.attributes(node)) {
        out.append(" ").append(name).append("=").append(value);
    }
    out += ' ';
    for (const auto* child = document.first_child(node); child != nullptr;
         child = document.next(*child)) {
        describe_node(out, document, *child);
    }
    out += ')';
}

inline std::string tree_of(std::string_view html, Document::Reader reader) {
    const Document document(html, reader);
    std::string out;
    if (document.body() != nullptr) describe_node(out, document, *document.body());
    return out;
}

}  // namespace mailroom::mime::html
