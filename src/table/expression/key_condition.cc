#include "table/expression/key_condition.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

namespace {

using Node = CompiledCondition::Node;
using Part = BoundKeyCondition::Part;

// Conditions on one hash and one range key.
constexpr std::size_t parts_max = 2;

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
    if (parts.size() > parts_max) return invalid("Conditions can be of length 1 or 2 only");
    return parts;
}

Outcome<> check_kind(const Part& part, Kind kind) {
    const bool fits = part.condition.value.kind() == kind &&
                      (!part.condition.upper || part.condition.upper->kind() == kind);
    if (fits) return Ok{};
    return invalid(
        "One or more parameter values were invalid: Condition parameter type does not match schema "
        "type");
}

Outcome<> check_not_empty(const Part& part, Kind kind) {
    if (kind == Kind::number) return Ok{};
    const bool empty = part.condition.value.payload().empty() ||
                       (part.condition.upper && part.condition.upper->payload().empty());
    if (!empty) return Ok{};
    return invalid(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
        "contain an empty " +
        std::string(kind == Kind::string ? "string" : "binary") +
        " value. Key: " + std::string(part.name));
}

const char* const not_supported = "Query key condition not supported";

Failure missing(const std::string& attribute) {
    return invalid("Query condition missed key schema element: " + attribute);
}

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

Outcome<KeyConditions> BoundKeyCondition::match(const KeySchema& schema, Kind hash_kind,
                                                std::optional<Kind> range_kind) const {
    const auto hash = std::ranges::find(parts_, schema.hash, &Part::name);
    if (schema.range.empty() && parts_.size() > 1) return invalid(not_supported);
    if (hash == parts_.end()) return missing(schema.hash);
    TRY(check_kind(*hash, hash_kind));
    if (hash->condition.op != KeyOp::equal) return invalid(not_supported);
    TRY(check_not_empty(*hash, hash_kind));
    KeyConditions conditions{hash->condition.value, std::nullopt};
    if (parts_.size() == 1) return conditions;

    const auto range = std::ranges::find(parts_, schema.range, &Part::name);
    if (range == parts_.end()) return missing(schema.range);
    assert(range_kind);
    TRY(check_kind(*range, *range_kind));
    TRY(check_not_empty(*range, *range_kind));
    conditions.range = range->condition;
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
