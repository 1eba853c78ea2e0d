#include "table/partiql/lexer.h"

#include "base/text.h"
#include "table/partiql/refusals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace mailroom::table::partiql {

namespace {

// Sorted.
constexpr std::array<std::string_view, 44> keywords = {
    "AND",    "AS",   "BETWEEN", "BY",    "CROSS",  "DELETE", "DISTINCT", "EXCEPT",    "EXISTS",
    "FALSE",  "FROM", "FULL",    "GROUP", "HAVING", "IN",     "INNER",    "INSERT",    "INTERSECT",
    "INTO",   "IS",   "JOIN",    "LEFT",  "LIKE",   "LIMIT",  "MISSING",  "NOT",       "NULL",
    "OFFSET", "ON",   "OR",      "ORDER", "OUTER",  "PIVOT",  "REMOVE",   "RETURNING", "RIGHT",
    "SELECT", "SET",  "TRUE",    "UNION", "UPDATE", "VALUE",  "VALUES",   "WHERE",
};

// Longest first, where one begins another.
constexpr std::array<std::string_view, 25> symbols = {
    "<<", ">>", "<=", ">=", "<>", "!=", "||", "(", ")", "[", "]", "{", "}",
    ",",  ".",  ":",  ";",  "*",  "+",  "-",  "/", "%", "=", "<", ">",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::string ascii_upper(std::string_view text) {
    std::string upper(text);
    for (char& c : upper) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return upper;
}

class Lexer {
public:
    explicit Lexer(std::string_view text) : rest_(text) {}

    Outcome<std::vector<Token>> run() {
        std::vector<Token> tokens;
        for (;;) {
            TRY(skip_blanks());
            begin_ = rest_;
            at_ = here_;
            if (rest_.empty()) {
                tokens.push_back({TokenKind::end, "", at_});
                return tokens;
            }
            tokens.push_back(TRY(next()));
        }
    }

private:
    char peek(std::size_t offset = 0) const { return offset < rest_.size() ? rest_[offset] : '\0'; }

    void advance(std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) {
            if (rest_[i] == '\n') {
                ++here_.line;
                here_.column = 1;
            } else if (!continues_character(rest_[i])) {
                ++here_.column;
            }
        }
        rest_.remove_prefix(bytes);
    }

    Outcome<> skip_blanks() {
        for (;;) {
            if (!rest_.empty() && is_space(rest_.front())) {
                advance(1);
            } else if (rest_.starts_with("--")) {
                advance(std::min(rest_.find('\n'), rest_.size()));
            } else if (rest_.starts_with("/*")) {
                const auto close = rest_.find("*/", 2);
                if (close == rest_.npos) return malformed("");
                advance(close + 2);
            } else {
                return Ok{};
            }
        }
    }

    Token finish(TokenKind kind, std::string text) const {
        Token token{kind, std::move(text), at_};
        const auto source = begin_.substr(0, begin_.size() - rest_.size());
        token.at.length = static_cast<std::uint32_t>(
            std::ranges::count_if(source, [](char c) { return !continues_character(c); }));
        return token;
    }

    Outcome<Token> next() {
        const char c = rest_.front();
        if (c == '\'' || c == '"') return quoted(c);
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (is_name_start(c)) return word();
        if (c == '?') {
            advance(1);
            return finish(TokenKind::parameter, "?");
        }
        for (const auto symbol : symbols) {
            if (!rest_.starts_with(symbol)) continue;
            advance(symbol.size());
            return finish(TokenKind::symbol, symbol == "!=" ? "<>" : std::string(symbol));
        }
        return malformed("");
    }

    Token word() {
        std::size_t size = 1;
        while (is_name_part(peek(size))) ++size;
        std::string text(rest_.substr(0, size));
        advance(size);
        auto upper = ascii_upper(text);
        if (std::ranges::binary_search(keywords, upper)) {
            return finish(TokenKind::keyword, std::move(upper));
        }
        return finish(TokenKind::identifier, std::move(text));
    }

    // A quote inside is written twice.
    Outcome<Token> quoted(char quote) {
        std::string text;
        advance(1);
        for (;;) {
            const auto close = rest_.find(quote);
            if (close == rest_.npos) return malformed("");
            text += rest_.substr(0, close);
            advance(close + 1);
            if (peek() != quote) break;
            text += quote;
            advance(1);
        }
        return finish(quote == '"' ? TokenKind::quoted : TokenKind::string, std::move(text));
    }

    std::size_t digits(std::size_t from) const {
        std::size_t size = 0;
        while (is_digit(peek(from + size))) ++size;
        return size;
    }

    Outcome<Token> number() {
        std::size_t size = digits(0), fraction = 0;
        if (peek(size) == '.') {
            fraction = digits(size + 1);
            if (fraction > 0) size += 1 + fraction;
        }
        if (peek(size) == 'e' || peek(size) == 'E') {
            const bool is_signed = peek(size + 1) == '+' || peek(size + 1) == '-';
            const auto first = size + (is_signed ? 2 : 1);
            if (const auto count = digits(first); count > 0) {
                TRY(check_exponent(rest_.substr(first, count), peek(size + 1) == '-', fraction));
                size = first + count;
            }
        }
        std::string text(rest_.substr(0, size));
        if (text.front() == '.') text.insert(0, 1, '0');
        advance(size);
        return finish(TokenKind::number, std::move(text));
    }

    // DynamoDB reads the literal as a decimal with a 32-bit exponent and scale.
    static Outcome<> check_exponent(std::string_view text, bool is_negative,
                                    std::size_t fraction_digits) {
        std::int64_t exponent = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
        constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
        if (read.ec != std::errc{} || exponent > largest) return malformed("");
        const auto scale =
            static_cast<std::int64_t>(fraction_digits) + (is_negative ? exponent : -exponent);
        if (scale > largest) return malformed("");
        return Ok{};
    }

    std::string_view rest_;
    std::string_view begin_;  // `rest_` where the token began.
    Position here_, at_;
};

}  // namespace

Outcome<std::vector<Token>> tokenize(std::string_view text) {
    if (!is_utf8(text)) return malformed("");
    return Lexer(text).run();
}

}  // namespace mailroom::table::partiql
