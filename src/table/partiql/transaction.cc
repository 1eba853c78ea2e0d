// ExecuteTransaction.
#include "table/partiql/executor.h"
#include "table/partiql/parser.h"
#include "table/partiql/reading.h"
#include "table/partiql/refusals.h"
#include "table/partiql/schemas.h"
#include "table/partiql/write_plan.h"
#include "table/partiql/writing.h"

#include <algorithm>
#include <utility>

namespace mailroom::table::partiql {

namespace {

// A refusal of one statement before anything is done. Others than validation stand for themselves.
Failure refused(std::size_t statement, Failure failure) {
    if (failure.fault != Fault::validation) return failure;
    failure.message = "Validation failed in TransactStatements[" + std::to_string(statement) +
                      "]: " + failure.message;
    return failure;
}

bool has_returning(const Syntax& syntax) {
    if (const auto* update = std::get_if<Update>(&syntax)) {
        return update->returns != ReturnValues::none;
    }
    const auto* erase = std::get_if<Delete>(&syntax);
    return erase && erase->returns != ReturnValues::none;
}

Outcome<std::vector<Syntax>> parse_all(const std::vector<Statement>& statements) {
    std::vector<Syntax> all;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        auto syntax = parse(statements[i].text, statements[i].parameters);
        if (!syntax) return refused(i, std::move(syntax).error());
        if (has_returning(*syntax)) {
            return refused(i, invalid("RETURNING clause is not supported in ExecuteTransaction."));
        }
        all.push_back(*std::move(syntax));
    }
    const auto reads = std::ranges::count_if(all, is_read);
    if (reads == 0 || static_cast<std::size_t>(reads) == all.size()) return all;
    return invalid("Statements of a transaction must be all reads or all writes");
}

Outcome<TransactionResult> read(Store& store, const std::vector<Syntax>& all) {
    Schemas schemas(store);
    std::vector<ReadPlan> plans;
    TransactGet request;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& select = std::get<Select>(all[i]);
        const auto* table = TRY(schemas.find(select.from.table));
        auto plan = plan_read(select, *table, true, ReadUse::transaction);
        if (!plan) return refused(i, std::move(plan).error());
        request.gets.push_back(std::get<GetItem>(plan->request));
        plans.push_back(*std::move(plan));
    }
    auto got = TRY(store.transact_get(request));
    TransactionResult result;
    result.consumed = std::move(got.consumed);
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const auto presentation = TRY(Presentation::of(plans[i]));
        auto& item = result.items.emplace_back();
        if (i < got.items.size() && got.items[i]) item = presentation.show(*got.items[i]);
    }
    return result;
}

// INSERT was turned into a condition; what it means to the statement's author is a duplicate.
Failure name_duplicates(Failure failure, const std::vector<Syntax>& all) {
    if (failure.fault != Fault::transaction_canceled) return failure;
    bool is_renamed = false;
    std::string codes;
    for (std::size_t i = 0; i < failure.reasons.size(); ++i) {
        auto& reason = failure.reasons[i];
        if (i < all.size() && std::holds_alternative<Insert>(all[i]) &&
            reason.code == "ConditionalCheckFailed") {
            reason = {"DuplicateItem", duplicate_item_message, std::nullopt};
            is_renamed = true;
        }
        codes += (codes.empty() ? "" : ", ") + reason.code;
    }
    if (is_renamed) {
        failure.message =
            "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
            codes + "]";
    }
    return failure;
}

Outcome<TransactionResult> write_all(Store& store, const std::vector<Syntax>& all,
                                     const std::vector<Statement>& statements,
                                     const std::string& token) {
    Schemas schemas(store);
    TransactWrite request;
    request.token = token;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto* table = TRY(schemas.find(table_of(all[i])));
        auto action = plan_write(all[i], *table, statements[i].on_failure);
        if (!action) return refused(i, std::move(action).error());
        request.actions.push_back(*std::move(action));
    }
    auto written = store.transact(request);
    if (!written) return name_duplicates(std::move(written).error(), all);
    return TransactionResult{{}, std::move(written->consumed)};
}

}  // namespace

Outcome<TransactionResult> Executor::transact(const std::vector<Statement>& statements,
                                              const std::string& token) {
    if (statements.empty()) {
        return out_of_bounds("[]", "transactStatements", "length greater than or equal to 1");
    }
    if (statements.size() > transaction_statements_max) {
        return out_of_bounds("[...]", "transactStatements", "length less than or equal to 100");
    }
    const auto all = TRY(parse_all(statements));
    auto result =
        is_read(all.front()) ? read(store_, all) : write_all(store_, all, statements, token);
    if (!result) return without_expressions(std::move(result).error());
    return result;
}

}  // namespace mailroom::table::partiql
