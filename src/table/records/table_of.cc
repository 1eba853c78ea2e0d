#include "table/records/table_of.h"

#include <algorithm>
#include <utility>

namespace mailroom::table {

KeyAttribute number(const char* name) {
    KeyAttribute key(name);
    key.kind = Kind::number;
    return key;
}

TableOf::TableOf(std::string name, const KeyAttribute& hash,
                 const std::optional<KeyAttribute>& range) {
    table_.name = std::move(name);
    table_.keys = {hash.name, range ? range->name : ""};
    define(hash);
    if (range) define(*range);
}

TableOf& TableOf::index(std::string name, const KeyAttribute& hash, const KeyAttribute& range) {
    define(hash);
    define(range);
    table_.global_indexes.push_back(
        {std::move(name), {hash.name, range.name}, {ProjectionKind::all, {}}, {}});
    return *this;
}

// An attribute may be a key of several indexes.
void TableOf::define(const AttributeDefinition& key) {
    const auto found = std::ranges::find(table_.attributes, key.name, &AttributeDefinition::name);
    if (found == table_.attributes.end()) table_.attributes.push_back(key);
}

}  // namespace mailroom::table
