#include "outbox/table_setup.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace mailroom::outbox {

namespace {

// Two nodes that start together both try; either may win.
bool is_done_already(const table::Failure& failure) {
    return failure.fault == table::Fault::resource_in_use;
}

table::UpdateTable new_index(const table::CreateTable& wanted, const table::IndexSpec& index) {
    table::UpdateTable request;
    request.name = wanted.name;
    request.create_index = index;
    std::ranges::copy_if(
        wanted.attributes, std::back_inserter(request.attributes), [&](const auto& attribute) {
            return attribute.name == index.keys.hash || attribute.name == index.keys.range;
        });
    return request;
}

// What either of the two has.
table::Projection united(const table::Projection& a, const table::Projection& b) {
    using table::ProjectionKind;
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
Result<> widen_index(table::Store& store, const table::CreateTable& wanted,
                     const table::IndexSpec& index, const table::IndexSpec& there) {
    auto wider = index;
    wider.projection = united(there.projection, index.projection);
    if (there.keys != index.keys || wider.projection == there.projection) return Ok{};
    auto request = new_index(wanted, wider);
    request.delete_index = index.name;
    const auto updated = store.update_table(request);
    const bool cannot = !updated && updated.error().fault == table::Fault::validation;
    if (!updated && !cannot && !is_done_already(updated.error())) return updated.error();
    return Ok{};
}

Result<> add_missing_indexes(table::Store& store, const table::CreateTable& wanted,
                             const table::TableDescription& there) {
    for (const auto& index : wanted.global_indexes) {
        const auto known = std::ranges::find_if(there.global_indexes, [&](const auto& described) {
            return described.spec.name == index.name;
        });
        if (known != there.global_indexes.end()) {
            TRY(widen_index(store, wanted, index, known->spec));
            continue;
        }
        const auto updated = store.update_table(new_index(wanted, index));
        if (!updated && !is_done_already(updated.error())) return updated.error();
    }
    return Ok{};
}

Result<> ensure_keys(table::Store& store, const table::CreateTable& wanted) {
    const auto there = store.describe_table(wanted.name);
    if (there) {
        if (there->keys != wanted.keys) {
            return Error{Errc::invalid, "the table " + wanted.name + " has other keys than " +
                                            wanted.keys.hash + " and " + wanted.keys.range +
                                            ": choose another name for it"};
        }
        return add_missing_indexes(store, wanted, *there);
    }
    if (there.error().fault != table::Fault::resource_not_found) return there.error();
    const auto created = store.create_table(wanted);
    if (!created && !is_done_already(created.error())) return created.error();
    return Ok{};
}

}  // namespace

Result<> ensure_table(table::Store& store, const table::CreateTable& wanted,
                      const std::string& expiry_attribute) {
    TRY(ensure_keys(store, wanted));
    const auto expiry = TRY(store.time_to_live(wanted.name));
    if (expiry.enabled && expiry.attribute == expiry_attribute) return Ok{};
    TRY(store.set_time_to_live(wanted.name, {true, expiry_attribute}));
    return Ok{};
}

}  // namespace mailroom::outbox
