#include "table/own_tables.h"

#include <cassert>
#include <utility>

namespace mailroom::table {

OwnTable own_table(std::string name, std::vector<AttributeDefinition> keys,
                   std::string expiry_attribute) {
    assert(keys.size() == 1 || keys.size() == 2);
    OwnTable table;
    table.made.name = std::move(name);
    table.made.keys.hash = keys.front().name;
    if (keys.size() == 2) table.made.keys.range = keys.back().name;
    table.made.attributes = std::move(keys);
    table.expiry_attribute = std::move(expiry_attribute);
    return table;
}

OwnTables OwnTables::none() {
    OwnTables none;
    none.reserves_names_ = false;
    return none;
}

OwnTables::OwnTables(const std::vector<OwnTable>& declared) {
    for (const auto& table : declared) declared_.emplace(table.made.name, table.outside);
}

bool OwnTables::hides(std::string_view table) const {
    const auto found = declared_.find(table);
    return found == declared_.end() ? reserves_names_ && is_reserved(table)
                                    : found->second == Outside::hidden;
}

bool OwnTables::shares(std::string_view table) const {
    const auto found = declared_.find(table);
    return found != declared_.end() && found->second == Outside::shared;
}

}  // namespace mailroom::table
