// PartiQL's requests and answers on the wire: between wire/ and the Executor.
#pragma once

#include "table/partiql/executor.h"
#include "table/wire/requests.h"

#include <string>
#include <vector>

namespace mailroom::table::partiql {

Statement statement_of(wire::ExecuteStatement request);
std::vector<Statement> statements_of(std::vector<wire::Statement> requests);

// Whole bodies, added to the end of `out`.
void append_answer(std::string& out, const StatementResult& answer, wire::ShowConsumed show);
void append_answer(std::string& out, const BatchResult& answer, wire::ShowConsumed show);
void append_answer(std::string& out, const TransactionResult& answer, wire::ShowConsumed show);

}  // namespace mailroom::table::partiql
