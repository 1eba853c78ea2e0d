// What the parsers of all expressions share: tokens, document paths and the wording of refusals.
//
// Refusals come in DynamoDB's order: syntax first, wherever it is; then, in a well-formed text, the
// first of the other problems as written (reserved words, unknown functions, …).
#pragma once

#include "table/expression/expression.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

struct ExpressionToken {
    enum class Kind { word, name, value, number, symbol, unknown, end };
    Kind kind;
    std::size_t start;
    std::string_view text;
};

//   word   := letter (letter | digit | "_")*          name := "#" word-character+   value := ":" …
//   number := "0" | digit+ without a leading zero     symbol := = <> < <= > >= ( ) [ ] , . + -
// Any other character is a token of its own. The last token is the end.
std::vector<ExpressionToken> tokenize(std::string_view text);

class ExpressionParser {
protected:
    using Token = ExpressionToken;

    // `keywords` are the words, in upper case, that are no attribute names here. `text` must
    // outlive the parser.
    ExpressionParser(std::string_view text, ExpressionUse use,
                     std::span<const std::string_view> keywords);

    // Refuses what is empty or too long before anything else is looked at.
    Outcome<> check_size() const;

    const Token& peek(std::size_t ahead = 0) const;
    std::size_t position() const { return position_; }
    bool at_symbol(std::string_view symbol) const;
    bool at_keyword(std::string_view keyword) const;
    bool at_path() const;  // A name or a word that is no keyword.
    bool at_call() const;  // Such a word with a parenthesis behind it.
    bool take_symbol(std::string_view symbol);
    bool take_keyword(std::string_view keyword);
    std::string take_text();
    Outcome<> expect_symbol(std::string_view symbol);

    Outcome<Path> path();
    // Further steps of a path that has begun.
    Outcome<> path_steps(Path& path);
    // Counts one operator or function.
    Outcome<> count_operator();

    Failure syntax_error() const { return syntax_error(position_); }
    Failure syntax_error(std::size_t token) const;
    Failure problem(std::string_view message) const { return refuse(use_, message); }
    // Keeps the problem if it is the first one in the text.
    void note(std::size_t token, std::string message);
    // The refusal of what is not at its end, or has a problem that was noted.
    Outcome<> finish() const;

private:
    Outcome<> index_step(Path& path);
    Outcome<> name_step(Path& path);
    bool is_keyword(const Token& token) const;

    std::string_view text_;
    ExpressionUse use_;
    std::span<const std::string_view> keywords_;
    std::vector<Token> tokens_;
    std::size_t position_ = 0;
    std::size_t operators_ = 0;
    struct Noted {
        std::size_t token;
        std::string message;
    };
    std::optional<Noted> noted_;
};

}  // namespace mailroom::table
