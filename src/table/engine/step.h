// One write, checked and bound, ready to be decided under its row's lock.
#pragma once

#include "table/engine/core.h"
#include "table/operations.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mailroom::table {

struct Step {
    enum class Kind {
        put,
        update,
        erase,
        check,   // Writes nothing: only its condition counts.
        expire,  // Erases the item if it still expires at `second`.
        touch,   // Writes the index entries and expiry row that the item lacks.
    };
    Kind kind = Kind::put;
    DefinitionPtr table;
    std::string row;
    ItemView item{{}};           // put: the item; update: the key. Borrowed from the request.
    std::size_t item_bytes = 0;  // put: the item's size, as DynamoDB counts it.
    bool is_new = false;         // put: there is no such item, and none is looked for.
    std::optional<BoundCondition> condition;
    std::optional<BoundUpdate> update;
    ReturnValues returns = ReturnValues::none;
    OnConditionFailure on_failure = OnConditionFailure::none;
    std::uint64_t second = 0;
};

// Refuses what is wrong with a request by itself, whatever the table is: DynamoDB looks for that in
// all of a request before it looks for the first table.
Outcome<> check_expressions(Core& core, const WriteAction& action);
Outcome<> check_item_size(const ItemView& item);

// The request as a step. Call under Catalog::read(); the request must outlive the step.
// Refuses what DynamoDB refuses without looking at the item.
Outcome<Step> prepare(Core& core, const PutItem& request);
Outcome<Step> prepare(Core& core, const UpdateItem& request);
Outcome<Step> prepare(Core& core, const DeleteItem& request);
Outcome<Step> prepare(Core& core, const ConditionCheck& request);
Outcome<Step> prepare_put(const DefinitionPtr& table, const ItemView& item);
Outcome<Step> prepare_erase(const DefinitionPtr& table, const ItemView& key);

// What a step makes of the item that is there.
struct Decision {
    bool writes = false;
    std::optional<Item> after;       // None: there is no item afterwards.
    std::size_t after_bytes = 0;     // Its size, as DynamoDB counts it, when it is written.
    std::optional<Item> attributes;  // As `returns` asked.
    std::optional<Failure> refusal;
};

Decision decide(const Step& step, const std::optional<std::string>& before);

}  // namespace mailroom::table
