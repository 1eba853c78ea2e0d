#include "table/partiql/write_plan.h"

#include "table/partiql/expression_text.h"
#include "table/partiql/key_terms.h"
#include "table/partiql/refusals.h"

#include <cassert>

namespace mailroom::table::partiql {

namespace {

Outcome<> check_one_item(const KeyTerms& terms) {
    if (!terms.is_one_item()) return key_is_incomplete();
    if (!terms.contradicted) return Ok{};
    return invalid("Multiple conditions on same key " + *terms.contradicted +
                   ". Only single item Update/Insert/Delete are supported");
}

// As for items and names that come as JSON.
Failure empty_name() {
    return invalid("One or more parameter values were invalid: Empty attribute name");
}

struct Planner {
    const TableDescription& table;
    OnConditionFailure on_failure;

    Outcome<WriteAction> operator()(const Select&) const {
        assert(false);
        return key_is_incomplete();
    }

    Outcome<WriteAction> operator()(const Insert& insert) const {
        if (insert.item.has("")) return empty_name();
        PutItem put;
        put.table = table.name;
        put.item = insert.item;
        put.condition =
            "attribute_not_exists(" + ExpressionText(put.bind).name(table.keys.hash) + ")";
        return WriteAction(std::move(put));
    }

    Outcome<WriteAction> operator()(const Update& update) const {
        const auto terms = split(update.where, table.keys);
        TRY(check_one_item(terms));
        UpdateItem request;
        request.table = table.name;
        request.key = terms.key(table.keys);
        ExpressionText text(request.bind);
        request.update = text.update(update.changes);
        request.condition = exists_and(text, terms.others());
        request.returns = update.returns;
        request.on_failure = on_failure;
        return WriteAction(std::move(request));
    }

    Outcome<WriteAction> operator()(const Delete& erase) const {
        const auto terms = split(erase.where, table.keys);
        TRY(check_one_item(terms));
        DeleteItem request;
        request.table = table.name;
        request.key = terms.key(table.keys);
        if (const auto others = terms.others(); !others.empty()) {
            ExpressionText text(request.bind);
            request.condition = "attribute_not_exists(" + text.name(table.keys.hash) + ") OR (";
            request.condition += text.all_of(others) + ")";
        }
        request.returns = erase.returns;
        request.on_failure = on_failure;
        return WriteAction(std::move(request));
    }

    Outcome<WriteAction> operator()(const Exists& exists) const {
        if (exists.select.from.index) {
            return invalid("Operations on indices are not supported in transactions");
        }
        const auto terms = split(exists.select.where, table.keys);
        const auto others = terms.others();
        if (!terms.is_one_item() || others.empty()) {
            return invalid("EXISTS() must contain a single item read with additional condition");
        }
        ConditionCheck request;
        request.table = table.name;
        request.key = terms.key(table.keys);
        ExpressionText text(request.bind);
        request.condition = exists_and(text, others);
        request.on_failure = on_failure;
        return WriteAction(std::move(request));
    }

    std::string exists_and(ExpressionText& text,
                           const std::vector<const Predicate*>& others) const {
        auto condition = "attribute_exists(" + text.name(table.keys.hash) + ")";
        if (!others.empty()) condition += " AND (" + text.all_of(others) + ")";
        return condition;
    }
};

}  // namespace

Outcome<WriteAction> plan_write(const Syntax& syntax, const TableDescription& table,
                                OnConditionFailure on_failure) {
    return std::visit(Planner{table, on_failure}, syntax);
}

}  // namespace mailroom::table::partiql
