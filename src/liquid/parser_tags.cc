#include "liquid/parser.h"

#include "liquid/unicode.h"

#include <algorithm>

namespace mailroom::liquid {

void Parser::parse_assign(const Token& token) {
    auto scanner = scan(token.arguments);
    const auto name = scanner.read_name();
    scanner.skip_blanks();
    if (name.empty() || scanner.peek() != '=') return scanner.fail("assign needs name = value");
    scanner.advance();
    const auto node = open(Op::assign, token);
    program_.nodes[node].a = scanner.read_chain();
    program_.nodes[node].b = add_name(name);
}

void Parser::parse_capture(const Token& token) {
    auto scanner = scan(token.arguments);
    auto name = scanner.read_name();
    if (name.empty()) {
        const auto quoted = scanner.read_quoted();
        if (!quoted) return scanner.fail("capture needs a name");
        name = program_.strings.emplace_back(*quoted);
    }
    const auto node = open(Op::capture, token);
    program_.nodes[node].b = add_name(name);
    parse_until({"endcapture"}, token);
    close(node);
}

void Parser::parse_if(const Token& token) {
    const auto group = open(Op::choose, token);
    auto current = token;
    bool otherwise = false;
    while (true) {
        const auto branch = open(Op::branch, current);
        if (!otherwise) program_.nodes[branch].a = scan(current.arguments).read_chain();
        const auto* end = parse_until({"elsif", "else", "endif"}, token);
        close(branch);
        if (!end) return;
        current = *end;
        if (current.name != "elsif") require_no_arguments(current);
        if (current.name == "endif") break;
        if (otherwise) return fail(std::string(current.name) + " after else", current);
        otherwise = current.name == "else";
    }
    close(group);
}

// What follows a second else, or an elsif after the else, is parsed and dropped, as in LiquidJS.
void Parser::parse_unless(const Token& token) {
    const auto group = open(Op::choose, token);
    auto current = token;
    bool otherwise = false, drops = false;
    while (true) {
        const auto branch = open(Op::branch, current);
        if (!otherwise) program_.nodes[branch].a = scan(current.arguments).read_chain();
        program_.nodes[branch].b = current.name == "unless" ? 1 : 0;
        const auto* end = parse_until({"elsif", "else", "endunless"}, token);
        close(branch);
        if (!end) return;
        if (drops) drop_from(branch);
        current = *end;
        if (current.name == "endunless") break;
        drops = drops || otherwise;
        otherwise = otherwise || current.name == "else";
    }
    close(group);
}

void Parser::parse_when(const Token& token) {
    auto scanner = scan(token.arguments);
    std::vector<Argument> values;
    while (!scanner.at_end()) {
        const auto value = scanner.read_value();
        if (value == no_index) return scanner.fail("when needs a value");
        values.push_back({{}, value});
        scanner.skip_blanks();
        scanner.skip_past(scanner.peek() == ',' ? "," : "or");
    }
    const auto node = open(Op::when, token);
    program_.nodes[node].a = size_of(program_.arguments);
    program_.arguments.insert(program_.arguments.end(), values.begin(), values.end());
    program_.nodes[node].b = size_of(program_.arguments);
}

// A `when` after the else adds to the else, and what follows a second else is dropped, as in
// LiquidJS.
void Parser::parse_case(const Token& token) {
    const auto group = open(Op::match, token);
    program_.nodes[group].a = scan(token.arguments).read_chain();
    auto branch = size_of(program_.nodes);
    bool drops = true, otherwise = false;  // What precedes the first `when` belongs to nothing.
    while (const auto* found = parse_until({"when", "else", "endcase"}, token)) {
        const auto end = *found;
        if (drops) {
            drop_from(branch);
        } else {
            close(branch);
        }
        if (end.name == "endcase") break;
        if (otherwise) {
            drops = drops || end.name == "else";
            if (drops) branch = size_of(program_.nodes);
            continue;
        }
        drops = false;
        otherwise = end.name == "else";
        branch = size_of(program_.nodes);
        if (otherwise) {
            open(Op::branch, end);
        } else {
            parse_when(end);
        }
    }
    close(group);
}

void Parser::parse_comment(const Token& token) {
    while (const auto* inside = next()) {
        if (inside->type == Token::Type::tag && inside->name == "endcomment") return;
    }
    fail("tag comment is not closed", token);
}

void Parser::parse_inline_comment(const Token& token) {
    auto rest = token.arguments;
    for (auto line = rest.find('\n'); line != rest.npos; line = rest.find('\n')) {
        rest.remove_prefix(line + 1);
        rest.remove_prefix(leading_blanks(rest));
        if (!rest.empty() && rest.front() != '#') {
            return fail("every line of an inline comment begins with #", token);
        }
    }
}

void Parser::parse_raw(const Token& token) {
    while (const auto* inside = next()) {
        if (inside->type == Token::Type::tag && inside->name == "endraw") return;
        const auto node = open(Op::text, *inside);
        program_.nodes[node].a = size_of(program_.texts);
        program_.texts.push_back(inside->source);
    }
    fail("raw is not closed", token);
}

void Parser::parse_liquid(const Token& token) {
    auto tokens = tokenize_lines(token.arguments, diagnostics_);
    if (!diagnostics_.failed()) parse_tokens(std::move(tokens));
}

void Parser::parse_echo(const Token& token) {
    if (token.arguments.empty()) return;
    const auto node = open(Op::output, token);
    program_.nodes[node].a = scan(token.arguments).read_chain();
}

void Parser::parse_cycle(const Token& token) {
    auto scanner = scan(token.arguments);
    Cycle cycle;
    const auto group = scanner.read_value();
    scanner.skip_blanks();
    if (group != no_index && scanner.peek() == ':') {
        cycle.group = group;
        scanner.advance();
    } else {
        scanner.set_position(0);
    }
    cycle.candidates.begin = size_of(program_.chains);
    // The blanks before a value are a part of what tells one cycle from another.
    for (std::string_view rest; rest = scanner.rest(), !trim_start(rest).empty();) {
        const auto chain = scanner.read_chain();
        if (chain == no_index) return;
        const auto value = program_.chains[chain].text;
        if (!cycle.key.empty()) cycle.key += ',';
        cycle.key.append(rest.data(), value.data() + value.size());
        scanner.skip_past(",");
        if (diagnostics_.failed()) return;
    }
    cycle.candidates.end = size_of(program_.chains);
    if (cycle.candidates.begin == cycle.candidates.end) return fail("cycle needs values", token);
    const auto node = open(Op::cycle, token);
    program_.nodes[node].a = size_of(program_.cycles);
    program_.cycles.push_back(std::move(cycle));
}

void Parser::parse_increment(const Token& token) {
    const auto node = open(Op::increment, token);
    program_.nodes[node].b = add_name(scan(token.arguments).read_name());
}

void Parser::parse_decrement(const Token& token) {
    const auto node = open(Op::decrement, token);
    program_.nodes[node].b = add_name(scan(token.arguments).read_name());
}

void Parser::parse_break(const Token& token) { open(Op::stop_loop, token); }
void Parser::parse_continue(const Token& token) { open(Op::next_turn, token); }

}  // namespace mailroom::liquid
