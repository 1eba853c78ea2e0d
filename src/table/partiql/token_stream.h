// The tokens of one statement, taken one after the other, and the parameters they refer to.
#pragma once

#include "table/partiql/lexer.h"
#include "table/partiql/refusals.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table::partiql {

class TokenStream {
public:
    // `tokens` ends with one of kind `end`. `parameters` must outlive this object.
    TokenStream(std::vector<Token> tokens, const std::vector<Value>& parameters)
        : tokens_(std::move(tokens)), parameters_(parameters) {}

    const Token& peek(std::size_t offset = 0) const {
        return tokens_[std::min(next_ + offset, tokens_.size() - 1)];
    }
    Token take() {
        return next_ + 1 < tokens_.size() ? std::move(tokens_[next_++]) : tokens_.back();
    }
    bool accept_symbol(std::string_view symbol) {
        if (!peek().is_symbol(symbol)) return false;
        ++next_;
        return true;
    }
    bool accept_keyword(std::string_view keyword) {
        if (!peek().is_keyword(keyword)) return false;
        ++next_;
        return true;
    }
    // `word` is no keyword but means something at this place; in upper case.
    bool accept_word(std::string_view word);
    // `name` is what DynamoDB calls the symbol: "RIGHT_PAREN".
    Outcome<> expect_symbol(std::string_view symbol, std::string_view name);
    bool at_end() const { return peek().kind == TokenKind::end; }

    // The value of the `?` just taken; NULL when the request has too few (check_parameters
    // refuses).
    Value next_parameter();
    // Refuses fewer parameters than the statement has question marks. More are passed over, as
    // DynamoDB does: programs that give one too many live on it.
    Outcome<> check_parameters() const;

    // What DynamoDB says of the next token when an expression should have begun there.
    Failure unexpected() const;

private:
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    const std::vector<Value>& parameters_;
    std::size_t parameters_used_ = 0;
};

}  // namespace mailroom::table::partiql
