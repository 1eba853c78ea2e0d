// A WHERE clause taken apart: what it says of a key, and the rest.
#pragma once

#include "table/failure.h"
#include "table/partiql/syntax.h"
#include "table/schema.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::table::partiql {

// Borrows the clause.
struct KeyTerms {
    // Of each hash attribute its values: `hash = v`, `hash IN […]` or these joined by OR; in the
    // order written, each once. None when the clause does not bind the attribute.
    std::vector<std::vector<Value>> hashes;
    struct Range {
        std::string name;
        // Its value, when it is bound by equality.
        std::optional<Value> value = std::nullopt;
        // Conditions on it that a key condition can express, the equality among them.
        std::vector<const Predicate*> terms = {};
    };
    std::vector<Range> ranges;  // Of each range attribute.
    // All other conditions. They, the hashes and the ranges together are the clause.
    std::vector<const Predicate*> rest;
    // A key attribute that is bound to two different values.
    std::optional<std::string> contradicted;

    // Whether the clause binds all hash attributes.
    bool names_partitions() const;
    // How many partitions it names, when it does.
    std::size_t partition_count() const;
    // Whether the clause names exactly one value for each part of the key.
    bool is_one_item() const;
    // Whether it says nothing beyond that.
    bool is_only_one_item() const;
    // The key of a table; is_one_item() must hold.
    Item key(const KeySchema& keys) const;
    // The conditions that do not say which item is meant; is_one_item() must hold.
    std::vector<const Predicate*> others() const;
};

// The conditions on the way down from the top that are joined by AND.
KeyTerms split(const std::optional<Predicate>& where, const KeySchema& keys);

// The conditions on range attributes that a key condition can have: equalities on the first ones,
// one condition on the next; `>=` and `<=` of the same kind become one BETWEEN. What cannot be part
// of it is added to `rest`. `owned` keeps what had to be made; it must outlive the result.
std::vector<const Predicate*> choose_ranges(const KeyTerms& terms, std::optional<Predicate>& owned,
                                            std::vector<const Predicate*>& rest);

// Refuses a value of another type than the schema has for the key attribute.
Outcome<> check_key_types(const KeyTerms& terms, const KeySchema& keys,
                          const std::vector<AttributeDefinition>& attributes);

}  // namespace mailroom::table::partiql
