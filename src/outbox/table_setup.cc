#include "outbox/table_setup.h"

#include <algorithm>
#include <iterator>

namespace mailroom::outbox {

namespace {

// Two nodes that start together both try; either may win.
bool is_done_already(const table::Failure& failure) {
    return failure.fault == table::Fault::resource_in_use;
}

Result<> add_missing_indexes(table::Store& store, const table::CreateTable& wanted,
                             const table::TableDescription& there) {
    for (const auto& index : wanted.global_indexes) {
        const bool known = std::ranges::any_of(there.global_indexes, [&](const auto& described) {
            return described.spec.name == index.name;
        });
        if (known) continue;
        table::UpdateTable request;
        request.name = wanted.name;
        request.create_index = index;
        std::ranges::copy_if(
            wanted.attributes, std::back_inserter(request.attributes), [&](const auto& attribute) {
                return attribute.name == index.keys.hash || attribute.name == index.keys.range;
            });
        const auto updated = store.update_table(request);
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
