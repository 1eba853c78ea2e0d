#include "table/partiql/expression_text.h"

#include <array>
#include <cassert>

namespace mailroom::table::partiql {

namespace {

bool is_join(const Predicate& predicate) {
    return predicate.op == ConditionOp::all_of || predicate.op == ConditionOp::any_of;
}

}  // namespace

std::string ExpressionText::name(const std::string& name) {
    auto [place, is_new] = names_.try_emplace(name);
    if (is_new) {
        place->second = "#n" + std::to_string(bind_.names.size());
        bind_.names.emplace_back(place->second, name);
    }
    return place->second;
}

std::string ExpressionText::path(const DocumentPath& path) {
    std::string text;
    for (const Step& step : path.steps) {
        if (step.is_index) {
            text += "[" + std::to_string(step.index) + "]";
        } else {
            if (!text.empty()) text += ".";
            text += name(step.name);
        }
    }
    return text;
}

std::string ExpressionText::value(const Value& value) {
    auto placeholder = ":v" + std::to_string(bind_.values.size());
    bind_.values.emplace_back(placeholder, value);
    return placeholder;
}

std::string ExpressionText::term(const Term& term) {
    switch (term.kind) {
        case Term::Kind::path:
            return path(term.path);
        case Term::Kind::size_of:
            return "size(" + path(term.path) + ")";
        case Term::Kind::value:
            return value(term.value);
    }
    assert(false);
    return "";
}

std::string ExpressionText::terms(const std::vector<Term>& terms, std::size_t from) {
    std::string text;
    for (std::size_t i = from; i < terms.size(); ++i) {
        if (i > from) text += ", ";
        text += term(terms[i]);
    }
    return text;
}

std::string ExpressionText::joined(const Predicate& predicate, std::string_view separator) {
    std::string text;
    for (const Predicate& child : predicate.children) {
        if (!text.empty()) text += separator;
        text += is_join(child) ? "(" + condition(child) + ")" : condition(child);
    }
    return text;
}

std::string ExpressionText::condition(const Predicate& predicate) {
    const auto& operands = predicate.terms;
    const std::string op(operator_name(predicate.op));
    switch (predicate.op) {
        case ConditionOp::all_of:
            return joined(predicate, " AND ");
        case ConditionOp::any_of:
            return joined(predicate, " OR ");
        case ConditionOp::negation:
            return "NOT (" + condition(predicate.children.front()) + ")";
        case ConditionOp::between: {
            auto text = term(operands[0]) + " BETWEEN ";
            text += term(operands[1]) + " AND ";
            return text + term(operands[2]);
        }
        case ConditionOp::in: {
            auto text = term(operands[0]) + " IN (";
            return text + terms(operands, 1) + ")";
        }
        case ConditionOp::attribute_exists:
        case ConditionOp::attribute_not_exists:
        case ConditionOp::attribute_type:
        case ConditionOp::begins_with:
        case ConditionOp::contains:
            return op + "(" + terms(operands, 0) + ")";
        default: {
            auto text = term(operands[0]) + " " + op + " ";
            return text + term(operands[1]);
        }
    }
}

std::string ExpressionText::all_of(const std::vector<const Predicate*>& predicates) {
    assert(!predicates.empty());
    if (predicates.size() == 1) return condition(*predicates.front());
    std::string text;
    for (const Predicate* predicate : predicates) {
        if (!text.empty()) text += " AND ";
        text += is_join(*predicate) ? "(" + condition(*predicate) + ")" : condition(*predicate);
    }
    return text;
}

std::string ExpressionText::projection(const std::vector<std::string>& attributes) {
    std::string text;
    for (const auto& attribute : attributes) {
        if (!text.empty()) text += ", ";
        text += name(attribute);
    }
    return text;
}

std::string ExpressionText::assigned(const Assigned& assigned) {
    switch (assigned.kind) {
        case Assigned::Kind::path:
            return path(assigned.path);
        case Assigned::Kind::value:
            return value(assigned.value);
        case Assigned::Kind::sum:
        case Assigned::Kind::difference: {
            auto text = this->assigned(assigned.arguments[0]);
            text += assigned.kind == Assigned::Kind::sum ? " + " : " - ";
            return text + this->assigned(assigned.arguments[1]);
        }
        case Assigned::Kind::list_append: {
            auto text = "list_append(" + this->assigned(assigned.arguments[0]) + ", ";
            return text + this->assigned(assigned.arguments[1]) + ")";
        }
    }
    assert(false);
    return "";
}

std::string ExpressionText::update(const std::vector<Change>& changes) {
    struct Clause {
        Change::Kind kind;
        std::string_view word;
    };
    constexpr std::array<Clause, 4> clauses = {{{Change::Kind::set, "SET "},
                                                {Change::Kind::remove, "REMOVE "},
                                                {Change::Kind::set_add, "ADD "},
                                                {Change::Kind::set_delete, "DELETE "}}};
    std::string text;
    for (const auto& [kind, word] : clauses) {
        bool is_first = true;
        for (const Change& change : changes) {
            if (change.kind != kind) continue;
            if (is_first && !text.empty()) text += " ";
            text += is_first ? word : ", ";
            is_first = false;
            text += path(change.target);
            if (kind == Change::Kind::remove) continue;
            text += kind == Change::Kind::set ? " = " : " ";
            text += assigned(change.assigned);
        }
    }
    return text;
}

}  // namespace mailroom::table::partiql
