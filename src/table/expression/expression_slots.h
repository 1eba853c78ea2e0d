// Paths and values of a compiled expression as numbered slots, and the slots filled in for one
// request.
#pragma once

#include "table/expression/expression.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mailroom::table {

// A path as a range of ExpressionSlots' steps.
struct PathRef {
    std::uint32_t first = 0, count = 0;
};

// Immutable once the expression is compiled.
class ExpressionSlots {
public:
    struct Step {
        bool is_index = false;
        std::uint32_t value = 0;  // The list index, or the number of the name.
    };
    struct Name {
        std::string text;
        bool is_placeholder = false;
    };
    struct ValueSlot {
        std::string placeholder;  // ":v", or empty when there is a constant.
        std::optional<Value> constant;
    };

    const Step* steps(const PathRef& path) const { return steps_.data() + path.first; }
    const std::vector<Name>& names() const { return names_; }
    const std::vector<ValueSlot>& values() const { return values_; }
    // About what this occupies.
    std::size_t bytes() const;

private:
    friend class SlotBuilder;
    std::vector<Step> steps_;
    std::vector<Name> names_;
    std::vector<ValueSlot> values_;
};

// Numbers paths and values while an expression is compiled; equal ones share a slot.
class SlotBuilder {
public:
    PathRef add(const Path& path);
    std::uint32_t add_placeholder(const std::string& placeholder);
    std::uint32_t add_constant(Value value);
    ExpressionSlots finish() { return std::move(slots_); }

private:
    ExpressionSlots slots_;
    std::unordered_map<std::string, std::uint32_t> names_, values_;
};

// The slots of one expression with the names and values of one request. Borrows both.
class BoundSlots {
public:
    // What is undefined stays empty; check() tells.
    BoundSlots(const ExpressionSlots& slots, const Bindings& bindings, BindingUse& use);

    // The refusal when the path or the value refers to a placeholder that is not defined.
    Outcome<> check_path(const PathRef& path, ExpressionUse use) const;
    Outcome<> check_value(std::uint32_t slot, ExpressionUse use) const;

    const ExpressionSlots::Step* steps(const PathRef& path) const { return slots_->steps(path); }
    std::string_view name(std::uint32_t number) const { return names_[number]; }
    const ValueView& value(std::uint32_t slot) const { return values_[slot]; }
    // The attribute that the path begins with.
    std::string_view head(const PathRef& path) const { return name(steps(path)->value); }
    std::optional<ValueView> find(const PathRef& path, ItemView item) const;
    bool same(const PathRef& a, const PathRef& b) const;
    // "[a, b, [3]]", as refusals show a path.
    std::string text(const PathRef& path) const;

private:
    static constexpr std::size_t inline_slots = 8;
    const ExpressionSlots* slots_;
    InlineArray<std::string_view, inline_slots> names_;
    InlineArray<ValueView, inline_slots> values_;
};

// Refuses paths of which one contains another, or which use one attribute as a map and as a list.
Outcome<> check_overlap(const BoundSlots& slots, const std::vector<PathRef>& paths,
                        ExpressionUse use);

}  // namespace mailroom::table
