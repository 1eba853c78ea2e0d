#include "table/partiql/executor.h"

#include "table/partiql/parser.h"
#include "table/partiql/reading.h"
#include "table/partiql/refusals.h"
#include "table/partiql/schemas.h"
#include "table/partiql/writing.h"

#include <algorithm>
#include <utility>

namespace mailroom::table::partiql {

namespace {

Outcome<StatementResult> read(Store& store, const Select& select, const TableDescription& table,
                              const Statement& statement) {
    if (statement.limit && *statement.limit < 1) {
        return out_of_bounds(std::to_string(*statement.limit), "limit",
                             "value greater than or equal to 1");
    }
    const auto plan = TRY(plan_read(select, table, statement.consistent, ReadUse::statement));
    const auto mark = fingerprint(statement.text, statement.parameters);
    Continuation start;
    if (statement.next_token) start = TRY(decode_token(*statement.next_token, mark));
    const auto partitions = std::max<std::size_t>(1, plan.partitions.size());
    if (start.partition >= partitions) return invalid("Invalid NextToken");
    return read_page(store, plan, start, statement.limit, mark);
}

Outcome<StatementResult> run(Store& store, const Statement& statement) {
    const auto syntax = TRY(parse(statement.text, statement.parameters));
    Schemas schemas(store);
    const auto* table = TRY(schemas.find(table_of(syntax)));
    if (const auto* select = std::get_if<Select>(&syntax)) {
        return read(store, *select, *table, statement);
    }
    if (statement.next_token) return invalid("NextToken does not match request");
    return write(store, syntax, *table, statement.on_failure);
}

}  // namespace

Outcome<StatementResult> Executor::execute(const Statement& statement) {
    auto result = run(store_, statement);
    if (!result) return without_expressions(std::move(result).error());
    return result;
}

}  // namespace mailroom::table::partiql
