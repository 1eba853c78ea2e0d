// KeyConditionExpression: which part of which key a Query reads.
#pragma once

#include "table/expression/condition.h"
#include "table/schema.h"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace mailroom::table {

enum class KeyOp { equal, less, less_equal, greater, greater_equal, between, begins_with };

struct RangeCondition {
    KeyOp op = KeyOp::equal;
    ValueView value;                 // The lower bound of `between`.
    std::optional<ValueView> upper;  // `between` only.

    // Whether a range key of the schema's kind lies in the range.
    bool holds(ValueView key) const;
};

// A key condition that fits its schema. Borrows the values it was bound with.
struct KeyConditions {
    ValueView hash;
    std::optional<RangeCondition> range;
};

class CompiledKeyCondition {
public:
    explicit CompiledKeyCondition(std::shared_ptr<const CompiledCondition> condition)
        : condition_(std::move(condition)) {}
    const std::shared_ptr<const CompiledCondition>& condition() const { return condition_; }
    std::size_t bytes() const { return sizeof(*this) + condition_->bytes(); }

private:
    std::shared_ptr<const CompiledCondition> condition_;
};

// One or two conditions on top-level attributes, not yet held against a schema. Borrows the names
// and values of its Bindings.
class BoundKeyCondition {
public:
    struct Part {
        std::string_view name;
        RangeCondition condition;
    };
    const std::vector<Part>& parts() const { return parts_; }

    // Refuses a condition that misses the hash key, is on other attributes, has another type than
    // the schema or another operator than "=" on the hash key. `range_kind` matters only with a
    // range key.
    Outcome<KeyConditions> match(const KeySchema& schema, Kind hash_kind,
                                 std::optional<Kind> range_kind) const;

private:
    friend Outcome<BoundKeyCondition> bind(std::shared_ptr<const CompiledKeyCondition> condition,
                                           const Bindings& bindings, BindingUse& use);
    BoundKeyCondition(BoundCondition condition, std::vector<Part> parts)
        : condition_(std::move(condition)), parts_(std::move(parts)) {}

    BoundCondition condition_;  // Owns the names that are written in the text.
    std::vector<Part> parts_;
};

Outcome<std::shared_ptr<const CompiledKeyCondition>> compile_key_condition(std::string_view text);
Outcome<BoundKeyCondition> bind(std::shared_ptr<const CompiledKeyCondition> condition,
                                const Bindings& bindings, BindingUse& use);

}  // namespace mailroom::table
