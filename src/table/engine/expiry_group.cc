#include "table/engine/expiry_group.h"

#include "kv/key.h"
#include "table/engine/rows.h"

#include <algorithm>

namespace mailroom::table {

void ExpiryGroups::add(std::string_view item_row, std::uint64_t second) {
    auto group = std::ranges::find(groups_, second, &Group::second);
    if (group == groups_.end()) group = groups_.insert(group, {second, {}});
    group->item_rows.push_back(item_row);
}

void ExpiryGroups::add_to(kv::Batch& batch) const {
    for (const auto& [second, item_rows] : groups_) {
        if (item_rows.size() == 1) {
            batch.put(expiry_key_of_row(item_rows.front(), second), {});
            continue;
        }
        std::string value;
        for (const auto row : item_rows) {
            kv::append_u32(value, static_cast<std::uint32_t>(row.size()));
            value += row;
        }
        batch.put(expiry_group_key(second, item_rows.front()), value);
    }
}

std::optional<std::vector<std::string>> read_expiry_group(std::string_view value) {
    std::vector<std::string> item_rows;
    while (!value.empty()) {
        const auto bytes = kv::read_u32(value);
        if (!bytes || *bytes > value.size()) return std::nullopt;
        item_rows.emplace_back(value.substr(0, *bytes));
        value.remove_prefix(*bytes);
    }
    return item_rows;
}

}  // namespace mailroom::table
