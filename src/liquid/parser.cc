#include "liquid/parser.h"

#include <algorithm>
#include <utility>

namespace mailroom::liquid {

namespace {

constexpr std::size_t depth_max = 64;  // Blocks in blocks; bounds the stack of parser and renderer.

}  // namespace

struct Parser::Tag {
    std::string_view name;
    void (Parser::*parse)(const Token&);
};

void Parser::run() { parse_text(program_.source); }

void Parser::parse_text(std::string_view text) {
    auto tokens = tokenize(text, diagnostics_);
    if (!diagnostics_.failed()) parse_tokens(std::move(tokens));
}

// Tags that hold templates of their own (liquid, and the names of partials) parse them here, in
// place of the tokens at hand.
void Parser::parse_tokens(std::vector<Token> tokens) {
    if (depth_ >= depth_max) return diagnostics_.report("blocks are nested too deeply", {});
    ++depth_;
    tokens.swap(tokens_);
    const auto outer_position = std::exchange(position_, 0);
    while (const auto* token = next()) parse_token(*token);
    position_ = outer_position;
    tokens.swap(tokens_);
    --depth_;
}

const Token* Parser::next() {
    if (diagnostics_.failed() || position_ >= tokens_.size()) return nullptr;
    return &tokens_[position_++];
}

const Token* Parser::parse_until(std::initializer_list<std::string_view> ends,
                                 const Token& opening) {
    if (depth_ >= depth_max) {
        fail("blocks are nested too deeply", opening);
        return nullptr;
    }
    ++depth_;
    const Token* end = nullptr;
    while (const auto* token = next()) {
        const bool is_tag = token->type == Token::Type::tag;
        if (is_tag && std::ranges::find(ends, token->name) != ends.end()) {
            end = token;
            break;
        }
        parse_token(*token);
    }
    --depth_;
    if (!end) fail("tag " + std::string(opening.name) + " is not closed", opening);
    return end;
}

void Parser::fail(std::string message, const Token& token) {
    diagnostics_.report(std::move(message), token.source);
}

void Parser::require_no_arguments(const Token& token) {
    if (!token.arguments.empty()) fail("unexpected text after " + std::string(token.name), token);
}

Index Parser::open(Op op, const Token& token) {
    const auto at = size_of(program_.nodes);
    Node node;
    node.op = op;
    node.end = at + 1;
    node.offset = static_cast<Index>(diagnostics_.offset_of(token.source));
    node.length = static_cast<Index>(token.source.size());
    program_.nodes.push_back(node);
    return at;
}

Index Parser::add_name(std::string_view name) {
    program_.names.emplace_back(name);
    return size_of(program_.names) - 1;
}

void Parser::parse_token(const Token& token) {
    diagnostics_.set_place(token.source);
    switch (token.type) {
        case Token::Type::text: {
            if (token.content.empty()) return;
            const auto node = open(Op::text, token);
            program_.nodes[node].a = size_of(program_.texts);
            program_.texts.push_back(token.content);
            return;
        }
        case Token::Type::output: {
            const auto node = open(Op::output, token);
            program_.nodes[node].a = scan(token.content).read_chain();
            return;
        }
        case Token::Type::tag:
            parse_tag(token);
    }
}

void Parser::parse_tag(const Token& token) {
    static constexpr Tag tags[] = {
        {"#", &Parser::parse_inline_comment},
        {"assign", &Parser::parse_assign},
        {"block", &Parser::parse_block},
        {"break", &Parser::parse_break},
        {"capture", &Parser::parse_capture},
        {"case", &Parser::parse_case},
        {"comment", &Parser::parse_comment},
        {"continue", &Parser::parse_continue},
        {"cycle", &Parser::parse_cycle},
        {"decrement", &Parser::parse_decrement},
        {"echo", &Parser::parse_echo},
        {"for", &Parser::parse_for},
        {"if", &Parser::parse_if},
        {"include", &Parser::parse_include},
        {"increment", &Parser::parse_increment},
        {"layout", &Parser::parse_layout},
        {"liquid", &Parser::parse_liquid},
        {"raw", &Parser::parse_raw},
        {"render", &Parser::parse_render},
        {"tablerow", &Parser::parse_tablerow},
        {"unless", &Parser::parse_unless},
    };
    const auto* tag = std::ranges::find(tags, token.name, &Tag::name);
    if (tag == std::end(tags)) return fail("unknown tag " + std::string(token.name), token);
    (this->*tag->parse)(token);
}

}  // namespace mailroom::liquid
