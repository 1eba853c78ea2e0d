// A WHERE clause taken apart: what it says of a key, and the rest.
#pragma once

#include "table/failure.h"
#include "table/partiql/syntax.h"
#include "table/schema.h"

#include <optional>
#include <string_view>
#include <vector>

namespace mailroom::table::partiql {

// Borrows the clause.
struct KeyTerms {
    // Values of the hash key: `hash = v`, `hash IN […]` or these joined by OR; in the order
    // written, each once. Empty when the clause does not bind the hash key.
    std::vector<Value> hashes;
    // The value of the range key, when it is bound by equality.
    std::optional<Value> range;
    // Conditions on the range key that a key condition can express, the equality among them.
    std::vector<const Predicate*> range_terms;
    // All other conditions. They, the hashes and the range terms together are the clause.
    std::vector<const Predicate*> rest;
    // A key attribute that is bound to two different values.
    std::optional<std::string> contradicted;

    // Whether the clause names exactly one value for each part of the key.
    bool is_one_item(const KeySchema& keys) const {
        return hashes.size() == 1 && (keys.range.empty() || range.has_value());
    }
    // Hash and range key; is_one_item() must hold.
    Item key(const KeySchema& keys) const;
};

// The conditions on the way down from the top that are joined by AND.
KeyTerms split(const std::optional<Predicate>& where, const KeySchema& keys);

// The terms of a key condition that reads the range: `>=` and `<=` of the same kind become one
// BETWEEN. What cannot be part of it is added to `rest`. `owned` keeps what had to be made; it must
// outlive the result.
const Predicate* choose_range(const KeyTerms& terms, std::optional<Predicate>& owned,
                              std::vector<const Predicate*>& rest);

// Refuses a value of another type than the schema has for the key attribute.
Outcome<> check_key_types(const KeyTerms& terms, const KeySchema& keys,
                          const std::vector<AttributeDefinition>& attributes);

}  // namespace mailroom::table::partiql
