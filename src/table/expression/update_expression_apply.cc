#include "table/expression/document.h"
#include "table/expression/projection.h"
#include "table/expression/update_expression.h"

#include <algorithm>
#include <cassert>

namespace mailroom::table {

namespace {

// Lists and maps within each other, the item itself not counted (DynamoDB's limit).
constexpr std::size_t nesting_levels_max = 32;

// Of an attribute's name in an encoded item; names have at most 64 KB.
constexpr std::size_t name_length_bytes_max = 3;

Failure wrong_type() {
    return invalid("An operand in the update expression has an incorrect data type");
}
Failure no_such_path() {
    return invalid("The document path provided in the update expression is invalid for update");
}

// What one action does to its target.
struct Change {
    std::optional<ValueView> value;  // None: the target goes.
};

// The right-hand sides of one update over one item. Owns the values that are computed.
class UpdateValues {
public:
    UpdateValues(const CompiledUpdate& update, const BoundSlots& slots, ItemView before)
        : update_(update), slots_(slots), before_(before) {}

    Outcome<Change> change(std::size_t number) {
        const auto& action = update_.actions()[number];
        switch (action.kind) {
            case UpdateAction::Kind::remove:
                return Change{std::nullopt};
            case UpdateAction::Kind::set:
                return Change{TRY(evaluate(action.value))};
            default:
                break;
        }
        const auto& operand = slots_.value(update_.node(action.value).slot);
        const auto current = slots_.find(update_.targets()[number], before_);
        const bool adds = action.kind == UpdateAction::Kind::add;
        if (!current) return adds ? Change{operand} : Change{std::nullopt};
        if (current->kind() != operand.kind()) return wrong_type();
        if (operand.kind() == Kind::number) {
            return Change{TRY(number_of(add(current->number(), operand.number())))};
        }
        return adds ? united(*current, operand) : without(*current, operand);
    }

private:
    Outcome<ValueView> evaluate(std::uint32_t number) {
        const auto& node = update_.node(number);
        switch (node.kind) {
            case UpdateValue::Kind::placeholder:
            case UpdateValue::Kind::constant:
                return slots_.value(node.slot);
            case UpdateValue::Kind::path: {
                const auto found = slots_.find(node.path, before_);
                if (found) return *found;
                return invalid(
                    "The provided expression refers to an attribute that does not exist in the "
                    "item");
            }
            case UpdateValue::Kind::if_not_exists: {
                const auto found = slots_.find(update_.node(number + 1).path, before_);
                return found ? Outcome<ValueView>(*found) : evaluate(node.second);
            }
            default:
                break;
        }
        const auto first = TRY(evaluate(number + 1));
        const auto wanted = node.kind == UpdateValue::Kind::list_append ? Kind::list : Kind::number;
        if (first.kind() != wanted) return wrong_type();
        const auto second = TRY(evaluate(node.second));
        if (second.kind() != wanted) return wrong_type();
        if (wanted == Kind::list) return appended(first, second);
        return number_of(node.kind == UpdateValue::Kind::sum
                             ? add(first.number(), second.number())
                             : subtract(first.number(), second.number()));
    }

    Outcome<ValueView> number_of(const Result<Number>& number) {
        if (!number) return invalid(number.error().message);
        return keep(Value(*number));
    }

    ValueView appended(const ValueView& front, const ValueView& back) {
        return keep(Value::make(Kind::list, std::string(front.payload()).append(back.payload())));
    }

    Change united(const ValueView& current, const ValueView& more) {
        std::vector<std::string_view> elements;
        for (const auto element : current.set()) elements.push_back(element);
        for (const auto element : more.set()) elements.push_back(element);
        return {keep(Value::set_of(current.kind(), std::move(elements)))};
    }

    Change without(const ValueView& current, const ValueView& removed) {
        std::vector<std::string_view> gone, elements;
        for (const auto element : removed.set()) gone.push_back(element);
        for (const auto element : current.set()) {
            if (!std::ranges::binary_search(gone, element)) elements.push_back(element);
        }
        if (elements.empty()) return {std::nullopt};
        return {keep(Value::set_of(current.kind(), std::move(elements)))};
    }

    // Views into a kept value stay good: the vector never grows beyond what it reserved.
    ValueView keep(Value value) {
        if (kept_.empty()) kept_.reserve(update_.node_count());
        assert(kept_.size() < kept_.capacity());
        return kept_.emplace_back(std::move(value)).view();
    }

    const CompiledUpdate& update_;
    const BoundSlots& slots_;
    ItemView before_;
    std::vector<Value> kept_;
};

// Every target is a whole attribute, so old and new fields are merged as bytes.
Outcome<Item> merge(const CompiledUpdate& update, const BoundSlots& slots, ItemView before,
                    const InlineArray<std::uint32_t, BoundUpdate::inline_actions>& by_name) {
    UpdateValues values(update, slots, before);
    InlineArray<Change, BoundUpdate::inline_actions> changes(by_name.size());
    std::size_t added_bytes = 0;
    for (std::uint32_t i = 0; i < changes.size(); ++i) {
        changes[i] = TRY(values.change(i));
        if (changes[i].value) {
            added_bytes += name_length_bytes_max + slots.head(update.targets()[i]).size() +
                           changes[i].value->encoded().size();
        }
    }
    std::string bytes;
    bytes.reserve(before.bytes().size() + added_bytes);
    const auto* next = by_name.begin();
    const auto name = [&] { return slots.head(update.targets()[*next]); };
    const auto write = [&] {
        if (changes[*next].value) append_field(bytes, name(), *changes[*next].value);
        ++next;
    };
    // Fields that stay as they are go over in one piece.
    auto rest = before.bytes();
    auto kept = rest;
    while (next != by_name.end() && !rest.empty()) {
        const auto at = rest;
        const auto field = read_field(rest);
        if (field.name < name()) continue;
        bytes.append(kept.substr(0, kept.size() - at.size()));
        while (next != by_name.end() && name() < field.name) write();
        const bool replaced = next != by_name.end() && name() == field.name;
        if (replaced) write();
        kept = replaced ? rest : at;
    }
    bytes.append(kept);
    while (next != by_name.end()) write();
    return Item::from_encoded(std::move(bytes));
}

Document::Path document_path(const BoundSlots& slots, const PathRef& path) {
    Document::Path steps;
    for (const auto* step = slots.steps(path); step != slots.steps(path) + path.count; ++step) {
        steps.push_back(step->is_index ? Document::Step{true, step->value, {}}
                                       : Document::Step{false, 0, slots.name(step->value)});
    }
    return steps;
}

// Some target is inside an attribute.
Outcome<Item> change_inside(const CompiledUpdate& update, const BoundSlots& slots,
                            ItemView before) {
    UpdateValues values(update, slots, before);
    Document document(before);
    for (std::size_t i = 0; i < update.actions().size(); ++i) {
        const auto change = TRY(values.change(i));
        const auto path = document_path(slots, update.targets()[i]);
        const bool placed =
            change.value ? document.set(path, *change.value) : document.remove(path);
        if (!placed) return no_such_path();
        if (change.value && path.size() - 1 + nesting_levels(*change.value) > nesting_levels_max) {
            return invalid("Nesting Levels have exceeded supported limits");
        }
    }
    return document.encode();
}

Item parts_at(const CompiledUpdate& update, const BoundSlots& slots, ItemView item) {
    PathTree tree;
    for (const auto& target : update.targets()) tree.add(slots, target);
    return tree.select(item);
}

}  // namespace

Outcome<UpdateEffect> BoundUpdate::apply(ItemView before, ReturnValues returns) const {
    UpdateEffect effect;
    effect.item = compiled_->nested() ? TRY(change_inside(*compiled_, slots_, before))
                                      : TRY(merge(*compiled_, slots_, before, by_name_));
    if (returns == ReturnValues::updated_old) {
        effect.updated_old = parts_at(*compiled_, slots_, before);
    } else if (returns == ReturnValues::updated_new) {
        effect.updated_new = parts_at(*compiled_, slots_, effect.item);
    }
    return effect;
}

}  // namespace mailroom::table
