// Conditions: ConditionExpression and FilterExpression (a KeyConditionExpression is read as one
// first).
//
// A Condition is the plain tree that the parser makes, and that other languages (PartiQL) may make
// by hand:
//   Condition::compare(ConditionOp::equal, Operand::at(Path::attribute("state")),
//                      Operand::constant("open"))
//   Condition::join(ConditionOp::all_of, {…, …})
// compile() turns it into the form that is evaluated.
#pragma once

#include "table/expression/expression_slots.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

enum class ConditionOp : std::uint8_t {
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    between,               // operands: value, lower, upper
    in,                    // operands: value, candidate…
    attribute_exists,      // operands: path
    attribute_not_exists,  // operands: path
    attribute_type,        // operands: path, type name
    begins_with,           // operands: value, prefix
    contains,              // operands: value, part
    all_of,                // children
    any_of,                // children
    negation,              // one child
};

// "=", "BETWEEN", "attribute_exists", "AND", … as DynamoDB writes it.
std::string_view operator_name(ConditionOp op);

struct Operand {
    enum class Kind { path, placeholder, constant };
    Kind kind = Kind::path;
    Path path;
    std::string placeholder;  // ":v"
    std::optional<Value> value;
    bool is_size = false;  // size(…) of the above.

    static Operand at(Path path) { return {Kind::path, std::move(path), {}, {}, false}; }
    static Operand slot(std::string placeholder) {
        return {Kind::placeholder, {}, std::move(placeholder), {}, false};
    }
    static Operand constant(Value value) {
        return {Kind::constant, {}, {}, std::move(value), false};
    }
    static Operand size_of(Operand operand) {
        operand.is_size = true;
        return operand;
    }
};

struct Condition {
    ConditionOp op = ConditionOp::all_of;
    std::vector<Operand> operands;
    std::vector<Condition> children;

    static Condition compare(ConditionOp op, Operand left, Operand right);
    static Condition test(ConditionOp op, std::vector<Operand> operands);
    static Condition join(ConditionOp op, std::vector<Condition> children);
    static Condition negate(Condition condition);
};

class CompiledCondition {
public:
    // Nodes stand in front of their children; `end` is behind the last of them.
    struct Node {
        ConditionOp op{};
        std::uint32_t end = 0;
        std::uint32_t first_operand = 0, operand_count = 0;
    };
    struct CompiledOperand {
        bool is_path = false, is_size = false;
        PathRef path = {};
        std::uint32_t value = 0;
    };

    ExpressionUse use() const { return use_; }
    const ExpressionSlots& slots() const { return slots_; }
    const std::vector<Node>& nodes() const { return nodes_; }
    const CompiledOperand* operands(const Node& node) const {
        return operands_.data() + node.first_operand;
    }
    const std::vector<CompiledOperand>& operands() const { return operands_; }
    std::size_t bytes() const;

private:
    friend class ConditionCompiler;
    ExpressionUse use_ = ExpressionUse::condition;
    ExpressionSlots slots_;
    std::vector<Node> nodes_;
    std::vector<CompiledOperand> operands_;
};

// `text` as `use`: condition, filter or key_condition. Syntax, reserved words, functions, limits.
Outcome<Condition> parse_condition(std::string_view text, ExpressionUse use);
// Refuses a tree beyond the limits of expression.h. The number and kinds of operands must fit each
// operator, as noted above; anything else is a bug of the caller.
Outcome<std::shared_ptr<const CompiledCondition>> compile(const Condition& condition,
                                                          ExpressionUse use);

class BoundCondition {
public:
    // Whether `item` (empty when there is none) meets the condition. Types that do not fit are no
    // match.
    bool holds(ItemView item) const { return holds(0, item); }
    // Whether the condition looks at the attribute, and whether at something inside it.
    bool reads(std::string_view attribute) const;
    bool reads_inside(std::string_view attribute) const;

    const CompiledCondition& compiled() const { return *compiled_; }
    const BoundSlots& slots() const { return slots_; }

private:
    friend Outcome<BoundCondition> bind(std::shared_ptr<const CompiledCondition> condition,
                                        const Bindings& bindings, BindingUse& use);
    BoundCondition(std::shared_ptr<const CompiledCondition> compiled, BoundSlots slots)
        : compiled_(std::move(compiled)), slots_(std::move(slots)) {}
    bool holds(std::size_t node, ItemView item) const;
    bool test(const CompiledCondition::Node& node, ItemView item) const;

    std::shared_ptr<const CompiledCondition> compiled_;  // Shared with the cache.
    BoundSlots slots_;
};

// Refuses undefined placeholders and operand types that cannot work. `bindings` must outlive the
// result.
Outcome<BoundCondition> bind(std::shared_ptr<const CompiledCondition> condition,
                             const Bindings& bindings, BindingUse& use);

}  // namespace mailroom::table
