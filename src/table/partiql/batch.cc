// BatchExecuteStatement.
#include "table/partiql/executor.h"
#include "table/partiql/parser.h"
#include "table/partiql/reading.h"
#include "table/partiql/refusals.h"
#include "table/partiql/schemas.h"
#include "table/partiql/writing.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::table::partiql {

namespace {

// BatchStatementErrorCodeEnum.
std::string_view batch_code(Fault fault) {
    switch (fault) {
        case Fault::validation:
        case Fault::serialization:
        case Fault::unknown_operation:
            return "ValidationError";
        case Fault::conditional_check_failed:
            return "ConditionalCheckFailed";
        case Fault::transaction_canceled:
        case Fault::transaction_in_progress:
        case Fault::idempotent_parameter_mismatch:
            return "TransactionConflict";
        case Fault::resource_not_found:
        case Fault::resource_in_use:
            return "ResourceNotFound";
        case Fault::limit_exceeded:
            return "RequestLimitExceeded";
        case Fault::item_collection_size_limit_exceeded:
            return "ItemCollectionSizeLimitExceeded";
        case Fault::throttling:
            return "ThrottlingError";
        case Fault::duplicate_item:
            return "DuplicateItem";
        case Fault::access_denied:
        case Fault::missing_authentication:
        case Fault::incomplete_signature:
        case Fault::unrecognized_client:
        case Fault::invalid_signature:
            return "AccessDenied";
        case Fault::internal:
        case Fault::expired_iterator:
        case Fault::trimmed_data:
        case Fault::table_not_found:
        case Fault::table_already_exists:
        case Fault::backup_not_found:
        case Fault::backup_in_use:
        case Fault::invalid_restore_time:
        case Fault::point_in_time_unavailable:
            return "InternalServerError";
    }
    assert(false);
    return "";
}

Outcome<> check_mixture(const std::vector<Outcome<Syntax>>& parsed) {
    bool has_read = false, has_write = false;
    for (const auto& syntax : parsed) {
        if (syntax) (is_read(*syntax) ? has_read : has_write) = true;
    }
    if (!has_read || !has_write) return Ok{};
    return invalid("Statements of a batch must be all reads or all writes");
}

Outcome<StatementResult> run(Store& store, Schemas& schemas, const Outcome<Syntax>& parsed,
                             const Statement& statement) {
    if (!parsed) return parsed.error();
    const auto* table = TRY(schemas.find(table_of(*parsed)));
    const auto* select = std::get_if<Select>(&*parsed);
    if (!select) return write(store, *parsed, *table, statement.on_failure);
    const auto plan = TRY(plan_read(*select, *table, statement.consistent, ReadUse::batch));
    return read_page(store, plan, {}, std::nullopt, "");
}

void add_to_its_table(std::vector<Consumed>& totals, const Consumed& part) {
    const auto same = std::ranges::find(totals, part.table, &Consumed::table);
    if (same == totals.end()) {
        totals.push_back(part);
    } else {
        add(*same, part);
    }
}

}  // namespace

Outcome<BatchResult> Executor::batch(const std::vector<Statement>& statements) {
    if (statements.empty()) {
        return out_of_bounds("[]", "statements", "length greater than or equal to 1");
    }
    if (statements.size() > batch_statements_max) {
        return out_of_bounds("[...]", "statements", "length less than or equal to 25");
    }
    std::vector<Outcome<Syntax>> parsed;
    for (const auto& statement : statements) {
        parsed.push_back(parse(statement.text, statement.parameters));
    }
    TRY(check_mixture(parsed));

    Schemas schemas(store_);
    BatchResult batch;
    for (std::size_t i = 0; i < statements.size(); ++i) {
        BatchEntry entry;
        if (parsed[i]) entry.table = table_of(*parsed[i]);
        auto result = run(store_, schemas, parsed[i], statements[i]);
        if (result) {
            if (!result->items.empty()) entry.item = std::move(result->items.front());
            add_to_its_table(batch.consumed, result->consumed);
        } else {
            auto failure = without_expressions(std::move(result).error());
            entry.refusal = {std::string(batch_code(failure.fault)), std::move(failure.message),
                             std::move(failure.item)};
        }
        batch.entries.push_back(std::move(entry));
    }
    return batch;
}

}  // namespace mailroom::table::partiql
