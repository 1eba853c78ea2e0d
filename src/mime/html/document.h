// The elements and texts of a mail's HTML, as a browser would nest them. Private to this folder.
//
// A document whose tags nest as the standard wants them (most do, once they are balanced) is read
// in one pass over its tags. Where a parser would move things about (text between the rows of a
// table, a heading in a heading) gumbo builds the tree, which takes ten times as long.
#pragma once

#include "mime/html/balance.h"
#include "mime/html/vocabulary.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::html {

class Tree;

struct Attribute {
    std::string_view name, value;
};

struct Node {
    const Element* element = nullptr;  // Null for text, and for an element not in the vocabulary.
    std::string_view text;             // Of text.
    bool is_text = false;
    std::uint32_t first_child = 0, last_child = 0, next = 0;  // Places among the nodes; 0 for none.
    std::uint32_t attributes_begin = 0, attributes_end = 0;

    bool is(std::string_view name) const { return element != nullptr && element->name == name; }
};

// Not copied or moved: nodes refer to its strings.
class Document {
public:
    // For tests: gumbo whatever the document.
    enum class Reader { fitting, gumbo };

    // `html` must outlive it.
    explicit Document(std::string_view html, Reader reader = Reader::fitting);
    ~Document();
    Document(const Document&) = delete;
    Document& operator=(const Document&) = delete;

    // Null when the document would need too much memory.
    const Node* body() const { return nodes_.empty() ? nullptr : &nodes_[0]; }
    // Null after the last one.
    const Node* first_child(const Node& parent) const { return at(parent.first_child); }
    const Node* next(const Node& node) const { return at(node.next); }
    std::optional<std::string_view> attribute(const Node& node, std::string_view name) const;
    std::span<const Attribute> attributes(const Node& node) const {
        return std::span(attributes_)
            .subspan(node.attributes_begin, node.attributes_end - node.attributes_begin);
    }
    const BalanceCounts& counts() const { return counts_; }
    bool was_read_by_gumbo() const { return was_read_by_gumbo_; }

private:
    friend class DocumentBuilder;
    friend class GumboCopy;

    const Node* at(std::uint32_t place) const { return place == 0 ? nullptr : &nodes_[place]; }
    std::uint32_t add(std::uint32_t parent, const Node& node);
    std::string& new_string() { return strings_.emplace_back(); }

    std::vector<Node> nodes_;  // The first is the body.
    std::vector<Attribute> attributes_;
    std::deque<std::string> strings_;
    BalanceCounts counts_;
    std::unique_ptr<Tree> tree_;  // Whose texts are used, when gumbo has read it.
    bool was_read_by_gumbo_ = false;
};

}  // namespace mailroom::mime::html
