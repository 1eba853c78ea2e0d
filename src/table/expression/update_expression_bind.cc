#include "table/expression/update_expression.h"

namespace mailroom::table {

namespace {

// As the refusals of ADD and DELETE call the types.
std::string_view long_type_name(Kind kind) {
    switch (kind) {
        case Kind::string:
            return "STRING";
        case Kind::number:
            return "NUMBER";
        case Kind::binary:
            return "BINARY";
        case Kind::boolean_true:
        case Kind::boolean_false:
            return "BOOLEAN";
        case Kind::null:
            return "NULL";
        case Kind::list:
            return "LIST";
        case Kind::map:
            return "MAP";
        case Kind::string_set:
            return "STRING_SET";
        case Kind::number_set:
            return "NUMBER_SET";
        case Kind::binary_set:
            return "BINARY_SET";
    }
    return "";
}

class UpdateChecker {
public:
    UpdateChecker(const CompiledUpdate& update, const BoundSlots& slots)
        : update_(update), slots_(slots) {}

    // In DynamoDB's order: the paths that change, then what is read, then the types of values.
    Outcome<> check() const {
        for (const auto& target : update_.targets()) {
            TRY(slots_.check_path(target, update_.use()));
        }
        TRY(check_overlap(slots_, update_.targets(), update_.use()));
        for (std::uint32_t i = 0; i < update_.node_count(); ++i) {
            const auto& node = update_.node(i);
            if (node.kind == UpdateValue::Kind::path) {
                TRY(slots_.check_path(node.path, update_.use()));
            }
        }
        for (std::uint32_t i = 0; i < update_.node_count(); ++i) {
            const auto kind = update_.node(i).kind;
            if (kind == UpdateValue::Kind::placeholder || kind == UpdateValue::Kind::constant) {
                TRY(slots_.check_value(update_.node(i).slot, update_.use()));
            }
        }
        for (const auto& action : update_.actions()) TRY(check(action));
        return Ok{};
    }

private:
    Outcome<> check(const CompiledUpdate::Action& action) const {
        if (action.kind == UpdateAction::Kind::remove) return Ok{};
        if (action.kind == UpdateAction::Kind::set) return check_value(action.value);

        const bool adds = action.kind == UpdateAction::Kind::add;
        const auto kind = slots_.value(update_.node(action.value).slot).kind();
        if (is_set(kind) || (adds && kind == Kind::number)) return Ok{};
        const std::string name = adds ? "ADD" : "DELETE";
        return refuse(update_.use(),
                      "Incorrect operand type for operator or function; operator: " + name +
                          ", operand type: " + std::string(long_type_name(kind)) +
                          ", typeSet: ALLOWED_FOR_" + name + "_OPERAND");
    }

    Outcome<> check_value(std::uint32_t number) const {
        const auto& node = update_.node(number);
        switch (node.kind) {
            case UpdateValue::Kind::sum:
                return check_operands(number, "+", Kind::number);
            case UpdateValue::Kind::difference:
                return check_operands(number, "-", Kind::number);
            case UpdateValue::Kind::list_append:
                return check_operands(number, "list_append", Kind::list);
            case UpdateValue::Kind::if_not_exists:
                return check_value(node.second);
            default:
                return Ok{};
        }
    }

    Outcome<> check_operands(std::uint32_t number, std::string_view name, Kind wanted) const {
        for (const auto operand : {number + 1, update_.node(number).second}) {
            TRY(check_value(operand));
            const auto& node = update_.node(operand);
            const bool is_value = node.kind == UpdateValue::Kind::placeholder ||
                                  node.kind == UpdateValue::Kind::constant;
            if (!is_value || slots_.value(node.slot).kind() == wanted) continue;
            return refuse(
                update_.use(),
                "Incorrect operand type for operator or function; operator or function: " +
                    std::string(name) +
                    ", operand type: " + std::string(type_name(slots_.value(node.slot).kind())));
        }
        return Ok{};
    }

    const CompiledUpdate& update_;
    const BoundSlots& slots_;
};

}  // namespace

Outcome<BoundUpdate> bind(std::shared_ptr<const CompiledUpdate> update, const Bindings& bindings,
                          BindingUse& use) {
    BoundSlots slots(update->slots(), bindings, use);
    TRY(UpdateChecker(*update, slots).check());
    return BoundUpdate(std::move(update), std::move(slots));
}

}  // namespace mailroom::table
