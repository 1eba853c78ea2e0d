// The tree that gumbo builds from HTML. Private to this folder.
#pragma once

#include "mime/html/balance.h"

#include <gumbo.h>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::mime::html {

// Memory that is given back all at once.
class Arena {
public:
    explicit Arena(std::size_t bytes_max) : left_bytes_(bytes_max) {}

    // Null when the limit is reached.
    void* allocate(std::size_t bytes);

private:
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
    std::byte* next_ = nullptr;
    std::size_t block_bytes_ = 0;  // Free in the last block.
    std::size_t left_bytes_;
};

// Not copied or moved: the tree points into the text.
class Tree {
public:
    explicit Tree(std::string_view html);
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    // The body element. A document that would need too much memory has lost its formatting
    // elements; null if that does not help.
    const GumboNode* body() const { return body_; }
    const BalancedHtml& source() const { return source_; }

private:
    void build();

    BalancedHtml source_;
    std::optional<Arena> arena_;
    const GumboNode* body_ = nullptr;
};

// Empty for an unknown element.
std::string_view element_name(const GumboNode& element);
std::optional<std::string_view> attribute(const GumboNode& element, const char* name);
const GumboVector& children(const GumboNode& element);

}  // namespace mailroom::mime::html
