#include "table/expression/condition.h"

#include <algorithm>

namespace mailroom::table {

namespace {

// Candidates of one IN (DynamoDB's limit).
constexpr std::size_t in_operands_max = 100;

using Node = CompiledCondition::Node;
using BoundOperand = CompiledCondition::CompiledOperand;

bool is_ordered(Kind kind) {
    return kind == Kind::string || kind == Kind::number || kind == Kind::binary;
}
bool is_text(Kind kind) { return kind == Kind::string || kind == Kind::binary; }
bool has_size(Kind kind) {
    return is_text(kind) || is_set(kind) || kind == Kind::list || kind == Kind::map;
}

// As a refusal shows the bound of a range.
std::string bound_text(const ValueView& value) {
    std::string text;
    switch (value.kind()) {
        case Kind::string:
            text = value.text();
            break;
        case Kind::number:
            text = value.number().text();
            break;
        default: {
            const auto size = std::to_string(value.payload().size());
            text = "java.nio.HeapByteBuffer[pos=0 lim=" + size + " cap=" + size + "]";
        }
    }
    return "AttributeValue: {" + std::string(type_name(value.kind())) + ":" + text + "}";
}

// The checks of one bound condition, test by test in the order of the text.
class ConditionChecker {
public:
    ConditionChecker(const CompiledCondition& condition, const BoundSlots& slots)
        : condition_(condition), slots_(slots) {}

    Outcome<> check() const {
        for (const auto& node : condition_.nodes()) {
            if (node.operand_count > 0) TRY(check(node));
        }
        return Ok{};
    }

private:
    Outcome<> check(const Node& node) const {
        const auto* operands = condition_.operands(node);
        for (std::size_t i = 0; i < node.operand_count; ++i) {
            TRY(operands[i].is_path ? slots_.check_path(operands[i].path, condition_.use())
                                    : slots_.check_value(operands[i].value, condition_.use()));
            TRY(check_size(operands[i]));
        }
        if (node.op == ConditionOp::in && node.operand_count > in_operands_max + 1) {
            return refused(
                "The IN operator is provided with too many operands; number of operands: " +
                std::to_string(node.operand_count - 1));
        }
        TRY(check_path_operand(node));
        TRY(check_distinct(node));
        return check_types(node);
    }

    Failure refused(std::string_view message) const { return refuse(condition_.use(), message); }

    Failure wrong_type(std::string_view operation, std::string_view type) const {
        return refused("Incorrect operand type for operator or function; operator or function: " +
                       std::string(operation) + ", operand type: " + std::string(type));
    }

    // The type that the operand has whatever the item.
    std::optional<Kind> type_of(const BoundOperand& operand) const {
        if (operand.is_size) return Kind::number;
        if (operand.is_path) return std::nullopt;
        return slots_.value(operand.value).kind();
    }

    Outcome<> check_size(const BoundOperand& operand) const {
        if (!operand.is_size || operand.is_path) return Ok{};
        const auto kind = slots_.value(operand.value).kind();
        if (!has_size(kind)) return wrong_type("size", type_name(kind));
        return Ok{};
    }

    Outcome<> check_path_operand(const Node& node) const {
        const auto& first = condition_.operands(node)[0];
        const bool is_path = first.is_path && !first.is_size;
        const bool needs_path = node.op == ConditionOp::attribute_exists ||
                                node.op == ConditionOp::attribute_not_exists;
        // A value has a type as well as what is at a path; a size is a number anyway.
        const bool fits = node.op == ConditionOp::attribute_type ? !first.is_size : !needs_path;
        if (is_path || fits) return Ok{};
        return refused("Operator or function requires a document path; operator or function: " +
                       std::string(operator_name(node.op)));
    }

    Outcome<> check_distinct(const Node& node) const {
        const auto* operands = condition_.operands(node);
        if (!operands[0].is_path || operands[0].is_size) return Ok{};
        for (std::size_t i = 1; i < node.operand_count; ++i) {
            if (!operands[i].is_path || operands[i].is_size) continue;
            if (!slots_.same(operands[0].path, operands[i].path)) continue;
            return refused(
                "The first operand must be distinct from the remaining operands for this operator "
                "or function; operator: " +
                std::string(operator_name(node.op)) +
                ", first operand: " + slots_.text(operands[0].path));
        }
        return Ok{};
    }

    Outcome<> check_types(const Node& node) const {
        switch (node.op) {
            case ConditionOp::less:
            case ConditionOp::less_equal:
            case ConditionOp::greater:
            case ConditionOp::greater_equal:
                return check_all(node, is_ordered);
            case ConditionOp::begins_with:
                return check_all(node, is_text);
            case ConditionOp::between:
                TRY(check_all(node, is_ordered));
                return check_bounds(node);
            case ConditionOp::attribute_type:
                return check_type_name(node);
            default:
                return Ok{};
        }
    }

    Outcome<> check_all(const Node& node, bool (*fits)(Kind)) const {
        const auto* operands = condition_.operands(node);
        for (std::size_t i = 0; i < node.operand_count; ++i) {
            const auto type = type_of(operands[i]);
            if (type && !fits(*type)) return wrong_type(operator_name(node.op), type_name(*type));
        }
        return Ok{};
    }

    Outcome<> check_bounds(const Node& node) const {
        const auto& lower = condition_.operands(node)[1];
        const auto& upper = condition_.operands(node)[2];
        if (lower.is_path || upper.is_path || lower.is_size || upper.is_size) return Ok{};
        const auto& low = slots_.value(lower.value);
        const auto& high = slots_.value(upper.value);
        std::string wanted;
        if (low.kind() != high.kind()) {
            wanted = "same data type for lower and upper bounds";
        } else if (low.payload() > high.payload()) {
            wanted = "upper bound to be greater than or equal to lower bound";
        } else {
            return Ok{};
        }
        return refused("The BETWEEN operator requires " + wanted + "; lower bound operand: " +
                       bound_text(low) + ", upper bound operand: " + bound_text(high));
    }

    Outcome<> check_type_name(const Node& node) const {
        const auto& operand = condition_.operands(node)[1];
        const auto type = type_of(operand);
        if (!type) return wrong_type("attribute_type", "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
        if (*type != Kind::string) return wrong_type("attribute_type", type_name(*type));

        static constexpr std::string_view types[] = {"B",  "NULL", "SS", "BOOL", "L",
                                                     "BS", "N",    "NS", "S",    "M"};
        const auto name = slots_.value(operand.value).text();
        if (std::ranges::find(types, name) != std::end(types)) return Ok{};
        return refused("Invalid attribute type name found; type: " + std::string(name) +
                       ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}");
    }

    const CompiledCondition& condition_;
    const BoundSlots& slots_;
};

}  // namespace

Outcome<BoundCondition> bind(std::shared_ptr<const CompiledCondition> condition,
                             const Bindings& bindings, BindingUse& use) {
    BoundSlots slots(condition->slots(), bindings, use);
    TRY(ConditionChecker(*condition, slots).check());
    return BoundCondition(std::move(condition), std::move(slots));
}

}  // namespace mailroom::table
