#include "table/partiql/wire.h"

#include "json/writer.h"
#include "table/wire/encoder.h"

#include <utility>

namespace mailroom::table::partiql {

namespace {

using json::Writer;
using wire::append_item;
using wire::ShowConsumed;

void write_consumed(json::Writer& json, const std::vector<Consumed>& all, ShowConsumed show) {
    if (show == ShowConsumed::none) return;
    json.key("ConsumedCapacity").open_list();
    for (const auto& consumed : all) wire::append_consumed(json.value(), consumed, show);
    json.close_list();
}

void write_refusal(json::Writer& json, const BatchEntry::Refusal& refusal) {
    json.key("Error").open_object();
    json.key("Code").text(refusal.code).key("Message").text(refusal.message);
    if (refusal.item) append_item(json.key("Item").value(), *refusal.item);
    json.close_object();
}

}  // namespace

Statement statement_of(wire::ExecuteStatement request) {
    auto& from = request.statement;
    return {std::move(from.text),
            std::move(from.parameters),
            std::move(request.next_token),
            request.limit,
            from.consistent,
            from.on_failure};
}

std::vector<Statement> statements_of(std::vector<wire::Statement> requests) {
    std::vector<Statement> statements;
    for (auto& request : requests) {
        wire::ExecuteStatement one;
        one.statement = std::move(request);
        statements.push_back(statement_of(std::move(one)));
    }
    return statements;
}

void append_answer(std::string& out, const StatementResult& answer, ShowConsumed show) {
    json::Writer json(out);
    json.open_object().key("Items").open_list();
    for (const auto& item : answer.items) append_item(json.value(), item);
    json.close_list();
    if (answer.next_token) json.key("NextToken").text(*answer.next_token);
    if (answer.last_key) append_item(json.key("LastEvaluatedKey").value(), *answer.last_key);
    if (show != ShowConsumed::none) {
        wire::append_consumed(json.key("ConsumedCapacity").value(), answer.consumed, show);
    }
    json.close_object();
}

void append_answer(std::string& out, const BatchResult& answer, ShowConsumed show) {
    json::Writer json(out);
    json.open_object().key("Responses").open_list();
    for (const auto& entry : answer.entries) {
        json.open_object();
        if (!entry.table.empty()) json.key("TableName").text(entry.table);
        if (entry.item) append_item(json.key("Item").value(), *entry.item);
        if (entry.refusal) write_refusal(json, *entry.refusal);
        json.close_object();
    }
    json.close_list();
    write_consumed(json, answer.consumed, show);
    json.close_object();
}

void append_answer(std::string& out, const TransactionResult& answer, ShowConsumed show) {
    json::Writer json(out);
    json.open_object().key("Responses").open_list();
    for (const auto& item : answer.items) {
        json.open_object();
        if (item) append_item(json.key("Item").value(), *item);
        json.close_object();
    }
    json.close_list();
    write_consumed(json, answer.consumed, show);
    json.close_object();
}

}  // namespace mailroom::table::partiql
