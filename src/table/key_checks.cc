#include "table/key_checks.h"

#include <algorithm>

namespace mailroom::table {

namespace {

Failure too_many(const std::string& kind) {
    return invalid(
        "One or more parameter values were invalid: The KeySchema exceeds the maximum allowed "
        "number of " +
        kind + " key attributes");
}

}  // namespace

Outcome<> check_keys_defined(const KeySchema& keys,
                             const std::vector<AttributeDefinition>& attributes) {
    if (keys.hash.empty()) {
        return invalid("Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
    }
    for (const auto& name : keys.names()) {
        if (std::ranges::find(attributes, name, &AttributeDefinition::name) == attributes.end()) {
            return invalid(
                "One or more parameter values were invalid: Some index key attributes are not "
                "defined in AttributeDefinitions. Keys: [" +
                name + "]");
        }
    }
    return Ok{};
}

Outcome<> check_key_counts(const KeySchema& keys, std::size_t kind_max) {
    if (kind_max == 1 && keys.has_several()) {
        return invalid(
            "Key Schema too big.  Key Schema must at most consist of the hash and range key of a "
            "table");
    }
    auto names = keys.names();
    std::ranges::sort(names);
    if (std::ranges::adjacent_find(names) != names.end()) {
        return invalid("The KeySchema contains multiple key attributes with the same name");
    }
    if (1 + keys.more_hashes.size() > kind_max) return too_many("HASH");
    if (1 + keys.more_ranges.size() > kind_max) return too_many("RANGE");
    return Ok{};
}

}  // namespace mailroom::table
