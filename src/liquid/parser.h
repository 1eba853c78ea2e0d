// Turns the tokens of a template into a program.
#pragma once

#include "liquid/diagnostics.h"
#include "liquid/program.h"
#include "liquid/scanner.h"
#include "liquid/template.h"
#include "liquid/tokens.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::liquid {

class Parser {
public:
    // `program.source` holds the text. Both must outlive this object.
    Parser(Program& program, Diagnostics& diagnostics)
        : program_(program), diagnostics_(diagnostics) {}

    // Parses everything; the diagnostics tell whether it succeeded.
    void run();

private:
    struct Tag;  // A tag that we know, and the member that parses it.

    void parse_text(std::string_view text);
    void parse_tokens(std::vector<Token> tokens);
    const Token* next();
    // Parses up to one of the tags that end the block, and returns it; null at the end of the text.
    const Token* parse_until(std::initializer_list<std::string_view> ends, const Token& opening);
    void parse_token(const Token& token);
    void parse_tag(const Token& token);

    void parse_assign(const Token& token);
    void parse_capture(const Token& token);
    void parse_case(const Token& token);
    void parse_when(const Token& token);
    void parse_comment(const Token& token);
    void parse_cycle(const Token& token);
    void parse_decrement(const Token& token);
    void parse_echo(const Token& token);
    void parse_for(const Token& token);
    void parse_if(const Token& token);
    void parse_include(const Token& token);
    void parse_increment(const Token& token);
    void parse_inline_comment(const Token& token);
    void parse_liquid(const Token& token);
    void parse_raw(const Token& token);
    void parse_render(const Token& token);
    void parse_tablerow(const Token& token);
    void parse_unless(const Token& token);
    void parse_block(const Token& token);
    void parse_layout(const Token& token);
    void parse_break(const Token& token);
    void parse_continue(const Token& token);

    Index read_loop(const Token& token);
    bool read_partial_name(Scanner& scanner, PartialUse& use, Index node);
    void read_partial_bindings(Scanner& scanner, PartialUse& use);
    void read_partial_arguments(Scanner& scanner, PartialUse& use);

    Scanner scan(std::string_view text) { return Scanner(text, program_, diagnostics_); }
    Index open(Op op, const Token& token);
    void close(Index node) { program_.nodes[node].end = size_of(program_.nodes); }
    void drop_from(Index node) { program_.nodes.resize(node); }
    Index add_name(std::string_view name);
    void require_no_arguments(const Token& token);
    void fail(std::string message, const Token& token);

    Program& program_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t position_ = 0;
    std::size_t depth_ = 0;
};

}  // namespace mailroom::liquid
