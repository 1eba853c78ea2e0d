// The arrays and objects that the engine itself makes during a render.
#pragma once

#include "liquid/arena.h"
#include "liquid/value.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace mailroom::liquid {

// `items` must be in the arena.
Value list_value(Arena& arena, std::span<const Value> items);

// The numbers from `low`, each one more than the last, up to `high`. Takes no room per number.
Value number_range(Arena& arena, double low, double high);

// What `group_by` makes: an object with the keys name and items.
Value group_value(Arena& arena, const Value& name, const Value& items);

// `block` inside a block: what the layout, or a template nearer to it, has there is its `super`.
Value block_value(Arena& arena, const Value& super);

// The items a loop goes through: those of an array, the pairs of an object, a text as one item.
Value enumerable(Arena& arena, Budget& budget, const Value& value);

// The items an array filter works on: nil is none, a single value is a list of itself.
Value as_array(Arena& arena, const Value& value);

// `forloop` and `tablerowloop`; their node is a LoopState.
struct LoopState {
    std::size_t index = 0;
    std::size_t length = 0;
    double columns = 0;  // Of a table; 0 for a plain loop.
    std::string_view name;

    double row() const;
    double column() const;  // From 0.
};
Value loop_value(const LoopState& state);

}  // namespace mailroom::liquid
