#include "table/expression/expression_parser.h"

#include "table/expression/reserved_words.h"

#include <algorithm>
#include <charconv>

namespace mailroom::table {

namespace {

using TokenKind = ExpressionToken::Kind;

// The largest list index (DynamoDB's limit), and its length.
constexpr std::uint64_t list_index_max = 2'147'483'647;
constexpr std::size_t list_index_digits_max = 10;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool continues_utf8(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

std::size_t run_length(std::string_view text, std::size_t from, bool (*belongs)(char)) {
    std::size_t length = from;
    while (length < text.size() && belongs(text[length])) ++length;
    return length;
}

bool equal_ignoring_case(std::string_view word, std::string_view upper) {
    return std::equal(word.begin(), word.end(), upper.begin(), upper.end(), [](char a, char b) {
        return (a >= 'a' && a <= 'z' ? static_cast<char>(a - 'a' + 'A') : a) == b;
    });
}

// The kind and length of the token that `text` begins with.
std::pair<TokenKind, std::size_t> scan(std::string_view text) {
    const char first = text.front();
    if (is_letter(first)) return {TokenKind::word, run_length(text, 1, is_word)};
    if (first == '0') return {TokenKind::number, 1};
    if (is_digit(first)) return {TokenKind::number, run_length(text, 1, is_digit)};
    if (first == '#' || first == ':') {
        const auto length = run_length(text, 1, is_word);
        if (length == 1) return {TokenKind::unknown, 1};
        return {first == '#' ? TokenKind::name : TokenKind::value, length};
    }
    const auto two = text.substr(0, 2);
    if (two == "<>" || two == "<=" || two == ">=") return {TokenKind::symbol, 2};
    if (std::string_view("=<>()[],.+-").find(first) != std::string_view::npos) {
        return {TokenKind::symbol, 1};
    }
    return {TokenKind::unknown, run_length(text, 1, continues_utf8)};
}

}  // namespace

std::vector<ExpressionToken> tokenize(std::string_view text) {
    std::vector<ExpressionToken> tokens;
    for (std::size_t at = 0; at < text.size();) {
        if (is_space(text[at])) {
            ++at;
            continue;
        }
        const auto [kind, length] = scan(text.substr(at));
        tokens.push_back({kind, at, text.substr(at, length)});
        at += length;
    }
    tokens.push_back({TokenKind::end, text.size(), "<EOF>"});
    return tokens;
}

ExpressionParser::ExpressionParser(std::string_view text, ExpressionUse use,
                                   std::span<const std::string_view> keywords)
    : text_(text), use_(use), keywords_(keywords) {
    if (text.size() <= expression_bytes_max) tokens_ = tokenize(text);
}

Outcome<> ExpressionParser::check_size() const {
    if (text_.size() > expression_bytes_max) {
        return problem("Expression size has exceeded the maximum allowed size; expression size: " +
                       std::to_string(text_.size()));
    }
    if (tokens_.size() == 1) return problem("The expression can not be empty;");
    return Ok{};
}

const ExpressionToken& ExpressionParser::peek(std::size_t ahead) const {
    return tokens_[std::min(position_ + ahead, tokens_.size() - 1)];
}

bool ExpressionParser::at_symbol(std::string_view symbol) const {
    return peek().kind == TokenKind::symbol && peek().text == symbol;
}

bool ExpressionParser::at_keyword(std::string_view keyword) const {
    return peek().kind == TokenKind::word && equal_ignoring_case(peek().text, keyword);
}

bool ExpressionParser::is_keyword(const Token& token) const {
    return token.kind == TokenKind::word &&
           std::any_of(keywords_.begin(), keywords_.end(), [&](std::string_view keyword) {
               return equal_ignoring_case(token.text, keyword);
           });
}

bool ExpressionParser::at_path() const {
    return peek().kind == TokenKind::name ||
           (peek().kind == TokenKind::word && !is_keyword(peek()));
}

bool ExpressionParser::at_call() const {
    return peek().kind == TokenKind::word && !is_keyword(peek()) &&
           peek(1).kind == TokenKind::symbol && peek(1).text == "(";
}

bool ExpressionParser::take_symbol(std::string_view symbol) {
    if (!at_symbol(symbol)) return false;
    ++position_;
    return true;
}

bool ExpressionParser::take_keyword(std::string_view keyword) {
    if (!at_keyword(keyword)) return false;
    ++position_;
    return true;
}

std::string ExpressionParser::take_text() { return std::string(tokens_[position_++].text); }

Outcome<> ExpressionParser::expect_symbol(std::string_view symbol) {
    if (!take_symbol(symbol)) return syntax_error();
    return Ok{};
}

Outcome<Path> ExpressionParser::path() {
    Path path;
    TRY(name_step(path));
    TRY(path_steps(path));
    return path;
}

Outcome<> ExpressionParser::path_steps(Path& path) {
    for (;;) {
        if (take_symbol(".")) {
            TRY(name_step(path));
        } else if (take_symbol("[")) {
            TRY(index_step(path));
        } else {
            break;
        }
    }
    if (path.steps.size() > path_levels_max) {
        note(position_, "The document path has too many nesting levels; nesting levels: " +
                            std::to_string(path.steps.size()));
    }
    return Ok{};
}

Outcome<> ExpressionParser::name_step(Path& path) {
    if (!at_path()) return syntax_error();
    if (peek().kind == TokenKind::name) {
        path.steps.push_back({PathStep::Kind::placeholder, take_text(), 0});
        return Ok{};
    }
    if (is_reserved_word(peek().text)) {
        note(position_,
             "Attribute name is a reserved keyword; reserved keyword: " + std::string(peek().text));
    }
    path.steps.push_back({PathStep::Kind::name, take_text(), 0});
    return Ok{};
}

Outcome<> ExpressionParser::index_step(Path& path) {
    if (peek().kind != TokenKind::number) return syntax_error();
    const auto digits = peek().text;
    std::uint64_t index = 0;
    const bool fits = digits.size() <= list_index_digits_max &&
                      std::from_chars(digits.begin(), digits.end(), index).ec == std::errc{} &&
                      index <= list_index_max;
    if (!fits) {
        note(position_,
             "List index is not within the allowable range; index: [" + std::string(digits) + "]");
    }
    ++position_;
    TRY(expect_symbol("]"));
    path.steps.push_back({PathStep::Kind::index, "", static_cast<std::uint32_t>(index)});
    return Ok{};
}

Outcome<> ExpressionParser::count_operator() {
    if (++operators_ <= expression_operators_max) return Ok{};
    return problem("The expression contains too many operators; operator count: " +
                   std::to_string(operators_));
}

Failure ExpressionParser::syntax_error(std::size_t token) const {
    const auto& at = tokens_[token];
    const auto from = token > 0 ? tokens_[token - 1].start : at.start;
    // From the token before to the one behind, as written.
    auto to = text_.size();
    if (token + 2 < tokens_.size()) {
        to = tokens_[token + 1].start + tokens_[token + 1].text.size();
    } else if (at.kind != TokenKind::end) {
        to = at.start + at.text.size();
    }
    return problem("Syntax error; token: \"" + std::string(at.text) + "\", near: \"" +
                   std::string(text_.substr(from, to - from)) + "\"");
}

void ExpressionParser::note(std::size_t token, std::string message) {
    if (!noted_ || token < noted_->token) noted_ = Noted{token, std::move(message)};
}

Outcome<> ExpressionParser::finish() const {
    if (peek().kind != TokenKind::end) return syntax_error();
    if (noted_) return problem(noted_->message);
    return Ok{};
}

}  // namespace mailroom::table
