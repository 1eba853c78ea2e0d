#include "table/expression/condition.h"
#include "table/expression/expression_parser.h"

#include <algorithm>
#include <deque>
#include <iterator>

namespace mailroom::table {

namespace {

constexpr std::string_view condition_keywords[] = {"AND", "OR", "NOT", "IN", "BETWEEN"};

struct Function {
    std::string_view name;
    ConditionOp op;
    std::size_t operands;
};
constexpr Function functions[] = {
    {"attribute_exists", ConditionOp::attribute_exists, 1},
    {"attribute_not_exists", ConditionOp::attribute_not_exists, 1},
    {"attribute_type", ConditionOp::attribute_type, 2},
    {"begins_with", ConditionOp::begins_with, 2},
    {"contains", ConditionOp::contains, 2},
};

struct Comparator {
    std::string_view symbol;
    ConditionOp op;
};
constexpr Comparator comparators[] = {
    {"=", ConditionOp::equal},   {"<>", ConditionOp::not_equal},
    {"<", ConditionOp::less},    {"<=", ConditionOp::less_equal},
    {">", ConditionOp::greater}, {">=", ConditionOp::greater_equal},
};

// What stands at one place of the text; only what follows tells whether it is meant as an operand
// or as a condition.
struct Term {
    enum class Kind { operand, call, condition };
    Kind kind = Kind::operand;
    bool in_parentheses = false;
    std::size_t first_token = 0, end_token = 0;
    Operand operand = {};
    Condition condition = {};
    std::string function = {};
    std::vector<Term*> arguments = {};
};

//   condition  := all ("OR" all)*          all := factor ("AND" factor)*      factor := "NOT"
//   factor | test test       := operand comparator operand | operand "BETWEEN" operand "AND"
//   operand
//               | operand "IN" "(" operand ("," operand)* ")" | call | "(" condition ")"
//   operand    := path | value | call | "(" operand ")"
//   call       := word "(" operand ("," operand)* ")"
class ConditionParser : ExpressionParser {
public:
    ConditionParser(std::string_view text, ExpressionUse use)
        : ExpressionParser(text, use, condition_keywords) {}

    Outcome<Condition> parse() {
        TRY(check_size());
        auto* term = TRY(any_term(0));
        auto condition = TRY(as_condition(*term));
        TRY(finish());
        return condition;
    }

private:
    Outcome<Term*> any_term(std::size_t depth) { return joined(depth, "OR", ConditionOp::any_of); }
    Outcome<Term*> all_term(std::size_t depth) { return joined(depth, "AND", ConditionOp::all_of); }

    // One term, or several conditions joined by the keyword.
    Outcome<Term*> joined(std::size_t depth, std::string_view keyword, ConditionOp op) {
        const bool any = op == ConditionOp::any_of;
        auto* term = TRY(any ? all_term(depth) : factor(depth));
        if (!at_keyword(keyword)) return term;

        auto& result = add(Term::Kind::condition, term->first_token);
        result.condition.op = op;
        result.condition.children.push_back(TRY(as_condition(*term)));
        while (take_keyword(keyword)) {
            TRY(count_operator());
            auto* next = TRY(any ? all_term(depth) : factor(depth));
            result.condition.children.push_back(TRY(as_condition(*next)));
        }
        result.end_token = position();
        return &result;
    }

    Outcome<Term*> factor(std::size_t depth) {
        if (!at_keyword("NOT")) return test(depth);
        auto& result = add(Term::Kind::condition, position());
        take_keyword("NOT");
        TRY(count_operator());
        // Its depth is bounded by the number of operators.
        auto* negated = TRY(factor(depth));
        result.condition = Condition::negate(TRY(as_condition(*negated)));
        result.end_token = position();
        return &result;
    }

    Outcome<Term*> test(std::size_t depth) {
        auto* left = TRY(at_symbol("(") ? group(depth) : operand(depth));
        const bool comparable = left->kind != Term::Kind::condition;
        const auto* comparator = std::ranges::find_if(
            comparators, [&](const Comparator& c) { return at_symbol(c.symbol); });
        if (comparator != std::end(comparators)) {
            if (!comparable) return syntax_error();
            take_symbol(comparator->symbol);
            return compared(left, comparator->op, depth);
        }
        if (at_keyword("BETWEEN")) {
            if (!comparable) return syntax_error();
            take_keyword("BETWEEN");
            return between(left, depth);
        }
        if (at_keyword("IN")) {
            if (!comparable) return syntax_error();
            take_keyword("IN");
            return in(left, depth);
        }
        return left;
    }

    Outcome<Term*> compared(Term* left, ConditionOp op, std::size_t depth) {
        TRY(count_operator());
        std::vector<Term*> operands{left};
        operands.push_back(TRY(operand(depth)));
        return tested(op, operands);
    }

    Outcome<Term*> between(Term* left, std::size_t depth) {
        TRY(count_operator());
        std::vector<Term*> operands{left};
        operands.push_back(TRY(operand(depth)));
        if (!take_keyword("AND")) return syntax_error();
        operands.push_back(TRY(operand(depth)));
        return tested(ConditionOp::between, operands);
    }

    Outcome<Term*> in(Term* left, std::size_t depth) {
        TRY(count_operator());
        std::vector<Term*> operands{left};
        TRY(operand_list(operands, depth));
        return tested(ConditionOp::in, operands);
    }

    Outcome<> operand_list(std::vector<Term*>& operands, std::size_t depth) {
        TRY(expect_symbol("("));
        do {
            operands.push_back(TRY(operand(depth + 1)));
        } while (take_symbol(","));
        return expect_symbol(")");
    }

    Term* tested(ConditionOp op, const std::vector<Term*>& operands) {
        auto& result = add(Term::Kind::condition, operands.front()->first_token);
        result.end_token = position();
        result.condition.op = op;
        for (auto* operand : operands) result.condition.operands.push_back(as_operand(*operand));
        return &result;
    }

    // Whatever is in parentheses: a condition, or an operand of a comparison to come.
    Outcome<Term*> group(std::size_t depth) {
        const auto first = position();
        TRY(check_depth(depth));
        TRY(expect_symbol("("));
        auto* inner = TRY(any_term(depth + 1));
        return closed(inner, first);
    }

    Outcome<Term*> closed(Term* inner, std::size_t first) {
        TRY(expect_symbol(")"));
        if (inner->in_parentheses) return problem("The expression has redundant parentheses;");
        inner->in_parentheses = true;
        inner->first_token = first;
        const bool is_path =
            inner->kind == Term::Kind::operand && inner->operand.kind == Operand::Kind::path;
        if (is_path && (at_symbol(".") || at_symbol("["))) {
            TRY(path_steps(inner->operand.path));
            inner->in_parentheses = false;
        }
        inner->end_token = position();
        return inner;
    }

    Outcome<Term*> operand(std::size_t depth) {
        const auto first = position();
        if (at_symbol("(")) {
            TRY(check_depth(depth));
            take_symbol("(");
            auto* inner = TRY(operand(depth + 1));
            return closed(inner, first);
        }
        auto& term = add(Term::Kind::operand, first);
        if (peek().kind == Token::Kind::value) {
            term.operand = Operand::slot(take_text());
        } else if (at_call()) {
            TRY(check_depth(depth));
            TRY(count_operator());
            term.kind = Term::Kind::call;
            term.function = take_text();
            TRY(operand_list(term.arguments, depth));
        } else {
            term.operand = Operand::at(TRY(path()));
        }
        term.end_token = position();
        return &term;
    }

    Term& add(Term::Kind kind, std::size_t first_token) {
        auto& term = terms_.emplace_back();
        term.kind = kind;
        term.first_token = first_token;
        return term;
    }

    Outcome<> check_depth(std::size_t depth) const {
        if (depth < expression_depth_max) return Ok{};
        return problem("The expression has redundant parentheses;");
    }

    // Each term is used once, so what is in it may be moved out.
    Outcome<Condition> as_condition(Term& term) {
        if (term.kind == Term::Kind::condition) return std::move(term.condition);
        if (term.kind == Term::Kind::operand) return syntax_error(term.end_token);

        Condition condition;
        const auto* function = std::ranges::find(functions, term.function, &Function::name);
        if (function == std::end(functions)) {
            note_misplaced(term);
        } else {
            condition.op = function->op;
            check_operand_count(term, function->operands);
        }
        for (auto* argument : term.arguments) condition.operands.push_back(as_operand(*argument));
        return condition;
    }

    // An operand made of a call that is not allowed is never looked at: the problem is noted.
    Operand as_operand(Term& term) {
        if (term.kind == Term::Kind::operand) return std::move(term.operand);
        if (term.function != "size") {
            note_misplaced(term);
        } else {
            check_operand_count(term, 1);
        }
        auto operand = Operand::size_of(as_operand(*term.arguments.front()));
        if (term.arguments.front()->kind == Term::Kind::call) {
            note(term.first_token,
                 "Incorrect operand type for operator or function; operator or function: size, "
                 "operand type: N");
        }
        return operand;
    }

    void note_misplaced(const Term& term) {
        const auto at = term.first_token;
        if (term.function == "if_not_exists" || term.function == "list_append") {
            note(at, "The function is not allowed in a condition expression; function: " +
                         term.function);
        } else if (term.function == "size" ||
                   std::ranges::find(functions, term.function, &Function::name) !=
                       std::end(functions)) {
            note(at,
                 "The function is not allowed to be used this way in an expression; function: " +
                     term.function);
        } else {
            note(at, "Invalid function name; function: " + term.function);
        }
    }

    void check_operand_count(const Term& term, std::size_t count) {
        if (term.arguments.size() == count) return;
        note(term.first_token,
             "Incorrect number of operands for operator or function; operator or function: " +
                 term.function + ", number of operands: " + std::to_string(term.arguments.size()));
    }

    std::deque<Term> terms_;  // Stay where they are while the text is read.
};

}  // namespace

Outcome<Condition> parse_condition(std::string_view text, ExpressionUse use) {
    return ConditionParser(text, use).parse();
}

}  // namespace mailroom::table
