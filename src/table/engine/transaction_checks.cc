#include "table/engine/transaction_checks.h"

#include "table/engine/keys.h"

#include <string>
#include <variant>

namespace mailroom::table {

namespace {

Outcome<> fits_table(const DefinitionPtr& table, const PutItem& put) {
    TRY(prepare_put(table, put.item));
    return Ok{};
}

template <class Keyed>
Outcome<> fits_table(const DefinitionPtr& table, const Keyed& request) {
    TRY(row_of_key(*table, request.key));
    return Ok{};
}

// What is wrong with one action, if it is between the action and its table.
template <class Action>
CancellationReason reason_for(const Core& core, const Action& action) {
    const auto table = core.catalog.find(action.table);
    if (!table) return {};
    const auto fits = fits_table(table, action);
    if (fits) return {};
    return {"ValidationError", fits.error().message, std::nullopt};
}

const std::string& table_of(const WriteAction& action) {
    return std::visit([](const auto& write) -> const std::string& { return write.table; }, action);
}

// DynamoDB looks for empty keys before it begins with the actions.
bool is_empty_key(const std::string& message) {
    return message.find("cannot contain an empty string value") != message.npos;
}

Failure cancelled_or(std::vector<CancellationReason> reasons, Failure failure) {
    std::string codes;
    bool is_reason = false;
    for (const auto& reason : reasons) {
        codes.append(codes.empty() ? "" : ", ").append(reason.code);
        is_reason |= reason.code != "None" && reason.message == failure.message;
    }
    if (!is_reason) return failure;
    return {Fault::transaction_canceled,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
                codes + "]",
            std::move(reasons)};
}

}  // namespace

Outcome<> check_transaction_size(const std::vector<Step>& steps) {
    std::size_t bytes = 0;
    for (const auto& step : steps) bytes += step.item_bytes;
    if (bytes > transaction_bytes_max) return transaction_too_large();
    return Ok{};
}

Failure transaction_too_large() {
    return invalid("The aggregate size of the items in the transaction cannot exceed 4 MB");
}

Failure refusal_of_transaction(Core& core, const TransactWrite& request, Failure failure) {
    for (const auto& action : request.actions) {
        if (auto fine = check_expressions(core, action); !fine) return std::move(fine).error();
    }
    for (const auto& action : request.actions) {
        if (auto table = core.catalog.get(table_of(action)); !table)
            return std::move(table).error();
    }
    std::vector<CancellationReason> reasons;
    for (const auto& action : request.actions) {
        reasons.push_back(
            std::visit([&](const auto& write) { return reason_for(core, write); }, action));
        if (is_empty_key(reasons.back().message)) return invalid(reasons.back().message);
    }
    return cancelled_or(std::move(reasons), std::move(failure));
}

Failure refusal_of_transaction(Core& core, const TransactGet& request, Failure failure) {
    std::vector<CancellationReason> reasons;
    const auto reading = core.catalog.read();
    for (const auto& get : request.gets) reasons.push_back(reason_for(core, get));
    return cancelled_or(std::move(reasons), std::move(failure));
}

}  // namespace mailroom::table
