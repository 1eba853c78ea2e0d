// What DynamoDB asks of the key of a table or an index.
#pragma once

#include "table/failure.h"
#include "table/schema.h"

#include <cstddef>
#include <vector>

namespace mailroom::table {

// Refuses a key without a hash attribute, and one of whose attributes is not defined.
Outcome<> check_keys_defined(const KeySchema& keys,
                             const std::vector<AttributeDefinition>& attributes);

// Refuses a key with an attribute twice, or with more than `kind_max` hash attributes or range
// attributes: 1 in tables and local indexes, key_attributes_max in global ones.
Outcome<> check_key_counts(const KeySchema& keys, std::size_t kind_max);

}  // namespace mailroom::table
