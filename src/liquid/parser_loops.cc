#include "liquid/parser.h"

#include <algorithm>

namespace mailroom::liquid {

namespace {

bool is_word(const Program& program, Index operand, std::string_view word) {
    return operand != no_index && program.operands[operand].type == Operand::Type::path &&
           program.operands[operand].text == word;
}

// The first run of letters, digits and underscores, wherever it stands: `body`, `"body"`, `- body`.
std::string_view block_name(std::string_view arguments) {
    const auto is_part = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
    };
    const auto begin = std::ranges::find_if(arguments, is_part);
    return {begin, std::find_if_not(begin, arguments.end(), is_part)};
}

}  // namespace

Index Parser::read_loop(const Token& token) {
    auto scanner = scan(token.arguments);
    Loop loop;
    loop.variable = Name(scanner.read_name());
    const auto in = scanner.read_name();
    loop.collection = scanner.read_value();
    if (diagnostics_.failed()) return no_index;
    if (loop.variable.text.empty() || in != "in" || loop.collection == no_index) {
        fail(std::string(token.name) + " needs: name in collection", token);
        return no_index;
    }
    std::string key(loop.variable.text);
    key += '-';
    key += program_.operands[loop.collection].text;
    loop.key = program_.strings.emplace_back(std::move(key));
    while (const auto option = scanner.read_option()) {
        if (option->name == "limit") loop.limit = option->value;
        if (option->name == "cols") loop.columns = option->value;
        if (option->name == "reversed") loop.reversed = true;
        if (option->name == "offset") {
            loop.offset_continues = is_word(program_, option->value, "continue");
            loop.offset = loop.offset_continues ? no_index : option->value;
        }
    }
    program_.loops.push_back(loop);
    return size_of(program_.loops) - 1;
}

void Parser::parse_for(const Token& token) {
    const auto loop = read_loop(token);
    if (loop == no_index) return;
    const auto node = open(Op::loop, token);
    program_.nodes[node].a = loop;
    const auto body = open(Op::block, token);
    const auto* end = parse_until({"else", "endfor"}, token);
    close(body);
    const auto otherwise = size_of(program_.nodes);
    if (end && end->name == "else") open(Op::block, *end);
    while (end && end->name == "else") {
        require_no_arguments(*end);
        end = parse_until({"else", "endfor"}, token);
        close(otherwise);
    }
    if (end) require_no_arguments(*end);
    close(node);
}

void Parser::parse_tablerow(const Token& token) {
    const auto loop = read_loop(token);
    if (loop == no_index) return;
    const auto node = open(Op::table_row, token);
    program_.nodes[node].a = loop;
    parse_until({"endtablerow"}, token);
    close(node);
}

bool Parser::read_partial_name(Scanner& scanner, PartialUse& use, Index node) {
    const auto operand = scanner.read_value();
    if (diagnostics_.failed()) return false;
    if (operand == no_index) {
        scanner.fail("the name of a partial is missing");
        return false;
    }
    const auto& [type, at, text] = program_.operands[operand];
    const bool is_text = type == Operand::Type::literal && program_.literals[at].is(Kind::text);
    if (!is_text) {
        use.name_operand = operand;
        return true;
    }
    use.name = program_.literals[at].text();
    if (use.name.find("{{") == use.name.npos && use.name.find("{%") == use.name.npos) return true;
    parse_text(use.name);
    close(node);
    return !diagnostics_.failed();
}

void Parser::read_partial_arguments(Scanner& scanner, PartialUse& use) {
    use.arguments.begin = size_of(program_.arguments);
    while (const auto option = scanner.read_option()) {
        program_.arguments.push_back({option->name, option->value});
    }
    use.arguments.end = size_of(program_.arguments);
}

// with VALUE [as NAME] and for VALUE [as NAME]; `with: x` is an argument like any other.
void Parser::read_partial_bindings(Scanner& scanner, PartialUse& use) {
    while (!scanner.at_end()) {
        const auto begin = scanner.position();
        const auto keyword = scanner.read_name();
        scanner.skip_blanks();
        const bool binds = (keyword == "with" || keyword == "for") && scanner.peek() != ':';
        const auto value = binds ? scanner.read_value() : no_index;
        if (value == no_index) return scanner.set_position(begin);
        (keyword == "with" ? use.with : use.each) = value;
        const auto before_as = scanner.position();
        if (scanner.read_name() == "as") {
            (keyword == "with" ? use.with_alias : use.each_alias) = Name(scanner.read_name());
        } else {
            scanner.set_position(before_as);
        }
        scanner.skip_blanks();
        if (scanner.peek() == ',') scanner.advance();
    }
}

void Parser::parse_render(const Token& token) {
    auto scanner = scan(token.arguments);
    PartialUse use;
    const auto node = open(Op::render, token);
    if (!read_partial_name(scanner, use, node)) return;
    read_partial_bindings(scanner, use);
    read_partial_arguments(scanner, use);
    program_.nodes[node].a = size_of(program_.partials);
    program_.partials.push_back(use);
}

// All that follows is what the layout is filled with. `none` writes the blocks where they stand.
void Parser::parse_layout(const Token& token) {
    auto scanner = scan(token.arguments);
    const auto node = open(Op::layout, token);
    const auto name = open(Op::block, token);
    scanner.skip_blanks();
    PartialUse use;
    if (scanner.rest() != "none") {
        if (!read_partial_name(scanner, use, name)) return;
        read_partial_arguments(scanner, use);
        program_.nodes[node].a = size_of(program_.partials);
        program_.partials.push_back(use);
    }
    const auto rest = open(Op::block, token);
    while (const auto* inside = next()) parse_token(*inside);
    close(rest);
    close(node);
}

void Parser::parse_block(const Token& token) {
    const auto node = open(Op::slot, token);
    program_.nodes[node].b = add_name(block_name(token.arguments));
    parse_until({"endblock"}, token);
    close(node);
}

void Parser::parse_include(const Token& token) {
    auto scanner = scan(token.arguments);
    PartialUse use;
    const auto node = open(Op::include, token);
    if (!read_partial_name(scanner, use, node)) return;
    const auto begin = scanner.position();
    const bool is_with = scanner.read_name() == "with";
    scanner.skip_blanks();
    if (is_with && scanner.peek() != ':') {
        use.with = scanner.read_value();
    } else {
        scanner.set_position(begin);
    }
    read_partial_arguments(scanner, use);
    program_.nodes[node].a = size_of(program_.partials);
    program_.partials.push_back(use);
}

}  // namespace mailroom::liquid
