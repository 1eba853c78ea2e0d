#include "table/expression/key_condition.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

namespace {

using Node = CompiledCondition::Node;
using Part = BoundKeyCondition::Part;

constexpr std::size_t table_parts_max = 2;  // A hash key and a range key.
constexpr std::size_t parts_max = 2 * key_attributes_max;

std::optional<KeyOp> key_op(ConditionOp op) {
    switch (op) {
        case ConditionOp::equal:
            return KeyOp::equal;
        case ConditionOp::less:
            return KeyOp::less;
        case ConditionOp::less_equal:
            return KeyOp::less_equal;
        case ConditionOp::greater:
            return KeyOp::greater;
        case ConditionOp::greater_equal:
            return KeyOp::greater_equal;
        case ConditionOp::between:
            return KeyOp::between;
        case ConditionOp::begins_with:
            return KeyOp::begins_with;
        default:
            return std::nullopt;
    }
}

// `value < key` is `key > value`.
KeyOp mirrored(KeyOp op) {
    switch (op) {
        case KeyOp::less:
            return KeyOp::greater;
        case KeyOp::less_equal:
            return KeyOp::greater_equal;
        case KeyOp::greater:
            return KeyOp::less;
        case KeyOp::greater_equal:
            return KeyOp::less_equal;
        default:
            return op;
    }
}

Failure bad_condition(const std::string& message) {
    return invalid("Invalid condition in KeyConditionExpression: " + message);
}

// One test of the condition as the condition on one key.
Outcome<Part> part_of(const BoundCondition& condition, const Node& node) {
    const auto op = key_op(node.op);
    if (!op) {
        return invalid("Invalid operator used in KeyConditionExpression: " +
                       std::string(operator_name(node.op)));
    }
    const auto* operands = condition.compiled().operands(node);
    const auto* end = operands + node.operand_count;
    if (std::any_of(operands, end, [](const auto& operand) { return operand.is_size; })) {
        return invalid("KeyConditionExpressions cannot contain nested operations");
    }
    if ((*op == KeyOp::between || *op == KeyOp::begins_with) && !operands[0].is_path) {
        return bad_condition(std::string(operator_name(node.op)) +
                             " operator must have the key attribute as its first operand");
    }
    const auto paths =
        std::count_if(operands, end, [](const auto& operand) { return operand.is_path; });
    if (paths > 1) return bad_condition("Multiple attribute names used in one condition");
    if (paths == 0) return bad_condition("No key attribute specified");

    const auto& slots = condition.slots();
    const auto& key = operands[0].is_path ? operands[0] : operands[1];
    if (key.path.count > 1) {
        return invalid("KeyConditionExpressions cannot have conditions on nested attributes");
    }
    Part part{slots.head(key.path), {*op, {}, std::nullopt}};
    if (operands[0].is_path) {
        part.condition.value = slots.value(operands[1].value);
    } else {
        part.condition.op = mirrored(*op);
        part.condition.value = slots.value(operands[0].value);
    }
    if (*op == KeyOp::between) part.condition.upper = slots.value(operands[2].value);
    return part;
}

Failure too_many() { return invalid("Conditions can be of length 1 or 2 only"); }

Outcome<std::vector<Part>> parts_of(const BoundCondition& condition) {
    std::vector<Part> parts;
    for (const auto& node : condition.compiled().nodes()) {
        if (node.op == ConditionOp::all_of) continue;
        auto part = TRY(part_of(condition, node));
        if (std::ranges::find(parts, part.name, &Part::name) != parts.end()) {
            return invalid("KeyConditionExpressions must only contain one condition per key");
        }
        parts.push_back(std::move(part));
    }
    if (parts.size() > parts_max) return too_many();
    return parts;
}

Outcome<> check_kind(const Part& part, const AttributeDefinition& key) {
    const bool fits = part.condition.value.kind() == key.kind &&
                      (!part.condition.upper || part.condition.upper->kind() == key.kind);
    if (fits) return Ok{};
    return invalid(
        "One or more parameter values were invalid: Condition parameter type does not match schema "
        "type");
}

Outcome<> check_not_empty(const Part& part, const AttributeDefinition& key) {
    if (key.kind == Kind::number) return Ok{};
    const bool empty = part.condition.value.payload().empty() ||
                       (part.condition.upper && part.condition.upper->payload().empty());
    if (!empty) return Ok{};
    return invalid(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
        "contain an empty " +
        std::string(key.kind == Kind::string ? "string" : "binary") +
        " value. Key: " + std::string(part.name));
}

const char* const not_supported = "Query key condition not supported";

Failure missing(const std::string& attribute) {
    return invalid("Query condition missed key schema element: " + attribute);
}

bool is_equal(const Part* part) { return part && part->condition.op == KeyOp::equal; }

// Of the attributes of one kind that a key of several has, those that would have to be given.
class Unequal {
public:
    void add(const std::string& name) { names_ += (names_.empty() ? "" : ", ") + name; }
    bool any() const { return !names_.empty(); }
    Failure refusal(const std::string& kind, const std::string& why) const {
        return invalid(kind + " key attributes " + names_ +
                       " must have equality conditions specified in the query" + why);
    }

private:
    std::string names_;
};

}  // namespace

bool RangeCondition::holds(ValueView key) const {
    if (key.kind() != value.kind()) return false;
    const int order = key.payload().compare(value.payload());
    switch (op) {
        case KeyOp::equal:
            return order == 0;
        case KeyOp::less:
            return order < 0;
        case KeyOp::less_equal:
            return order <= 0;
        case KeyOp::greater:
            return order > 0;
        case KeyOp::greater_equal:
            return order >= 0;
        case KeyOp::between:
            return order >= 0 && key.payload() <= upper->payload();
        case KeyOp::begins_with:
            return key.payload().starts_with(value.payload());
    }
    assert(false);
    return false;
}

const Part* BoundKeyCondition::part_on(const AttributeDefinition& attribute) const {
    const auto found = std::ranges::find(parts_, attribute.name, &Part::name);
    return found == parts_.end() ? nullptr : &*found;
}

Outcome<> BoundKeyCondition::check_fits_table() const {
    if (parts_.size() > table_parts_max) return too_many();
    return Ok{};
}

Outcome<KeyConditions> BoundKeyCondition::match_pair(const AttributeDefinition& hash,
                                                     const AttributeDefinition* range) const {
    TRY(check_fits_table());
    const auto* hash_part = part_on(hash);
    if (!range && parts_.size() > 1) return invalid(not_supported);
    if (!hash_part) return missing(hash.name);
    TRY(check_kind(*hash_part, hash));
    if (!is_equal(hash_part)) return invalid(not_supported);
    TRY(check_not_empty(*hash_part, hash));
    KeyConditions conditions{KeyConditions::Values(1), KeyConditions::Values(0), std::nullopt};
    conditions.hashes[0] = hash_part->condition.value;
    if (parts_.size() == 1) return conditions;

    const auto* range_part = part_on(*range);
    if (!range_part) return missing(range->name);
    TRY(check_kind(*range_part, *range));
    TRY(check_not_empty(*range_part, *range));
    conditions.range = range_part->condition;
    return conditions;
}

Outcome<KeyConditions> BoundKeyCondition::match(std::span<const AttributeDefinition> hashes,
                                                std::span<const AttributeDefinition> ranges) const {
    if (hashes.size() == 1 && ranges.size() <= 1) {
        return match_pair(hashes[0], ranges.empty() ? nullptr : &ranges[0]);
    }
    Unequal unequal;
    std::size_t found = 0, used = 0;  // Conditions on the key; range attributes up to the last one.
    for (const auto& hash : hashes) {
        found += part_on(hash) ? 1 : 0;
        if (!is_equal(part_on(hash))) unequal.add(hash.name);
    }
    if (unequal.any()) return unequal.refusal("HASH", "");
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (!part_on(ranges[i])) continue;
        ++found;
        used = i + 1;
    }
    if (found < parts_.size()) return invalid(not_supported);
    for (std::size_t i = 0; i + 1 < used; ++i) {
        if (!is_equal(part_on(ranges[i]))) unequal.add(ranges[i].name);
    }
    if (unequal.any()) {
        return unequal.refusal(
            "RANGE", " because a condition is present on key attribute " + ranges[used - 1].name);
    }
    return match_each(hashes, ranges.first(used));
}

Outcome<KeyConditions> BoundKeyCondition::match_each(
    std::span<const AttributeDefinition> hashes,
    std::span<const AttributeDefinition> ranges) const {
    const auto fitting = [&](const AttributeDefinition& key) -> Outcome<RangeCondition> {
        TRY(check_kind(*part_on(key), key));
        TRY(check_not_empty(*part_on(key), key));
        return part_on(key)->condition;
    };
    const auto leading = ranges.empty() ? 0 : ranges.size() - 1;
    KeyConditions conditions{KeyConditions::Values(hashes.size()), KeyConditions::Values(leading),
                             std::nullopt};
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        conditions.hashes[i] = TRY(fitting(hashes[i])).value;
    }
    for (std::size_t i = 0; i < leading; ++i) {
        conditions.leading[i] = TRY(fitting(ranges[i])).value;
    }
    if (!ranges.empty()) conditions.range = TRY(fitting(ranges.back()));
    return conditions;
}

Outcome<std::shared_ptr<const CompiledKeyCondition>> compile_key_condition(std::string_view text) {
    const auto condition = TRY(parse_condition(text, ExpressionUse::key_condition));
    auto compiled = TRY(compile(condition, ExpressionUse::key_condition));
    return std::make_shared<const CompiledKeyCondition>(std::move(compiled));
}

Outcome<BoundKeyCondition> bind(std::shared_ptr<const CompiledKeyCondition> condition,
                                const Bindings& bindings, BindingUse& use) {
    auto bound = TRY(bind(condition->condition(), bindings, use));
    auto parts = TRY(parts_of(bound));
    return BoundKeyCondition(std::move(bound), std::move(parts));
}

}  // namespace mailroom::table
