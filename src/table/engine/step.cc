#include "table/engine/step.h"

#include "table/engine/expiry.h"
#include "table/engine/keys.h"

#include <type_traits>

namespace mailroom::table {

namespace {

// The item's size.
Outcome<std::size_t> check_size(const ItemView& item) {
    const auto bytes = item.size_in_item();
    if (bytes > item_bytes_max) return invalid("Item size has exceeded the maximum allowed size");
    return bytes;
}

Outcome<std::optional<BoundCondition>> bind_condition(Core& core, const std::string& text,
                                                      const Bindings& bindings, BindingUse& use) {
    if (text.empty()) return std::optional<BoundCondition>();
    auto compiled = TRY(core.expressions.condition(text));
    return std::optional(TRY(bind(std::move(compiled), bindings, use)));
}

struct Expressions {
    std::optional<BoundCondition> condition;
    std::optional<BoundUpdate> update;
};

// Those of a request. All its names and values must be used.
template <class Request>
Outcome<Expressions> bind_expressions(Core& core, const Request& request) {
    BindingUse use(request.bind);
    Expressions bound;
    if constexpr (std::is_same_v<Request, UpdateItem>) {
        if (!request.update.empty()) {
            auto compiled = TRY(core.expressions.update(request.update));
            bound.update = TRY(bind(std::move(compiled), request.bind, use));
        }
    }
    bound.condition = TRY(bind_condition(core, request.condition, request.bind, use));
    TRY(use.complete());
    return bound;
}

Outcome<> check_update(const Definition& table, const BoundUpdate& update) {
    const auto refuse_key = [&](const Key& key) -> Outcome<> {
        if (!update.writes(key.name) && !update.writes_inside(key.name)) return Ok{};
        return invalid("One or more parameter values were invalid: Cannot update attribute " +
                       key.name + ". This attribute is part of the key");
    };
    for (const auto& key : table.keys.attributes) TRY(refuse_key(key));
    return Ok{};
}

std::optional<Item> returned(ReturnValues returns, const std::optional<std::string>& before) {
    if (returns != ReturnValues::all_old || !before) return std::nullopt;
    return Item::from_encoded(*before);
}

Decision refuse(Failure failure) {
    Decision decision;
    decision.refusal = std::move(failure);
    return decision;
}

Decision decide_update(const Step& step, const std::optional<std::string>& before) {
    // There is nothing to take away from, so not even paths that lead nowhere are wrong.
    if (!before && step.update && step.update->only_removes()) return {};
    const ItemView from = before ? ItemView(*before) : step.item;
    Decision decision;
    decision.writes = true;
    if (!step.update) {
        decision.after = Item(from);
        decision.after_bytes = from.size_in_item();
    } else {
        auto effect = step.update->apply(from, step.returns);
        if (!effect) return refuse(std::move(effect).error());
        decision.after = std::move(effect->item);
        if (step.returns == ReturnValues::updated_new)
            decision.attributes = std::move(effect->updated_new);
        if (step.returns == ReturnValues::updated_old && before) {
            decision.attributes = std::move(effect->updated_old);
        }
        if (auto checked = check_index_keys(*step.table, *decision.after); !checked) {
            return refuse(std::move(checked).error());
        }
        decision.after_bytes = decision.after->view().size_in_item();
        if (decision.after_bytes > item_bytes_max) {
            return refuse(invalid("Item size to update has exceeded the maximum allowed size"));
        }
    }
    // Nothing to tell is no answer, and not an empty one.
    if (decision.attributes && decision.attributes->empty()) decision.attributes.reset();
    if (step.returns == ReturnValues::all_new) decision.attributes = decision.after;
    if (step.returns == ReturnValues::all_old) decision.attributes = returned(step.returns, before);
    return decision;
}

Decision decide_change(const Step& step, const std::optional<std::string>& before) {
    Decision decision;
    switch (step.kind) {
        case Step::Kind::put:
            decision.writes = true;
            decision.after = Item(step.item);
            decision.after_bytes = step.item_bytes;
            decision.attributes = returned(step.returns, before);
            return decision;
        case Step::Kind::update:
            return decide_update(step, before);
        case Step::Kind::erase:
            decision.writes = before.has_value();
            decision.attributes = returned(step.returns, before);
            return decision;
        case Step::Kind::expire:
            decision.writes =
                before && expiry_second(*step.table, ItemView(*before)) == step.second;
            if (!decision.writes && before) decision.after = Item::from_encoded(*before);
            return decision;
        case Step::Kind::check:
        case Step::Kind::touch:
            return decision;
    }
    return decision;
}

}  // namespace

Outcome<> check_expressions(Core& core, const WriteAction& action) {
    return std::visit(
        [&](const auto& request) -> Outcome<> {
            TRY(bind_expressions(core, request));
            return Ok{};
        },
        action);
}

Outcome<> check_item_size(const ItemView& item) {
    TRY(check_size(item));
    return Ok{};
}

Outcome<Step> prepare_put(const DefinitionPtr& table, const ItemView& item) {
    Step step;
    step.kind = Step::Kind::put;
    step.item_bytes = TRY(check_size(item));
    step.row = TRY(row_of_item(*table, item));
    TRY(check_index_keys(*table, item));
    step.table = table;
    step.item = item;
    return step;
}

Outcome<Step> prepare_erase(const DefinitionPtr& table, const ItemView& key) {
    Step step;
    step.kind = Step::Kind::erase;
    step.row = TRY(row_of_key(*table, key));
    step.table = table;
    step.item = key;
    return step;
}

Outcome<Step> prepare(Core& core, const PutItem& request) {
    auto bound = TRY(bind_expressions(core, request));
    const auto table = core.catalog.get(request.table);
    if (!table) {
        TRY(check_item_size(request.item));
        return table.error();
    }
    auto step = TRY(prepare_put(*table, request.item));
    step.condition = std::move(bound.condition);
    step.returns = request.returns;
    step.on_failure = request.on_failure;
    return step;
}

Outcome<Step> prepare(Core& core, const UpdateItem& request) {
    auto bound = TRY(bind_expressions(core, request));
    Step step;
    step.kind = Step::Kind::update;
    step.table = TRY(core.catalog.get(request.table));
    step.row = TRY(row_of_key(*step.table, request.key));
    if (bound.update) TRY(check_update(*step.table, *bound.update));
    step.update = std::move(bound.update);
    step.condition = std::move(bound.condition);
    step.item = request.key;
    step.returns = request.returns;
    step.on_failure = request.on_failure;
    return step;
}

Outcome<Step> prepare(Core& core, const DeleteItem& request) {
    auto bound = TRY(bind_expressions(core, request));
    const auto table = TRY(core.catalog.get(request.table));
    auto step = TRY(prepare_erase(table, request.key));
    step.condition = std::move(bound.condition);
    step.returns = request.returns;
    step.on_failure = request.on_failure;
    return step;
}

Outcome<Step> prepare(Core& core, const ConditionCheck& request) {
    auto bound = TRY(bind_expressions(core, request));
    const auto table = TRY(core.catalog.get(request.table));
    auto step = TRY(prepare_erase(table, request.key));
    step.kind = Step::Kind::check;
    step.condition = std::move(bound.condition);
    step.on_failure = request.on_failure;
    return step;
}

Decision decide(const Step& step, const std::optional<std::string>& before) {
    const ItemView there(before ? std::string_view(*before) : std::string_view());
    if (step.condition && !step.condition->holds(there)) {
        Failure failure{Fault::conditional_check_failed, "The conditional request failed"};
        if (step.on_failure == OnConditionFailure::all_old && before) {
            failure.item = Item::from_encoded(*before);
        }
        return refuse(std::move(failure));
    }
    return decide_change(step, before);
}

}  // namespace mailroom::table
