// The WHERE clause.
#pragma once

#include "table/partiql/token_stream.h"

namespace mailroom::table::partiql {

// How deep conditions may nest: by parentheses and NOT.
constexpr std::size_t condition_levels_max = 100;

// What follows WHERE. Operators by precedence: OR, AND, NOT, comparisons.
Outcome<Predicate> parse_condition(TokenStream& tokens);

}  // namespace mailroom::table::partiql
