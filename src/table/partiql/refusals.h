// DynamoDB's words for statements that it refuses, where more than one file says them.
#pragma once

#include "table/failure.h"
#include "table/partiql/syntax.h"

#include <string>
#include <string_view>

namespace mailroom::table::partiql {

// The statement cannot be read. An empty `detail` is what DynamoDB gives for text that is not even
// a row of tokens.
Failure malformed(std::string_view detail);
// `message`, and where in the statement: "… at 1:8:5" (line, column, length).
Failure refuse_at(std::string message, const Position& position);
// The WHERE clause of a write does not name one item.
Failure key_is_incomplete();
// A request parameter beyond its bounds: "1 validation error detected: Value '…' at 'limit' …".
Failure out_of_bounds(std::string_view value, std::string_view member, std::string_view constraint);
// A refusal of the store, as the statement's author should see it: expressions that nobody but the
// planner wrote are not named in it.
Failure without_expressions(Failure failure);

}  // namespace mailroom::table::partiql
