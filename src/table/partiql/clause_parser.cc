#include "table/partiql/clause_parser.h"

#include "base/text.h"
#include "table/partiql/value_parser.h"

#include <algorithm>

namespace mailroom::table::partiql {

namespace {

Outcome<Select::Column> parse_column(TokenStream& tokens) {
    const Token& token = tokens.peek();
    if (token.kind == TokenKind::identifier && tokens.peek(1).is_symbol("(")) {
        return refuse_at("Unexpected path component", token.at);
    }
    if (!token.is_name()) {
        if (begins_value(tokens)) return refuse_at("Unexpected path component", token.at);
        return tokens.unexpected();
    }
    auto path = TRY(parse_path(tokens));
    TRY(refuse_alias(tokens));
    auto name = answer_name(path);
    return Select::Column{std::move(path), std::move(name)};
}

bool is_same(const DocumentPath& a, const DocumentPath& b) { return a.steps == b.steps; }

// The right-hand side of one assignment.
class AssignedParser {
public:
    explicit AssignedParser(TokenStream& tokens) : tokens_(tokens) {}

    // DynamoDB adds or subtracts once.
    Outcome<Assigned> run() {
        auto left = TRY(operand());
        for (const std::string_view symbol : {"+", "-"}) {
            if (!tokens_.accept_symbol(symbol)) continue;
            Assigned both;
            both.kind = symbol == "+" ? Assigned::Kind::sum : Assigned::Kind::difference;
            both.arguments.push_back(std::move(left));
            both.arguments.push_back(TRY(operand()));
            left = std::move(both);
            break;
        }
        for (const std::string_view symbol : {"+", "-", "*", "/", "%", "||"}) {
            if (!tokens_.peek().is_symbol(symbol)) continue;
            return invalid("Unsupported operator in Update Expression. Operator: " +
                           std::string(symbol));
        }
        if (tokens_.peek().is_keyword("IS")) {
            return invalid("IS operator is not supported in update expressions");
        }
        return left;
    }

private:
    Outcome<Assigned> operand() {
        Assigned assigned;
        if (tokens_.accept_symbol("(")) {
            assigned = TRY(operand_in_parentheses());
        } else if (begins_value(tokens_)) {
            assigned.value = TRY(parse_value(tokens_));
        } else if (tokens_.peek().kind == TokenKind::identifier && tokens_.peek(1).is_symbol("(")) {
            return list_append();
        } else if (tokens_.peek().is_name()) {
            assigned.kind = Assigned::Kind::path;
            assigned.path = TRY(parse_path(tokens_));
        } else {
            return tokens_.unexpected();
        }
        return assigned;
    }

    Outcome<Assigned> operand_in_parentheses() {
        TRY(enter());
        auto assigned = TRY(run());
        --level_;
        TRY(tokens_.expect_symbol(")", "RIGHT_PAREN"));
        return assigned;
    }

    Outcome<Assigned> list_append() {
        const Token name = tokens_.take();
        tokens_.take();
        if (!ascii_equal_ignoring_case(name.text, "list_append")) {
            return refuse_at("Unrecognized function: " + ascii_lower(name.text), name.at);
        }
        TRY(enter());
        Assigned assigned;
        assigned.kind = Assigned::Kind::list_append;
        do {
            assigned.arguments.push_back(TRY(operand()));
        } while (tokens_.accept_symbol(","));
        --level_;
        TRY(tokens_.expect_symbol(")", "RIGHT_PAREN"));
        if (assigned.arguments.size() == 2) return assigned;
        return invalid(
            "Incorrect number of operands for operator or function; operator or function: "
            "list_append, number of operands: " +
            std::to_string(assigned.arguments.size()));
    }

    Outcome<> enter() {
        if (++level_ <= value_levels_max) return Ok{};
        return invalid("Nesting Levels have exceeded supported limits");
    }

    TokenStream& tokens_;
    std::size_t level_ = 0;
};

bool begins_set_function(const TokenStream& tokens) {
    const Token& token = tokens.peek();
    return token.kind == TokenKind::identifier && tokens.peek(1).is_symbol("(") &&
           (ascii_equal_ignoring_case(token.text, "set_add") ||
            ascii_equal_ignoring_case(token.text, "set_delete"));
}

// `path = set_add(path, <<…>>)`, from the function on.
Outcome<Change> parse_set_function(TokenStream& tokens, DocumentPath target) {
    const Token name = tokens.take();
    tokens.take();
    const bool adds = ascii_equal_ignoring_case(name.text, "set_add");
    const std::string function = adds ? "SET_ADD" : "SET_DELETE";
    std::vector<Assigned> arguments;
    std::vector<Position> positions;
    do {
        positions.push_back(tokens.peek().at);
        arguments.push_back(TRY(AssignedParser(tokens).run()));
    } while (tokens.accept_symbol(","));
    TRY(tokens.expect_symbol(")", "RIGHT_PAREN"));
    if (arguments.size() != 2) {
        return refuse_at(function + " must have exactly two arguments", name.at);
    }
    const Assigned& first = arguments.front();
    if (first.kind != Assigned::Kind::path || !is_same(first.path, target)) {
        return refuse_at("The first argument to " + function + " must equal the assignment value",
                         name.at);
    }
    Assigned& second = arguments.back();
    if (second.kind != Assigned::Kind::value || !is_set(second.value.view().kind())) {
        return refuse_at("The second argument to " + function + " must be a value with type SET",
                         positions.front());
    }
    return Change{adds ? Change::Kind::set_add : Change::Kind::set_delete, std::move(target),
                  std::move(second)};
}

Outcome<DocumentPath> parse_target(TokenStream& tokens) {
    if (!tokens.peek().is_name()) return malformed("Expected identifier for simple path");
    return parse_path(tokens);
}

Outcome<Change> parse_set(TokenStream& tokens) {
    Change change;
    change.target = TRY(parse_target(tokens));
    TRY(tokens.expect_symbol("=", "EQ"));
    if (begins_set_function(tokens)) return parse_set_function(tokens, std::move(change.target));
    change.assigned = TRY(AssignedParser(tokens).run());
    return change;
}

}  // namespace

Outcome<Source> parse_source(TokenStream& tokens) {
    std::vector<std::string> components{tokens.take().text};
    while (tokens.accept_symbol(".")) {
        if (!tokens.peek().is_name()) return malformed("Invalid path dot component");
        components.push_back(tokens.take().text);
    }
    if (tokens.peek().is_symbol("[")) return invalid("Invalid list expression in source.");
    for (const auto& component : components) {
        if (component.empty()) return invalid("Path component cannot be an empty string");
    }
    if (components.size() > 2) {
        return invalid("A path may contain at most 2 components in the FROM clause");
    }
    Source source{std::move(components[0]), std::nullopt};
    if (components.size() == 2) source.index = std::move(components[1]);
    return source;
}

Outcome<std::string> parse_written_table(TokenStream& tokens) {
    if (!tokens.peek().is_name()) return malformed("Expected identifier for simple path");
    auto source = TRY(parse_source(tokens));
    TRY(refuse_alias(tokens));
    if (source.index) return invalid("This operation is not supported on an index");
    return std::move(source.table);
}

Outcome<> refuse_alias(TokenStream& tokens) {
    if (tokens.peek().is_name() || tokens.peek().is_keyword("AS")) {
        return invalid("Aliasing is not supported");
    }
    return Ok{};
}

Outcome<std::vector<Select::Column>> parse_columns(TokenStream& tokens) {
    std::vector<Select::Column> columns;
    if (tokens.peek().is_keyword("VALUE") || tokens.peek().is_keyword("PIVOT")) {
        return invalid("Select projection doesn't support value or pivot keywords");
    }
    if (tokens.peek().is_keyword("DISTINCT")) {
        return refuse_at("Unsupported clause: DISTINCT", tokens.peek().at);
    }
    bool has_star = false;
    std::size_t count = 0;
    do {
        ++count;
        if (tokens.accept_symbol("*")) {
            has_star = true;
            continue;
        }
        auto column = TRY(parse_column(tokens));
        if (std::ranges::find(columns, column.name, &Select::Column::name) != columns.end()) {
            return invalid("Duplicate identifiers in select clause: " + column.name);
        }
        columns.push_back(std::move(column));
    } while (tokens.accept_symbol(","));
    if (has_star && count > 1) {
        return invalid(
            "Other attributes should not be present in the projection when '*' is used.");
    }
    return columns;
}

Outcome<std::vector<OrderKey>> parse_order(TokenStream& tokens) {
    if (!tokens.accept_keyword("BY")) return malformed("Expected BY after ORDER");
    std::vector<OrderKey> order;
    do {
        if (!tokens.peek().is_name()) return tokens.unexpected();
        const auto path = TRY(parse_path(tokens));
        if (path.steps.size() > 1) {
            return invalid("Argument to ORDER BY must be of type VariableReference. Type: Path");
        }
        OrderKey key{path.head(), false};
        if (tokens.accept_word("DESC")) {
            key.descending = true;
        } else {
            tokens.accept_word("ASC");
        }
        order.push_back(std::move(key));
    } while (tokens.accept_symbol(","));
    return order;
}

Outcome<std::vector<Change>> parse_changes(TokenStream& tokens) {
    std::vector<Change> changes;
    for (;;) {
        if (tokens.accept_keyword("SET")) {
            do {
                changes.push_back(TRY(parse_set(tokens)));
            } while (tokens.accept_symbol(","));
        } else if (tokens.accept_keyword("REMOVE")) {
            do {
                changes.push_back({Change::Kind::remove, TRY(parse_target(tokens)), {}});
            } while (tokens.accept_symbol(","));
        } else {
            break;
        }
    }
    if (changes.empty()) return malformed("Expected data manipulation");
    return changes;
}

Outcome<ReturnValues> parse_returning(TokenStream& tokens) {
    if (!tokens.accept_keyword("RETURNING")) return ReturnValues::none;
    const auto refusal = [] {
        return invalid("Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause");
    };
    const bool is_all = tokens.accept_word("ALL");
    if (!is_all && !tokens.accept_word("MODIFIED")) {
        return malformed("Expected ALL or MODIFIED in RETURNING clause");
    }
    const bool is_old = tokens.accept_word("OLD");
    if (!is_old && !tokens.accept_word("NEW")) {
        return malformed("Expected NEW or OLD in RETURNING clause");
    }
    if (!tokens.accept_symbol("*")) return refusal();
    if (tokens.peek().is_symbol(",")) {
        return invalid("Invalid syntax with multiple returning elements in RETURNING clause");
    }
    if (is_all) return is_old ? ReturnValues::all_old : ReturnValues::all_new;
    return is_old ? ReturnValues::updated_old : ReturnValues::updated_new;
}

std::string_view returning_words(ReturnValues returns) {
    switch (returns) {
        case ReturnValues::none:
            return "";
        case ReturnValues::all_old:
            return "ALL OLD";
        case ReturnValues::all_new:
            return "ALL NEW";
        case ReturnValues::updated_old:
            return "MODIFIED OLD";
        case ReturnValues::updated_new:
            return "MODIFIED NEW";
    }
    return "";
}

}  // namespace mailroom::table::partiql
