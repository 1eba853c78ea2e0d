#include "mime/html/document.h"

#include "mime/html/document_builder.h"
#include "mime/html/tree.h"

namespace mailroom::mime::html {

// Takes over what gumbo has built.
class GumboCopy {
public:
    explicit GumboCopy(Document& document) : document_(document) {}

    void copy(const GumboNode& body) {
        document_.nodes_.clear();
        document_.nodes_.emplace_back();
        document_.nodes_[0] = element_node(body);
        copy_children(body, 0);
    }

private:
    // The tree is at most a few times depth_max deep, so recursion is safe.
    void copy_children(const GumboNode& from, std::uint32_t parent) {
        const auto& nodes = children(from);
        for (unsigned i = 0; i < nodes.length; ++i) {
            const auto& node = *static_cast<const GumboNode*>(nodes.data[i]);
            if (node.type == GUMBO_NODE_ELEMENT) {
                copy_children(node, document_.add(parent, element_node(node)));
            } else if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE) {
                Node text;
                text.is_text = true;
                text.text = node.v.text.text;
                document_.add(parent, text);
            }
        }
    }

    Node element_node(const GumboNode& from) {
        Node node;
        node.element = find_element(element_name(from));
        node.attributes_begin = static_cast<std::uint32_t>(document_.attributes_.size());
        const auto& attributes = from.v.element.attributes;
        for (unsigned i = 0; i < attributes.length; ++i) {
            const auto& attribute = *static_cast<const GumboAttribute*>(attributes.data[i]);
            document_.attributes_.push_back({attribute.name, attribute.value});
        }
        node.attributes_end = static_cast<std::uint32_t>(document_.attributes_.size());
        return node;
    }

    Document& document_;
};

Document::Document(std::string_view html, Reader reader) {
    if (reader == Reader::fitting && DocumentBuilder(*this).build(html)) return;
    was_read_by_gumbo_ = true;
    nodes_.clear();
    attributes_.clear();
    strings_.clear();
    tree_ = std::make_unique<Tree>(html);
    counts_ = tree_->source();
    if (tree_->body() != nullptr) GumboCopy(*this).copy(*tree_->body());
}

Document::~Document() = default;

std::optional<std::string_view> Document::attribute(const Node& node, std::string_view name) const {
    for (const auto& attribute : attributes(node)) {
        if (attribute.name == name) return attribute.value;
    }
    return std::nullopt;
}

std::uint32_t Document::add(std::uint32_t parent, const Node& node) {
    const auto place = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back(node);
    auto& above = nodes_[parent];
    (above.last_child == 0 ? above.first_child : nodes_[above.last_child].next) = place;
    above.last_child = place;
    return place;
}

}  // namespace mailroom::mime::html
