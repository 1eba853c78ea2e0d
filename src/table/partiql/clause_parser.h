// The clauses that statements are made of, other than WHERE.
#pragma once

#include "table/partiql/token_stream.h"

#include <string>
#include <vector>

namespace mailroom::table::partiql {

// `table` or `table.index`. The next token must be a name.
Outcome<Source> parse_source(TokenStream& tokens);
// The table of a write, behind UPDATE, DELETE FROM or FROM.
Outcome<std::string> parse_written_table(TokenStream& tokens);
// Refuses an alias of a table.
Outcome<> refuse_alias(TokenStream& tokens);
// What follows SELECT, up to FROM. None for `*`.
Outcome<std::vector<Select::Column>> parse_columns(TokenStream& tokens);
// What follows ORDER.
Outcome<std::vector<OrderKey>> parse_order(TokenStream& tokens);
// SET and REMOVE, as many as there are.
Outcome<std::vector<Change>> parse_changes(TokenStream& tokens);
// `ALL NEW *` and so on; nothing without RETURNING.
Outcome<ReturnValues> parse_returning(TokenStream& tokens);
// "ALL NEW": how RETURNING writes it.
std::string_view returning_words(ReturnValues returns);

}  // namespace mailroom::table::partiql
