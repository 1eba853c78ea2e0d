#include "table/partiql/condition_parser.h"

#include "base/text.h"
#include "table/partiql/value_parser.h"

#include <array>
#include <utility>
#include <variant>

namespace mailroom::table::partiql {

namespace {

// What an expression turned out to be: something to compare, or something that is true or false.
using Part = std::variant<Term, Predicate>;

struct TypeName {
    std::string_view word;
    std::string_view type;  // As attribute_type() takes it; empty when IS does not take it.
};

constexpr std::array<TypeName, 27> type_names = {{
    {"BOOL", "BOOL"},  {"BOOLEAN", "BOOL"}, {"BLOB", "B"},    {"STRING", "S"}, {"NUMERIC", "N"},
    {"STRUCT", "M"},   {"TUPLE", "M"},      {"LIST", "L"},    {"INT", ""},     {"INT2", ""},
    {"INT4", ""},      {"INT8", ""},        {"INTEGER2", ""}, {"INTEGER", ""}, {"INTEGER4", ""},
    {"INTEGER8", ""},  {"BIGINT", ""},      {"SMALLINT", ""}, {"FLOAT", ""},   {"REAL", ""},
    {"DOUBLE", ""},    {"DECIMAL", ""},     {"CHAR", ""},     {"VARCHAR", ""}, {"TIMESTAMP", ""},
    {"CHARACTER", ""}, {"BAG", ""},
}};

// What a function takes as its first operand.
enum class First { path, path_or_value, any };

struct Function {
    std::string_view name;
    ConditionOp op;
    std::size_t operands;
    First first;

    bool takes(Term::Kind kind) const {
        return kind == Term::Kind::path || first == First::any ||
               (first == First::path_or_value && kind == Term::Kind::value);
    }
};

// As in condition expressions.
constexpr std::array<Function, 5> functions = {{
    {"attribute_exists", ConditionOp::attribute_exists, 1, First::path},
    {"attribute_not_exists", ConditionOp::attribute_not_exists, 1, First::path},
    {"attribute_type", ConditionOp::attribute_type, 2, First::path_or_value},
    {"begins_with", ConditionOp::begins_with, 2, First::any},
    {"contains", ConditionOp::contains, 2, First::any},
}};

std::optional<ConditionOp> comparison(const Token& token) {
    if (token.kind != TokenKind::symbol) return std::nullopt;
    if (token.text == "=") return ConditionOp::equal;
    if (token.text == "<>") return ConditionOp::not_equal;
    if (token.text == "<") return ConditionOp::less;
    if (token.text == "<=") return ConditionOp::less_equal;
    if (token.text == ">") return ConditionOp::greater;
    if (token.text == ">=") return ConditionOp::greater_equal;
    return std::nullopt;
}

// The operator that says the same with its operands the other way round.
ConditionOp mirrored(ConditionOp op) {
    switch (op) {
        case ConditionOp::less:
            return ConditionOp::greater;
        case ConditionOp::less_equal:
            return ConditionOp::greater_equal;
        case ConditionOp::greater:
            return ConditionOp::less;
        case ConditionOp::greater_equal:
            return ConditionOp::less_equal;
        default:
            return op;
    }
}

Predicate negate(Predicate predicate) {
    Predicate negation{ConditionOp::negation, {}, {}};
    negation.children.push_back(std::move(predicate));
    return negation;
}

Predicate join(ConditionOp op, Predicate first, Predicate second) {
    if (first.op == op) {
        first.children.push_back(std::move(second));
        return first;
    }
    Predicate joined{op, {}, {}};
    joined.children.push_back(std::move(first));
    joined.children.push_back(std::move(second));
    return joined;
}

Failure wrong_count(std::string_view function, std::size_t count) {
    return invalid("Incorrect number of operands for operator or function; operator or function: " +
                   std::string(function) + ", number of operands: " + std::to_string(count));
}

Failure needs_path(std::string_view function) {
    return invalid("Operator or function requires a document path; operator or function: " +
                   std::string(function));
}

class ConditionParser {
public:
    explicit ConditionParser(TokenStream& tokens) : tokens_(tokens) {}

    Outcome<Predicate> run() {
        auto part = TRY(parse_or());
        if (auto* predicate = std::get_if<Predicate>(&part)) return std::move(*predicate);
        return invalid("WHERE clause must contain an expression that resolves to a boolean");
    }

private:
    Outcome<Part> parse_or() {
        auto left = TRY(parse_and());
        while (tokens_.accept_keyword("OR")) {
            TRY(expect_right_side());
            auto right = TRY(parse_and());
            left = TRY(both(ConditionOp::any_of, std::move(left), std::move(right)));
        }
        return left;
    }

    Outcome<Part> parse_and() {
        auto left = TRY(parse_not());
        while (tokens_.accept_keyword("AND")) {
            TRY(expect_right_side());
            auto right = TRY(parse_not());
            left = TRY(both(ConditionOp::all_of, std::move(left), std::move(right)));
        }
        return left;
    }

    static Outcome<Part> both(ConditionOp op, Part left, Part right) {
        auto* first = std::get_if<Predicate>(&left);
        auto* second = std::get_if<Predicate>(&right);
        if (!first || !second) return invalid("The arguments to AND/OR must be Expressions");
        return Part(join(op, std::move(*first), std::move(*second)));
    }

    Outcome<Part> parse_not() {
        if (!tokens_.accept_keyword("NOT")) return parse_comparison();
        TRY(enter());
        auto part = TRY(parse_not());
        --level_;
        auto* predicate = std::get_if<Predicate>(&part);
        if (!predicate) return invalid("The argument to NOT must be a Type or Expression");
        return Part(negate(std::move(*predicate)));
    }

    Outcome<Part> parse_comparison() {
        auto left = TRY(parse_primary());
        if (const auto op = comparison(tokens_.peek())) {
            tokens_.take();
            TRY(expect_right_side());
            auto right = TRY(parse_primary());
            return compare(*op, std::move(left), std::move(right));
        }
        if (tokens_.accept_keyword("IS")) return parse_is(std::move(left));
        const bool is_negated = tokens_.peek().is_keyword("NOT");
        const Token& op = tokens_.peek(is_negated ? 1 : 0);
        if (op.is_keyword("IN") || op.is_keyword("BETWEEN")) {
            if (is_negated) tokens_.take();
            auto predicate = TRY(tokens_.take().text == "IN" ? parse_in(std::move(left))
                                                             : parse_between(std::move(left)));
            return Part(is_negated ? negate(std::move(predicate)) : std::move(predicate));
        }
        TRY(refuse_other_operators());
        return left;
    }

    // Those that PartiQL has and a condition of DynamoDB has not.
    Outcome<> refuse_other_operators() const {
        const Token& token = tokens_.peek();
        for (const std::string_view symbol : {"+", "-", "*", "/", "%", "||"}) {
            if (!token.is_symbol(symbol)) continue;
            return invalid("Unsupported operator in Condition Expression. Operator: " + token.text);
        }
        if (token.is_keyword("LIKE")) {
            return invalid("Unsupported operator in Condition Expression. Operator: LIKE");
        }
        return Ok{};
    }

    Outcome<Part> compare(ConditionOp op, Part left, Part right) {
        TRY(refuse_other_operators());
        auto* first = std::get_if<Term>(&left);
        auto* second = std::get_if<Term>(&right);
        if (first && second) {
            // Paths stand on the left, as key conditions need them.
            if (first->kind == Term::Kind::value && second->kind != Term::Kind::value) {
                std::swap(first, second);
                op = mirrored(op);
            }
            Predicate predicate{op, {}, {}};
            predicate.terms.push_back(std::move(*first));
            predicate.terms.push_back(std::move(*second));
            return Part(std::move(predicate));
        }
        // `attribute_exists(a) = true`
        auto* predicate = std::get_if<Predicate>(first ? &right : &left);
        const Term* truth = first ? first : second;
        const bool is_equality = op == ConditionOp::equal || op == ConditionOp::not_equal;
        if (!truth || !is_equality || truth->kind != Term::Kind::value ||
            !truth->value.view().is_bool()) {
            return invalid("WHERE clause must contain an expression that resolves to a boolean");
        }
        const bool wanted = truth->value.view().boolean() == (op == ConditionOp::equal);
        return Part(wanted ? std::move(*predicate) : negate(std::move(*predicate)));
    }

    Outcome<Part> parse_is(Part left) {
        const bool is_negated = tokens_.accept_keyword("NOT");
        auto* term = std::get_if<Term>(&left);
        if (!term || term->kind != Term::Kind::path) {
            return invalid(
                "The left hand side argument to IS must be a Variable Reference, Literal, or Path");
        }
        Predicate predicate;
        predicate.terms.push_back(std::move(*term));
        if (tokens_.accept_keyword("MISSING")) {
            predicate.op =
                is_negated ? ConditionOp::attribute_exists : ConditionOp::attribute_not_exists;
            return Part(std::move(predicate));
        }
        predicate.op = ConditionOp::attribute_type;
        Term type;
        type.value = TRY(parse_type());
        predicate.terms.push_back(std::move(type));
        return Part(is_negated ? negate(std::move(predicate)) : std::move(predicate));
    }

    Outcome<Value> parse_type() {
        if (tokens_.accept_keyword("NULL")) return Value("NULL");
        const Token token = tokens_.take();
        if (token.kind != TokenKind::identifier) return malformed("Expected type name");
        for (const auto& [word, type] : type_names) {
            if (!ascii_equal_ignoring_case(token.text, word)) continue;
            if (!type.empty()) return Value(type);
            return invalid("Unsupported data type for IS operator: " + std::string(word) +
                           ". Supported data types are [MISSING, NULL, BOOLEAN, BLOB, STRING, "
                           "NUMERIC, STRUCT, TUPLE, LIST]");
        }
        return malformed("Expected type name");
    }

    // IN takes a list, a set or a row of values in parentheses.
    Outcome<Predicate> parse_in(Part left) {
        const auto refusal = [] {
            return invalid(
                "IN operator must have a left hand argument of type Variable Reference and right "
                "hand argument of type Seq with at least one member");
        };
        auto* term = std::get_if<Term>(&left);
        if (!term || term->kind == Term::Kind::value) return refusal();
        std::string_view close;
        if (tokens_.accept_symbol("[")) close = "]";
        if (tokens_.accept_symbol("(")) close = ")";
        if (tokens_.accept_symbol("<<")) close = ">>";
        if (close.empty()) return refusal();
        if (tokens_.peek().is_symbol(close)) return refusal();
        Predicate predicate{ConditionOp::in, {}, {}};
        predicate.terms.push_back(std::move(*term));
        do {
            predicate.terms.push_back(TRY(parse_term()));
        } while (tokens_.accept_symbol(","));
        TRY(tokens_.expect_symbol(close, close == "]"   ? "RIGHT_BRACKET"
                                         : close == ")" ? "RIGHT_PAREN"
                                                        : "RIGHT_DOUBLE_ANGLE_BRACKET"));
        return predicate;
    }

    Outcome<Predicate> parse_between(Part left) {
        auto* term = std::get_if<Term>(&left);
        if (!term) return invalid("The arguments to BETWEEN must be values");
        Predicate predicate{ConditionOp::between, {}, {}};
        predicate.terms.push_back(std::move(*term));
        predicate.terms.push_back(TRY(parse_term()));
        if (!tokens_.accept_keyword("AND")) return malformed("Expected AND after BETWEEN");
        predicate.terms.push_back(TRY(parse_term()));
        return predicate;
    }

    Outcome<Term> parse_term() {
        auto part = TRY(parse_primary());
        if (auto* term = std::get_if<Term>(&part)) return std::move(*term);
        return invalid("Unsupported token in expression: a condition where a value is expected");
    }

    Outcome<Part> parse_primary() {
        if (tokens_.peek().is_symbol("(")) return parse_group();
        if (begins_value(tokens_)) {
            Term term;
            term.value = TRY(parse_value(tokens_));
            return Part(std::move(term));
        }
        const bool is_call = tokens_.peek(1).is_symbol("(");
        if (is_call &&
            (tokens_.peek().kind == TokenKind::identifier || tokens_.peek().is_keyword("EXISTS"))) {
            return parse_function();
        }
        if (!tokens_.peek().is_name()) return tokens_.unexpected();
        Term term;
        term.kind = Term::Kind::path;
        term.path = TRY(parse_path(tokens_));
        return Part(std::move(term));
    }

    Outcome<Part> parse_group() {
        tokens_.take();
        TRY(enter());
        auto part = TRY(parse_or());
        --level_;
        TRY(tokens_.expect_symbol(")", "RIGHT_PAREN"));
        return part;
    }

    Outcome<Part> parse_function() {
        const Token name = tokens_.take();
        tokens_.take();
        TRY(enter());
        std::vector<Term> operands;
        if (!tokens_.accept_symbol(")")) {
            do {
                operands.push_back(TRY(parse_term()));
            } while (tokens_.accept_symbol(","));
            TRY(tokens_.expect_symbol(")", "RIGHT_PAREN"));
        }
        --level_;
        const auto lower = ascii_lower(name.text);
        if (lower == "size") return size_of(std::move(operands));
        for (const Function& function : functions) {
            if (function.name != lower) continue;
            if (operands.size() != function.operands) return wrong_count(lower, operands.size());
            if (!function.takes(operands.front().kind)) return needs_path(lower);
            return Part(Predicate{function.op, std::move(operands), {}});
        }
        return refuse_at("Unrecognized function: " + lower, name.at);
    }

    static Outcome<Part> size_of(std::vector<Term> operands) {
        if (operands.size() != 1) return wrong_count("size", operands.size());
        if (operands.front().kind != Term::Kind::path) return needs_path("size");
        operands.front().kind = Term::Kind::size_of;
        return Part(std::move(operands.front()));
    }

    Outcome<> expect_right_side() const {
        if (tokens_.at_end() || tokens_.peek().is_symbol(";")) {
            return malformed("Missing right-hand side expression of infix operator");
        }
        return Ok{};
    }

    // A refusal ends the parse, so a level entered need not be left on that way.
    Outcome<> enter() {
        if (++level_ <= condition_levels_max) return Ok{};
        return invalid("The condition nests deeper than " + std::to_string(condition_levels_max) +
                       " levels");
    }

    TokenStream& tokens_;
    std::size_t level_ = 0;
};

}  // namespace

Outcome<Predicate> parse_condition(TokenStream& tokens) { return ConditionParser(tokens).run(); }

}  // namespace mailroom::table::partiql
