#include "mime/html/tree.h"

#include <algorithm>
#include <csetjmp>
#include <utility>

namespace mailroom::mime::html {
namespace {

constexpr std::size_t block_bytes_min = 256 * 1024;
// Gumbo takes about 30 bytes for one of a mail. Nothing is given back before the end.
constexpr std::size_t memory_base_bytes = 4 * 1024 * 1024;
constexpr std::size_t memory_per_byte = 128;

struct Parse {
    Arena& arena;
    std::jmp_buf out_of_memory;
};

// Gumbo does not check for null, so the only way out of it is a jump. Its frames hold no C++
// objects, and all its memory is the arena's.
void* allocate(void* parse, std::size_t bytes) {
    auto& self = *static_cast<Parse*>(parse);
    void* memory = self.arena.allocate(bytes);
    if (memory == nullptr) std::longjmp(self.out_of_memory, 1);
    return memory;
}

void keep(void*, void*) {}

const GumboOutput* parse(Parse& with, const std::string& html) {
    if (setjmp(with.out_of_memory) != 0) return nullptr;
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = allocate;
    options.deallocator = keep;
    options.userdata = &with;
    options.max_errors = 0;
    return gumbo_parse_with_options(&options, html.data(), html.size());
}

}  // namespace

void* Arena::allocate(std::size_t bytes) {
    constexpr auto alignment = alignof(std::max_align_t);
    if (bytes > left_bytes_) return nullptr;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    if (bytes > block_bytes_) {
        block_bytes_ = std::max(bytes, block_bytes_min);
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block_bytes_));
        next_ = blocks_.back().get();
    }
    left_bytes_ -= std::min(bytes, left_bytes_);
    block_bytes_ -= bytes;
    return std::exchange(next_, next_ + bytes);
}

Tree::Tree(std::string_view html) : source_(balance(html)) {
    build();
    if (body_ != nullptr) return;
    // Only formatting elements are copied by the parser, and so can multiply.
    source_ = balance(html, 0);
    build();
}

void Tree::build() {
    arena_.emplace(memory_base_bytes + memory_per_byte * source_.html.size());
    Parse with{*arena_, {}};
    const auto* output = parse(with, source_.html);
    if (output == nullptr || output->root == nullptr) return;
    const auto& nodes = children(*output->root);
    for (unsigned i = 0; i < nodes.length; ++i) {
        const auto* node = static_cast<const GumboNode*>(nodes.data[i]);
        if (node->type == GUMBO_NODE_ELEMENT && node->v.element.tag == GUMBO_TAG_BODY) body_ = node;
    }
}

std::string_view element_name(const GumboNode& element) {
    return gumbo_normalized_tagname(element.v.element.tag);
}

std::optional<std::string_view> attribute(const GumboNode& element, const char* name) {
    const auto* found = gumbo_get_attribute(&element.v.element.attributes, name);
    if (found == nullptr) return std::nullopt;
    return found->value;
}

const GumboVector& children(const GumboNode& element) { return element.v.element.children; }

}  // namespace mailroom::mime::html
