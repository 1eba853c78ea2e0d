// Reads a document whose tags nest as they should, without a parser's list of exceptions. For
// document.cc only.
#pragma once

#include "mime/html/document.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::html {

// Gives exactly the tree that the standard's algorithm (13.2.6) builds, or gives up: the test of
// documents compares it with gumbo's.
class DocumentBuilder final : public BalancedSink {
public:
    // `document` must outlive it.
    explicit DocumentBuilder(Document& document) : document_(document) {}

    // False when another parser must read it; the document is of no use then.
    bool build(std::string_view html);

    void start(const Element& element, std::span<const ScannedAttribute> attributes) override;
    void end(const Element& element) override;
    void text(std::string_view text) override;
    void raw_text(std::string_view text) override;

private:
    struct Open {
        std::uint32_t node;
        const Element* element;
        bool is_implied = false;  // A parser adds it: `tbody` around a row.
    };

    ElementKind parent_kind() const;
    bool fits(const Element& element);
    bool fits_table(const Element& element);
    bool closes_implied(const Element& element);
    bool has_open_paragraph() const;
    void imply(std::string_view name);
    void open(const Element& element, std::span<const ScannedAttribute> attributes);
    void set_attributes(Node& node, std::span<const ScannedAttribute> attributes);
    void take_text(std::string_view text);
    void flush_text();
    std::string_view decoded(std::string_view raw, bool in_attribute);

    Document& document_;
    std::vector<Open> open_;
    std::string_view text_;    // Read but not added yet: pieces may belong together.
    std::string joined_text_;  // When there are several.
    bool is_joined_ = false;
    bool has_begun_ = false;  // White space before all else is not part of the body.
    bool after_pre_ = false;  // A line end right after this tag is not shown.
    bool is_regular_ = true;
};

}  // namespace mailroom::mime::html
