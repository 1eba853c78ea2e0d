// KeyConditionExpression: which part of which key a Query reads.
#pragma once

#include "table/expression/condition.h"
#include "table/expression/inline_array.h"
#include "table/schema.h"

#include <memory>
#include <optional>
#include <span>
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
    using Values = InlineArray<ValueView, key_attributes_max>;
    Values hashes;   // Of every hash attribute.
    Values leading;  // Of the range attributes before the one that `range` is about.
    std::optional<RangeCondition> range;

    std::span<const ValueView> hash_values() const { return {hashes.begin(), hashes.size()}; }
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

// Conditions on top-level attributes, not yet held against a schema. Borrows the names and values
// of its Bindings.
class BoundKeyCondition {
public:
    struct Part {
        std::string_view name;
        RangeCondition condition;
    };
    const std::vector<Part>& parts() const { return parts_; }

    // Refuses more conditions than the key of any table can have.
    Outcome<> check_fits_table() const;
    // Refuses a condition that misses a hash attribute, skips a range attribute, is on others, has
    // another type than the schema, or another operator than "=" on any but the last one of the
    // range attributes that it is on.
    Outcome<KeyConditions> match(std::span<const AttributeDefinition> hashes,
                                 std::span<const AttributeDefinition> ranges) const;

private:
    Outcome<KeyConditions> match_pair(const AttributeDefinition& hash,
                                      const AttributeDefinition* range) const;
    // Each of the attributes has a condition, all but the last range attribute an equality.
    Outcome<KeyConditions> match_each(std::span<const AttributeDefinition> hashes,
                                      std::span<const AttributeDefinition> ranges) const;
    const Part* part_on(const AttributeDefinition& attribute) const;
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
