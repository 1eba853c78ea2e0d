#include "table/partiql/writing.h"

#include "table/partiql/write_plan.h"

#include <utility>

namespace mailroom::table::partiql {

namespace {

Failure only_in_transactions() {
    return invalid("EXISTS can only be used in ExecuteTransaction write requests.");
}

struct Write {
    Store& store;

    Outcome<WriteResult> operator()(const PutItem& put) const { return store.put(put); }
    Outcome<WriteResult> operator()(const UpdateItem& update) const { return store.update(update); }
    Outcome<WriteResult> operator()(const DeleteItem& erase) const { return store.erase(erase); }
    Outcome<WriteResult> operator()(const ConditionCheck&) const { return only_in_transactions(); }
};

}  // namespace

Outcome<StatementResult> write(Store& store, const Syntax& syntax, const TableDescription& table,
                               OnConditionFailure on_failure) {
    if (std::holds_alternative<Exists>(syntax)) return only_in_transactions();
    const auto action = TRY(plan_write(syntax, table, on_failure));
    auto written = std::visit(Write{store}, action);
    if (!written) {
        const bool is_duplicate = std::holds_alternative<Insert>(syntax) &&
                                  written.error().fault == Fault::conditional_check_failed;
        if (!is_duplicate) return std::move(written).error();
        return Failure{Fault::duplicate_item, duplicate_item_message};
    }
    StatementResult result;
    result.consumed = std::move(written->consumed);
    if (written->attributes && !written->attributes->empty()) {
        result.items.push_back(*std::move(written->attributes));
    }
    return result;
}

}  // namespace mailroom::table::partiql
