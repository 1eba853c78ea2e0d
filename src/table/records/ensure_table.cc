#include "table/records/ensure_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mailroom::table {

namespace {

// Some two minutes: DynamoDB needs seconds for a table, and minutes to fill an index.
constexpr Pauses::Plan until_ready = {
    .first = std::chrono::milliseconds(100), .longest = std::chrono::seconds(1), .tries_max = 160};

enum class State { complete, changed, busy };

// What came of a change. Somebody else may be at the same, or the table is busy with what was
// changed before: how it stands then is seen by looking again.
Result<State> state_after(const Outcome<TableDescription>& changed) {
    if (changed) return State::changed;
    const auto fault = changed.error().fault;
    if (fault == Fault::resource_in_use || fault == Fault::limit_exceeded ||
        fault == Fault::throttling) {
        return State::busy;
    }
    return changed.error();
}

UpdateTable new_index(const CreateTable& wanted, const IndexSpec& index) {
    UpdateTable request;
    request.name = wanted.name;
    request.create_index = index;
    std::ranges::copy_if(
        wanted.attributes, std::back_inserter(request.attributes), [&](const auto& attribute) {
            return attribute.name == index.keys.hash || attribute.name == index.keys.range;
        });
    return request;
}

// What either of the two has.
Projection united(const Projection& a, const Projection& b) {
    if (a.kind == ProjectionKind::all || b.kind == ProjectionKind::all) {
        return {ProjectionKind::all, {}};
    }
    auto names = a.include;
    for (const auto& name : b.include) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    if (names.empty()) return {ProjectionKind::keys_only, {}};
    return {ProjectionKind::include, std::move(names)};
}

// A projection cannot be changed, so the index is exchanged for one that has more.
Result<State> widen_index(Store& store, const CreateTable& wanted, const IndexSpec& index,
                          const IndexSpec& there) {
    auto wider = index;
    wider.projection = united(there.projection, index.projection);
    if (there.keys != index.keys || wider.projection == there.projection) return State::complete;
    auto request = new_index(wanted, wider);
    request.delete_index = index.name;
    const auto updated = store.update_table(request);
    const bool cannot = !updated && updated.error().fault == Fault::validation;
    return cannot ? State::complete : state_after(updated);
}

Result<State> add_index(Store& store, const CreateTable& wanted, const TableDescription& there) {
    for (const auto& index : wanted.global_indexes) {
        const auto known = std::ranges::find_if(there.global_indexes, [&](const auto& described) {
            return described.spec.name == index.name;
        });
        if (known == there.global_indexes.end()) {
            return state_after(store.update_table(new_index(wanted, index)));
        }
        if (known->status == IndexStatus::deleting) return State::busy;
        const auto state = TRY(widen_index(store, wanted, index, known->spec));
        if (state != State::complete) return state;
    }
    return State::complete;
}

// Looks, and does the next thing that is missing.
Result<State> advance(Store& store, const CreateTable& wanted) {
    const auto there = store.describe_table(wanted.name);
    if (!there && there.error().fault == Fault::resource_not_found) {
        return state_after(store.create_table(wanted));
    }
    if (!there) return state_after(there);
    if (there->keys != wanted.keys) {
        return Error{Errc::invalid, "the table " + wanted.name + " has other keys than " +
                                        wanted.keys.hash + " and " + wanted.keys.range +
                                        ": choose another name for it"};
    }
    if (there->status != TableStatus::active) return State::busy;
    return add_index(store, wanted, *there);
}

Result<State> set_expiry(Store& store, const std::string& table, const std::string& attribute) {
    const auto now = store.time_to_live(table);
    if (!now) return now.error();
    if (now->enabled && now->attribute == attribute) return State::complete;
    const auto set = store.set_time_to_live(table, {true, attribute});
    if (set) return State::complete;
    // Another node may have set it between the two calls, which DynamoDB refuses as invalid.
    const auto again = TRY(store.time_to_live(table));
    if (again.enabled && again.attribute == attribute) return State::complete;
    return state_after(set.error());
}

template <class Step>
Result<> until_complete(Store& store, const std::string& table, const Step& step) {
    auto pauses = store.pauses(until_ready);
    for (;;) {
        const auto state = TRY(step());
        if (state == State::complete) return Ok{};
        if (state == State::busy && !pauses.again()) {
            return Error{Errc::unavailable, "the table " + table +
                                                " is not ready: it is still being made or "
                                                "changed; start again when that is done"};
        }
    }
}

}  // namespace

Result<> ensure_table(Store& store, const OwnTable& declared) {
    const auto& wanted = declared.made;
    TRY(until_complete(store, wanted.name, [&] { return advance(store, wanted); }));
    if (declared.expiry_attribute.empty()) return Ok{};
    return until_complete(store, wanted.name, [&] {
        return set_expiry(store, wanted.name, declared.expiry_attribute);
    });
}

Result<> ensure_tables(Store& store, std::span<const OwnTable> declared) {
    for (const auto& table : declared) TRY(ensure_table(store, table));
    return Ok{};
}

}  // namespace mailroom::table
