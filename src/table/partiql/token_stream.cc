#include "table/partiql/token_stream.h"

#include "base/text.h"

#include <algorithm>
#include <array>

namespace mailroom::table::partiql {

namespace {

constexpr std::array<std::string_view, 18> operators = {
    "AND", "OR", "IN", "IS", "LIKE", "BETWEEN", "=", "<>", "<",
    "<=",  ">",  ">=", "+",  "*",    "/",       "%", "||", "NOT",
};

}  // namespace

bool TokenStream::accept_word(std::string_view word) {
    const Token& token = peek();
    if (token.kind != TokenKind::identifier || !ascii_equal_ignoring_case(token.text, word)) {
        return false;
    }
    ++next_;
    return true;
}

Outcome<> TokenStream::expect_symbol(std::string_view symbol, std::string_view name) {
    if (accept_symbol(symbol)) return Ok{};
    return malformed("Expected " + std::string(name));
}

Value TokenStream::next_parameter() {
    const auto index = parameters_used_++;
    return index < parameters_.size() ? parameters_[index] : Value::null();
}

Outcome<> TokenStream::check_parameters() const {
    if (parameters_used_ <= parameters_.size()) return Ok{};
    return invalid("Number of parameters in request and statement don't match.");
}

Failure TokenStream::unexpected() const {
    const Token& token = peek();
    if (token.kind == TokenKind::keyword || token.kind == TokenKind::symbol) {
        if (std::ranges::find(operators, token.text) != operators.end()) {
            return malformed("Unexpected operator");
        }
    }
    if (token.kind == TokenKind::keyword) return malformed("Unexpected keyword");
    return malformed("Unexpected term");
}

}  // namespace mailroom::table::partiql
