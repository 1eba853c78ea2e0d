// The first look at HTML from outside: finds the tags and writes a document that no parser can
// misread or be stalled by.
//
// The gumbo library builds correct trees, but its time and memory grow with the square of the input
// for deep nesting, for many attributes in one tag and for formatting elements that are never
// closed, and it frees a tree by recursion. Balanced HTML has none of these: every tag is closed in
// order, nesting is bounded, comments and elements that are not markup inside (script, svg) are
// gone, and only known elements and attributes are left.
#pragma once

#include "mime/html/tag_scanner.h"
#include "mime/html/vocabulary.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace mailroom::mime::html {

// Twenty times what large providers clip a mail at. The rest of a longer document is ignored.
constexpr std::size_t html_bytes_max = 2 * 1024 * 1024;
// Browsers flatten below 512; a mail made of nested tables stays under 100.
constexpr std::size_t depth_max = 200;
// A parser may copy all open formatting elements for every block, so only a few may be open.
constexpr std::size_t formatting_depth_max = 24;
constexpr std::size_t attributes_max = 32;  // In one tag. Those after are dropped.

struct BalanceCounts {
    std::string style_sheets;  // The content of all style elements, in order.
    std::size_t dropped_elements = 0;
    std::size_t dropped_attributes = 0;
};

struct BalancedHtml : BalanceCounts {
    std::string html;
};

// What is left of a document, piece by piece: start and end tags in pairs, but for elements without
// content.
class BalancedSink {
public:
    virtual ~BalancedSink() = default;
    virtual void start(const Element& element, std::span<const ScannedAttribute> attributes) = 0;
    virtual void end(const Element& element) = 0;
    // As it stands in the document: character references are not decoded.
    virtual void text(std::string_view text) = 0;
    // The same, where what looks like a tag is none.
    virtual void raw_text(std::string_view text) = 0;
};

// Takes linear time. Elements past the limits are left out.
BalanceCounts balance_into(BalancedSink& sink, std::string_view html,
                           std::size_t formatting_max = formatting_depth_max);

// Takes linear time. Formatting elements nested deeper than `formatting_max` are dropped.
BalancedHtml balance(std::string_view html, std::size_t formatting_max = formatting_depth_max);

}  // namespace mailroom::mime::html
