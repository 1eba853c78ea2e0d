#include "table/expression/condition.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

std::string_view operator_name(ConditionOp op) {
    switch (op) {
        case ConditionOp::equal:
            return "=";
        case ConditionOp::not_equal:
            return "<>";
        case ConditionOp::less:
            return "<";
        case ConditionOp::less_equal:
            return "<=";
        case ConditionOp::greater:
            return ">";
        case ConditionOp::greater_equal:
            return ">=";
        case ConditionOp::between:
            return "BETWEEN";
        case ConditionOp::in:
            return "IN";
        case ConditionOp::attribute_exists:
            return "attribute_exists";
        case ConditionOp::attribute_not_exists:
            return "attribute_not_exists";
        case ConditionOp::attribute_type:
            return "attribute_type";
        case ConditionOp::begins_with:
            return "begins_with";
        case ConditionOp::contains:
            return "contains";
        case ConditionOp::all_of:
            return "AND";
        case ConditionOp::any_of:
            return "OR";
        case ConditionOp::negation:
            return "NOT";
    }
    assert(false);
    return "";
}

Condition Condition::compare(ConditionOp op, Operand left, Operand right) {
    Condition condition{op, {}, {}};
    condition.operands.push_back(std::move(left));
    condition.operands.push_back(std::move(right));
    return condition;
}
Condition Condition::test(ConditionOp op, std::vector<Operand> operands) {
    return {op, std::move(operands), {}};
}
Condition Condition::join(ConditionOp op, std::vector<Condition> children) {
    return {op, {}, std::move(children)};
}
Condition Condition::negate(Condition condition) {
    Condition negation{ConditionOp::negation, {}, {}};
    negation.children.push_back(std::move(condition));
    return negation;
}

class ConditionCompiler {
public:
    explicit ConditionCompiler(ExpressionUse use) { compiled_.use_ = use; }

    Outcome<std::shared_ptr<const CompiledCondition>> compile(const Condition& condition) {
        TRY(add(condition, 0));
        compiled_.slots_ = slots_.finish();
        return std::make_shared<const CompiledCondition>(std::move(compiled_));
    }

private:
    // A tree made by hand may join what parentheses would keep apart, so twice the depth of a
    // parsed one.
    static constexpr std::size_t depth_max = 2 * expression_depth_max;

    Outcome<> add(const Condition& condition, std::size_t depth) {
        if (depth > expression_depth_max) return too_many_operators();
        const auto number = compiled_.nodes_.size();
        CompiledCondition::Node node{.op = condition.op};
        node.first_operand = static_cast<std::uint32_t>(compiled_.operands_.size());
        node.operand_count = static_cast<std::uint32_t>(condition.operands.size());
        for (const auto& operand : condition.operands) TRY(add(operand));
        compiled_.nodes_.push_back(node);
        for (const auto& child : condition.children) TRY(add(child, depth + 1));
        compiled_.nodes_[number].end = static_cast<std::uint32_t>(compiled_.nodes_.size());
        return Ok{};
    }

    Outcome<> add(const Operand& operand) {
        CompiledCondition::CompiledOperand compiled{.is_size = operand.is_size};
        switch (operand.kind) {
            case Operand::Kind::path:
                if (operand.path.steps.size() > path_levels_max) return too_many_levels(operand);
                compiled.is_path = true;
                compiled.path = slots_.add(operand.path);
                break;
            case Operand::Kind::placeholder:
                compiled.value = slots_.add_placeholder(operand.placeholder);
                break;
            case Operand::Kind::constant:
                assert(operand.value);
                compiled.value = slots_.add_constant(*operand.value);
                break;
        }
        compiled_.operands_.push_back(compiled);
        return Ok{};
    }

    Failure too_many_operators() const {
        return refuse(compiled_.use_,
                      "The expression contains too many operators; operator count: " +
                          std::to_string(expression_operators_max + 1));
    }
    Failure too_many_levels(const Operand& operand) const {
        return refuse(compiled_.use_,
                      "The document path has too many nesting levels; nesting levels: " +
                          std::to_string(operand.path.steps.size()));
    }

    CompiledCondition compiled_;
    SlotBuilder slots_;
};

Outcome<std::shared_ptr<const CompiledCondition>> compile(const Condition& condition,
                                                          ExpressionUse use) {
    return ConditionCompiler(use).compile(condition);
}

std::size_t CompiledCondition::bytes() const {
    return sizeof(*this) + slots_.bytes() + nodes_.capacity() * sizeof(Node) +
           operands_.capacity() * sizeof(CompiledOperand);
}

namespace {

// DynamoDB measures a text in units of UTF-16, though it stores and limits it in bytes of UTF-8.
std::size_t utf16_units(std::string_view utf8) {
    std::size_t units = 0;
    for (const char c : utf8) {
        const auto byte = static_cast<unsigned char>(c);
        const bool begins_character = (byte & 0xc0) != 0x80;
        const bool takes_two = byte >= 0xf0;
        units += (begins_character ? 1u : 0u) + (takes_two ? 1u : 0u);
    }
    return units;
}

// The value of an operand for one item. Stays where it is: it may hold the number that it shows.
class Operated {
public:
    Operated(const CompiledCondition::CompiledOperand& operand, const BoundSlots& slots,
             ItemView item) {
        if (operand.is_path) {
            const auto found = slots.find(operand.path, item);
            if (!found) return;
            show(found->kind(), found->payload());
        } else {
            const auto& value = slots.value(operand.value);
            show(value.kind(), value.payload());
        }
        if (operand.is_size) measure();
    }
    Operated(const Operated&) = delete;
    Operated& operator=(const Operated&) = delete;

    bool exists() const { return exists_; }
    Kind kind() const { return kind_; }
    std::string_view payload() const { return payload_; }

    friend bool operator==(const Operated& a, const Operated& b) {
        return a.exists_ && b.exists_ && a.kind_ == b.kind_ && a.payload_ == b.payload_;
    }
    // Whether the two can be put in order, by their payloads.
    static bool ordered(const Operated& a, const Operated& b) {
        return a.exists_ && b.exists_ && a.kind_ == b.kind_ &&
               (a.kind_ == Kind::string || a.kind_ == Kind::number || a.kind_ == Kind::binary);
    }

private:
    void show(Kind kind, std::string_view payload) {
        exists_ = true;
        kind_ = kind;
        payload_ = payload;
    }
    void measure() {
        std::size_t size = 0;
        switch (kind_) {
            case Kind::string:
                size = utf16_units(payload_);
                break;
            case Kind::binary:
                size = payload_.size();
                break;
            case Kind::list:
                size = ListView(payload_).count();
                break;
            case Kind::map:
                size = ItemView(payload_).count();
                break;
            case Kind::string_set:
            case Kind::number_set:
            case Kind::binary_set:
                size = SetView(payload_).count();
                break;
            case Kind::number:
            case Kind::boolean_true:
            case Kind::boolean_false:
            case Kind::null:
                exists_ = false;
                return;
        }
        number_.emplace(static_cast<std::int64_t>(size));
        show(Kind::number, number_->encoded());
    }

    bool exists_ = false;
    Kind kind_{};
    std::string_view payload_;
    std::optional<Number> number_;
};

bool contains(const Operated& whole, const Operated& part) {
    if (!whole.exists() || !part.exists()) return false;
    switch (whole.kind()) {
        case Kind::string:
        case Kind::binary:
            return part.kind() == whole.kind() &&
                   whole.payload().find(part.payload()) != std::string_view::npos;
        case Kind::string_set:
            return part.kind() == Kind::string && SetView(whole.payload()).contains(part.payload());
        case Kind::number_set:
            return part.kind() == Kind::number && SetView(whole.payload()).contains(part.payload());
        case Kind::binary_set:
            return part.kind() == Kind::binary && SetView(whole.payload()).contains(part.payload());
        case Kind::list:
            for (const auto& element : ListView(whole.payload())) {
                if (element.kind() == part.kind() && element.payload() == part.payload())
                    return true;
            }
            return false;
        default:
            return false;
    }
}

bool begins_with(const Operated& whole, const Operated& prefix) {
    return Operated::ordered(whole, prefix) && whole.kind() != Kind::number &&
           whole.payload().starts_with(prefix.payload());
}

bool is_of_type(const Operated& value, const Operated& type) {
    return value.exists() && type.exists() && type.kind() == Kind::string &&
           type_name(value.kind()) == type.payload();
}

bool compares(ConditionOp op, const Operated& left, const Operated& right) {
    if (op == ConditionOp::equal) return left == right;
    if (op == ConditionOp::not_equal) return !(left == right);
    if (!Operated::ordered(left, right)) return false;
    const int order = left.payload().compare(right.payload());
    switch (op) {
        case ConditionOp::less:
            return order < 0;
        case ConditionOp::less_equal:
            return order <= 0;
        case ConditionOp::greater:
            return order > 0;
        default:
            return order >= 0;
    }
}

}  // namespace

bool BoundCondition::holds(std::size_t number, ItemView item) const {
    const auto& nodes = compiled_->nodes();
    const auto& node = nodes[number];
    switch (node.op) {
        case ConditionOp::all_of:
            for (std::size_t child = number + 1; child < node.end; child = nodes[child].end) {
                if (!holds(child, item)) return false;
            }
            return true;
        case ConditionOp::any_of:
            for (std::size_t child = number + 1; child < node.end; child = nodes[child].end) {
                if (holds(child, item)) return true;
            }
            return false;
        case ConditionOp::negation:
            return !holds(number + 1, item);
        default:
            return test(node, item);
    }
}

bool BoundCondition::test(const CompiledCondition::Node& node, ItemView item) const {
    const auto* operands = compiled_->operands(node);
    const Operated first(operands[0], slots_, item);
    switch (node.op) {
        case ConditionOp::attribute_exists:
            return first.exists();
        case ConditionOp::attribute_not_exists:
            return !first.exists();
        case ConditionOp::in:
            for (std::size_t i = 1; i < node.operand_count; ++i) {
                if (first == Operated(operands[i], slots_, item)) return true;
            }
            return false;
        default:
            break;
    }
    const Operated second(operands[1], slots_, item);
    switch (node.op) {
        case ConditionOp::between:
            return compares(ConditionOp::greater_equal, first, second) &&
                   compares(ConditionOp::less_equal, first, Operated(operands[2], slots_, item));
        case ConditionOp::attribute_type:
            return is_of_type(first, second);
        case ConditionOp::begins_with:
            return begins_with(first, second);
        case ConditionOp::contains:
            return contains(first, second);
        default:
            return compares(node.op, first, second);
    }
}

bool BoundCondition::reads(std::string_view attribute) const {
    return std::ranges::any_of(compiled_->operands(), [&](const auto& operand) {
        return operand.is_path && slots_.head(operand.path) == attribute;
    });
}

bool BoundCondition::reads_inside(std::string_view attribute) const {
    return std::ranges::any_of(compiled_->operands(), [&](const auto& operand) {
        return operand.is_path && operand.path.count > 1 && slots_.head(operand.path) == attribute;
    });
}

}  // namespace mailroom::table
