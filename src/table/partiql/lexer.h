// PartiQL text as tokens.
#pragma once

#include "table/failure.h"
#include "table/partiql/syntax.h"

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table::partiql {

enum class TokenKind {
    identifier,  // `Status`
    quoted,      // `"Status"`, without the quotes
    keyword,     // In upper case.
    string,      // `'it''s'`, as the text it stands for
    number,      // As written, without a sign.
    parameter,   // `?`
    symbol,      // Punctuation and operators; `!=` is given as `<>`.
    end,
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text;
    Position at;

    bool is_symbol(std::string_view symbol) const {
        return kind == TokenKind::symbol && text == symbol;
    }
    bool is_keyword(std::string_view keyword) const {
        return kind == TokenKind::keyword && text == keyword;
    }
    bool is_name() const { return kind == TokenKind::identifier || kind == TokenKind::quoted; }
};

// All tokens, the last one of kind `end`. White space, `-- comments` and `/* comments */` are left
// out. A validation failure for text that has no tokens: an open quote or comment, other bytes than
// UTF-8, an exponent beyond 32 bits.
//
// Keywords are only those that the grammar needs. The rest of SQL's reserved words are taken as
// names: a statement that DynamoDB accepts is never refused for one.
Outcome<std::vector<Token>> tokenize(std::string_view text);

}  // namespace mailroom::table::partiql
