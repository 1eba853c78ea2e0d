// Document paths and values inside a statement.
#pragma once

#include "table/partiql/token_stream.h"

#include <string>

namespace mailroom::table::partiql {

// How deep lists and maps may nest (DynamoDB's limit).
constexpr std::size_t value_levels_max = 32;

// `a."b"[3]['c']`. The next token must be a name.
Outcome<DocumentPath> parse_path(TokenStream& tokens);
// The last part of the path, under which an answer shows it: "c", "b[3]".
std::string answer_name(const DocumentPath& path);

// Whether the next token begins a value rather than a path, a function or something else.
bool begins_value(const TokenStream& tokens);
// A string, number, boolean, NULL, parameter, list `[…]`, map `{…}` or set `<<…>>`.
Outcome<Value> parse_value(TokenStream& tokens);
// The item of an INSERT: a map whose members' refusals name paths from their own root.
Outcome<Item> parse_item(TokenStream& tokens);

}  // namespace mailroom::table::partiql
