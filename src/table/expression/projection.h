// ProjectionExpression: the part of an item that an answer shows.
#pragma once

#include "table/expression/expression_slots.h"

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table {

class CompiledProjection {
public:
    CompiledProjection(const std::vector<Path>& paths, ExpressionUse use);

    ExpressionUse use() const { return use_; }
    const ExpressionSlots& slots() const { return slots_; }
    const std::vector<PathRef>& paths() const { return paths_; }
    std::size_t bytes() const;

private:
    ExpressionUse use_;
    std::vector<PathRef> paths_;
    ExpressionSlots slots_;
};

Outcome<std::vector<Path>> parse_projection(std::string_view text);
// Paths made by hand; refuses those with too many steps.
Outcome<std::shared_ptr<const CompiledProjection>> compile(const std::vector<Path>& paths,
                                                           ExpressionUse use);

// The wanted part of a document, as a tree: a node without children wants everything below it.
// Children are sorted: list indexes first, then names. Borrows the names.
class PathTree {
public:
    // Adding a path that contains another one, or is contained in one, keeps the larger part.
    void add(const BoundSlots& slots, const PathRef& path);
    // The part of `item` at these paths. What is not there is left out, lists close up.
    Item select(ItemView item) const;

private:
    struct Child;
    bool select_map(ItemView map, std::string& out) const;
    bool select_list(ListView list, std::string& out) const;
    bool select_value(const ValueView& value, std::string& out) const;

    std::vector<Child> children_;
};

struct PathTree::Child {
    bool is_index = false;
    std::uint32_t index = 0;
    std::string_view name;
    PathTree below;
};

class BoundProjection {
public:
    // The attributes and parts that the projection names and the item has.
    Item project(ItemView item) const;
    bool reads(std::string_view attribute) const;
    bool reads_inside(std::string_view attribute) const;
    // The top-level attributes the projection needs, sorted, each once.
    const std::vector<std::string_view>& attributes() const { return top_level_; }

private:
    friend Outcome<BoundProjection> bind(std::shared_ptr<const CompiledProjection> projection,
                                         const Bindings& bindings, BindingUse& use);
    BoundProjection(std::shared_ptr<const CompiledProjection> compiled, BoundSlots slots);

    std::shared_ptr<const CompiledProjection> compiled_;  // Shared with the cache.
    BoundSlots slots_;
    std::vector<std::string_view> top_level_;  // Sorted.
    bool nested_ = false;
    PathTree tree_;  // When some path is nested.
};

// Refuses undefined #names and paths that overlap. `bindings` must outlive the result.
Outcome<BoundProjection> bind(std::shared_ptr<const CompiledProjection> projection,
                              const Bindings& bindings, BindingUse& use);

}  // namespace mailroom::table
