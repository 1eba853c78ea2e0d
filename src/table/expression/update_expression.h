// UpdateExpression: SET, REMOVE, ADD and DELETE.
//
// An Update is the plain tree that the parser makes, and that other languages (PartiQL) may make by
// hand:
//   Update{{UpdateAction::set(Path::attribute("n"),
//                             UpdateValue::sum(UpdateValue::at(Path::attribute("n")),
//                                              UpdateValue::constant(1)))}}
#pragma once

#include "table/expression/expression_slots.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

// The right-hand side of an action.
struct UpdateValue {
    enum class Kind : std::uint8_t {
        path,
        placeholder,
        constant,
        sum,            // arguments: two
        difference,     // arguments: two
        if_not_exists,  // arguments: a path, a value
        list_append,    // arguments: two
    };
    Kind kind = Kind::path;
    Path path;
    std::string placeholder;  // ":v"
    std::optional<Value> value;
    std::vector<UpdateValue> arguments;

    static UpdateValue at(Path path);
    static UpdateValue slot(std::string placeholder);
    static UpdateValue constant(Value value);
    static UpdateValue sum(UpdateValue a, UpdateValue b);
    static UpdateValue difference(UpdateValue a, UpdateValue b);
    static UpdateValue if_not_exists(Path path, UpdateValue otherwise);
    static UpdateValue list_append(UpdateValue front, UpdateValue back);
};

struct UpdateAction {
    enum class Kind : std::uint8_t { set, remove, add, erase };  // `erase` is DELETE.
    Kind kind = Kind::set;
    Path path;
    std::optional<UpdateValue>
        value;  // None with `remove`; a placeholder or constant with add, erase.

    static UpdateAction set(Path path, UpdateValue value);
    static UpdateAction remove(Path path);
    static UpdateAction add(Path path, UpdateValue value);
    static UpdateAction erase(Path path, UpdateValue value);
};

struct Update {
    std::vector<UpdateAction> actions;
};

class CompiledUpdate {
public:
    struct Action {
        UpdateAction::Kind kind{};
        std::uint32_t value = 0;  // The node of the right-hand side; not with `remove`.
    };
    // Nodes stand in front of their arguments: the first argument of node n is n + 1, the second
    // one is at `second`.
    struct Node {
        UpdateValue::Kind kind{};
        PathRef path;
        std::uint32_t slot = 0;
        std::uint32_t second = 0;
    };

    ExpressionUse use() const { return use_; }
    const ExpressionSlots& slots() const { return slots_; }
    const std::vector<Action>& actions() const { return actions_; }
    const std::vector<PathRef>& targets() const { return targets_; }  // One per action.
    const Node& node(std::uint32_t number) const { return nodes_[number]; }
    std::size_t node_count() const { return nodes_.size(); }
    bool nested() const { return nested_; }  // Whether some target is inside an attribute.
    std::size_t bytes() const;

private:
    friend class UpdateCompiler;
    ExpressionUse use_ = ExpressionUse::update;
    std::vector<Action> actions_;
    std::vector<PathRef> targets_;
    std::vector<Node> nodes_;
    bool nested_ = false;
    ExpressionSlots slots_;
};

Outcome<Update> parse_update(std::string_view text);
// Refuses a tree beyond the limits of expression.h. Arguments must be as noted above; anything else
// is a bug of the caller.
Outcome<std::shared_ptr<const CompiledUpdate>> compile(const Update& update, ExpressionUse use);

struct UpdateEffect {
    Item item;  // After the update.
    // What the update's paths held before and hold now; with ReturnValues::updated_old, updated_new
    // only.
    std::optional<Item> updated_old, updated_new;
};

class BoundUpdate {
public:
    static constexpr std::size_t inline_actions = 16;

    // `before` is the item, or its key when there is none yet. Every right-hand side reads
    // `before`. Refuses types that do not fit, attributes that do not exist, paths that lead
    // nowhere.
    Outcome<UpdateEffect> apply(ItemView before, ReturnValues returns = ReturnValues::none) const;

    // Whether the update changes the attribute, and whether something inside it.
    bool writes(std::string_view attribute) const;
    bool writes_inside(std::string_view attribute) const;
    // Whether a right-hand side looks at something inside the attribute.
    bool reads_inside(std::string_view attribute) const;
    // Whether it has nothing but REMOVE and DELETE: it makes no item that is not there.
    bool only_removes() const;
    // The top-level attributes that the update changes, in the order of its actions.
    std::vector<std::string_view> attributes() const;

private:
    friend Outcome<BoundUpdate> bind(std::shared_ptr<const CompiledUpdate> update,
                                     const Bindings& bindings, BindingUse& use);
    BoundUpdate(std::shared_ptr<const CompiledUpdate> compiled, BoundSlots slots);

    std::shared_ptr<const CompiledUpdate> compiled_;  // Shared with the cache.
    BoundSlots slots_;
    InlineArray<std::uint32_t, inline_actions> by_name_;  // Actions in order of their attributes.
};

// Refuses undefined placeholders, overlapping paths and operand types that cannot work. `bindings`
// must outlive the result.
Outcome<BoundUpdate> bind(std::shared_ptr<const CompiledUpdate> update, const Bindings& bindings,
                          BindingUse& use);

}  // namespace mailroom::table
