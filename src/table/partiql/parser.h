// PartiQL as DynamoDB speaks it.
//
//   statement := SELECT columns FROM source [WHERE condition] [ORDER BY key [ASC | DESC], …]
//              | INSERT INTO table VALUE {'name': value, …}
//              | UPDATE table change… WHERE condition [RETURNING …]
//              | FROM table WHERE condition change… [RETURNING …]
//              | DELETE FROM table WHERE condition [RETURNING ALL OLD *]
//              | EXISTS(SELECT …)
//   change    := SET path = value, … | REMOVE path, …
//
// Keywords and function names are read in any case, names as they are written.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.html
#pragma once

#include "table/partiql/syntax.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace mailroom::table::partiql {

// DynamoDB's limit; it counts characters.
constexpr std::size_t statement_characters_max = 8192;

// The statement with `parameters` in the places of its question marks. A validation failure, in
// DynamoDB's words, for a statement that is too long, cannot be read, uses what DynamoDB does not
// have, or has another number of question marks. Knows no table.
Outcome<Syntax> parse(std::string_view text, const std::vector<Value>& parameters);

}  // namespace mailroom::table::partiql
