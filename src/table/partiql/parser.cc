#include "table/partiql/parser.h"

#include "table/partiql/clause_parser.h"
#include "table/partiql/condition_parser.h"
#include "table/partiql/value_parser.h"

#include <algorithm>
#include <optional>

namespace mailroom::table::partiql {

namespace {

Outcome<std::optional<Predicate>> parse_where(TokenStream& tokens) {
    if (!tokens.accept_keyword("WHERE")) return std::optional<Predicate>();
    return std::optional<Predicate>(TRY(parse_condition(tokens)));
}

// Refuses the clauses that PartiQL has behind FROM and DynamoDB has not.
Outcome<> refuse_other_clauses(const TokenStream& tokens) {
    const Token& token = tokens.peek();
    for (const std::string_view join :
         {"JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "OUTER"}) {
        if (!token.is_keyword(join)) continue;
        return invalid("Only select from a single table or index is supported.");
    }
    if (token.is_symbol(",")) {
        return invalid("Only select from a single table or index is supported.");
    }
    for (const std::string_view clause :
         {"LIMIT", "OFFSET", "GROUP", "HAVING", "UNION", "INTERSECT", "EXCEPT"}) {
        if (!token.is_keyword(clause)) continue;
        const bool has_argument = clause == "LIMIT" || clause == "OFFSET";
        return refuse_at("Unsupported clause: " + std::string(clause),
                         tokens.peek(has_argument ? 1 : 0).at);
    }
    return Ok{};
}

Outcome<Select> parse_select(TokenStream& tokens) {
    Select select;
    select.columns = TRY(parse_columns(tokens));
    if (!tokens.accept_keyword("FROM")) return malformed("Expected FROM");
    if (!tokens.peek().is_name()) {
        if (tokens.peek().is_symbol("("))
            return refuse_at("Unexpected from source", tokens.peek().at);
        return tokens.unexpected();
    }
    select.from = TRY(parse_source(tokens));
    TRY(refuse_alias(tokens));
    TRY(refuse_other_clauses(tokens));
    select.where = TRY(parse_where(tokens));
    if (tokens.accept_keyword("ORDER")) select.order = TRY(parse_order(tokens));
    TRY(refuse_other_clauses(tokens));
    return select;
}

Failure insert_of_many() {
    return invalid(
        "Unsupported operation: Inserting multiple items in a single statement is not supported, "
        "use \"INSERT INTO tableName VALUE item\" instead");
}

Outcome<Insert> parse_insert(TokenStream& tokens) {
    if (!tokens.accept_keyword("INTO")) return malformed("Expected INTO");
    if (!tokens.peek().is_name()) return malformed("Expected identifier for simple path");
    auto source = TRY(parse_source(tokens));
    if (source.index) {
        return invalid(
            "FROM clause may only contain a single table name in data manipulation statements");
    }
    if (tokens.peek().is_keyword("VALUES") || tokens.peek().is_symbol("<<")) {
        return insert_of_many();
    }
    if (!tokens.accept_keyword("VALUE")) return malformed("Unexpected token after expression");
    if (tokens.peek().is_symbol("<<") || tokens.peek().is_symbol("[")) return insert_of_many();
    if (!tokens.accept_symbol("{")) {
        if (!begins_value(tokens)) return tokens.unexpected();
        return invalid(
            "Unsupported format in item expression. Please use struct format {...} to express item "
            "values for insert statement.");
    }
    Insert insert{std::move(source.table), TRY(parse_item(tokens))};
    if (tokens.peek().is_keyword("RETURNING"))
        return invalid("RETURNING is not supported in INSERT");
    return insert;
}

Outcome<Update> parse_update(TokenStream& tokens) {
    Update update;
    update.table = TRY(parse_written_table(tokens));
    update.changes = TRY(parse_changes(tokens));
    update.where = TRY(parse_where(tokens));
    update.returns = TRY(parse_returning(tokens));
    return update;
}

// `FROM table WHERE … SET …`
Outcome<Update> parse_update_from(TokenStream& tokens) {
    Update update;
    update.table = TRY(parse_written_table(tokens));
    update.where = TRY(parse_where(tokens));
    update.changes = TRY(parse_changes(tokens));
    update.returns = TRY(parse_returning(tokens));
    return update;
}

Outcome<Delete> parse_delete(TokenStream& tokens) {
    if (!tokens.accept_keyword("FROM")) return malformed("Expected FROM");
    Delete erase;
    erase.table = TRY(parse_written_table(tokens));
    erase.where = TRY(parse_where(tokens));
    erase.returns = TRY(parse_returning(tokens));
    if (erase.returns != ReturnValues::none && erase.returns != ReturnValues::all_old) {
        return invalid("Invalid returning clause: RETURNING " +
                       std::string(returning_words(erase.returns)) +
                       " *. Only RETURNING ALL OLD * is allowed in DELETE statements.");
    }
    return erase;
}

Outcome<Exists> parse_exists(TokenStream& tokens) {
    TRY(tokens.expect_symbol("(", "LEFT_PAREN"));
    if (!tokens.accept_keyword("SELECT")) return malformed("Expected SELECT");
    Exists exists{TRY(parse_select(tokens))};
    TRY(tokens.expect_symbol(")", "RIGHT_PAREN"));
    return exists;
}

Outcome<Syntax> parse_statement(TokenStream& tokens) {
    if (tokens.accept_keyword("SELECT")) return Syntax(TRY(parse_select(tokens)));
    if (tokens.accept_keyword("INSERT")) return Syntax(TRY(parse_insert(tokens)));
    if (tokens.accept_keyword("UPDATE")) return Syntax(TRY(parse_update(tokens)));
    if (tokens.accept_keyword("DELETE")) return Syntax(TRY(parse_delete(tokens)));
    if (tokens.accept_keyword("FROM")) return Syntax(TRY(parse_update_from(tokens)));
    if (tokens.accept_keyword("EXISTS")) return Syntax(TRY(parse_exists(tokens)));
    return malformed("Expected data manipulation");
}

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

Outcome<Syntax> parse(std::string_view text, const std::vector<Value>& parameters) {
    if (text.empty()) {
        return out_of_bounds(text, "statement", "length greater than or equal to 1");
    }
    if (characters(text) > statement_characters_max) {
        return out_of_bounds(
            text, "statement",
            "length less than or equal to " + std::to_string(statement_characters_max));
    }
    TokenStream tokens(TRY(tokenize(text)), parameters);
    auto syntax = TRY(parse_statement(tokens));
    tokens.accept_symbol(";");
    if (!tokens.at_end()) return malformed("Unexpected token after expression");
    TRY(tokens.check_parameters());
    return syntax;
}

}  // namespace mailroom::table::partiql
