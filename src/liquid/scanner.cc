#include "liquid/scanner.h"

#include "base/suggestion.h"
#include "liquid/filter.h"
#include "liquid/number_text.h"
#include "liquid/tokens.h"
#include "liquid/unicode.h"

#include <algorithm>
#include <cmath>

namespace mailroom::liquid {

namespace {

constexpr int depth_max = 32;  // Of brackets in brackets; nobody writes three.
constexpr double exact_integer_max = 9007199254740992.0;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_octal(char c) { return c >= '0' && c <= '7'; }

int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

struct OperatorWord {
    std::string_view text;
    Operator op;
};
// Longer ones first, where one begins another.
constexpr OperatorWord operator_words[] = {
    {"==", Operator::equal},
    {"!=", Operator::not_equal},
    {">=", Operator::greater_or_equal},
    {"<=", Operator::less_or_equal},
    {">", Operator::greater},
    {"<", Operator::less},
    {"contains", Operator::contains},
    {"not", Operator::negate},
    {"and", Operator::both},
    {"or", Operator::either},
};

int precedence(Operator op) {
    switch (op) {
        case Operator::both:
        case Operator::either:
            return 0;
        case Operator::negate:
            return 1;
        default:
            return 2;
    }
}

// The code unit of an escape such as \u00e9 or \101, from `at`; moves `at` past its digits.
char32_t read_code(std::string_view text, std::size_t& at, bool hexadecimal) {
    const std::size_t digits = hexadecimal ? 4 : 3;
    char32_t code = 0;
    for (std::size_t i = 0; i < digits && at < text.size(); ++i, ++at) {
        const bool fits = hexadecimal ? hex_value(text[at]) >= 0 : is_octal(text[at]);
        if (!fits) break;
        code = code * (hexadecimal ? 16 : 8) + static_cast<char32_t>(hex_value(text[at]));
    }
    return code;
}

void append_escape(std::string& out, std::string_view text, std::size_t& at) {
    constexpr std::string_view letters = "bfnrtv", meanings = "\b\f\n\r\t\v";
    const char c = text[at];
    if (const auto letter = letters.find(c); letter != letters.npos) {
        out += meanings[letter];
        ++at;
    } else if (c == 'u' || is_octal(c)) {
        if (c == 'u') ++at;
        auto code = read_code(text, at, c == 'u');
        const bool is_high = code >= 0xd800 && code < 0xdc00;
        if (is_high && text.substr(at, 2) == "\\u") {
            auto next = at + 2;
            const auto low = read_code(text, next, true);
            if (low >= 0xdc00 && low < 0xe000) {
                code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                at = next;
            }
        }
        append_character(out, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
    } else {
        out += c;
        ++at;
    }
}

std::string unescape(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (text[at] != '\\') {
            out += text[at++];
        } else if (++at < text.size()) {
            append_escape(out, text, at);
        }
    }
    return out;
}

}  // namespace

void Scanner::fail(std::string message) {
    // At the end there is nothing left to show, so all of it is shown.
    diagnostics_.report(std::move(message), !rest().empty()  ? rest()
                                            : !text_.empty() ? text_
                                                             : std::string_view());
    position_ = text_.size();
}

void Scanner::skip_blanks() { position_ += leading_blanks(rest()); }

void Scanner::skip_past(std::string_view mark) {
    const auto found = text_.find(mark, position_);
    position_ = found == text_.npos ? text_.size() : found + mark.size();
}

bool Scanner::boundary_at(std::size_t position) const {
    return position >= text_.size() || leading_name(text_.substr(position)) == 0;
}

std::string_view Scanner::read_name() {
    skip_blanks();
    const auto name = rest().substr(0, leading_name(rest()));
    position_ += name.size();
    return name;
}

std::optional<std::string> Scanner::read_quoted() {
    skip_blanks();
    const char quote = peek();
    if (quote != '"' && quote != '\'') return std::nullopt;
    const auto begin = position_ + 1;
    bool closed = false;
    for (++position_; position_ < text_.size() && !closed; ++position_) {
        if (text_[position_] == '\\') {
            ++position_;
        } else {
            closed = text_[position_] == quote;
        }
    }
    position_ = std::min(position_, text_.size());
    if (!closed) {
        fail("text is not closed");
        return std::string();
    }
    return unescape(text_.substr(begin, position_ - 1 - begin));
}

Index Scanner::add_operand(Operand::Type type, Index at, std::size_t begin) {
    program_.operands.push_back({type, at, text_.substr(begin, position_ - begin)});
    return size_of(program_.operands) - 1;
}

Index Scanner::add_literal(Value value, std::size_t begin) {
    program_.literals.push_back(value);
    return add_operand(Operand::Type::literal, size_of(program_.literals) - 1, begin);
}

Index Scanner::read_literal() {
    struct Word {
        std::string_view text;
        Value value;
    };
    static const Word words[] = {
        {"true", Value::boolean(true)},    {"false", Value::boolean(false)},
        {"nil", Value::of(Kind::nothing)}, {"null", Value::of(Kind::nothing)},
        {"empty", Value::of(Kind::empty)}, {"blank", Value::of(Kind::blank)},
    };
    skip_blanks();
    const auto begin = position_;
    for (const auto& [text, value] : words) {
        if (!rest().starts_with(text) || !boundary_at(position_ + text.size())) continue;
        position_ += text.size();
        return add_literal(value, begin);
    }
    auto quoted = read_quoted();
    if (!quoted) return no_index;
    program_.strings.push_back(*std::move(quoted));
    return add_literal(Value::text(program_.strings.back()), begin);
}

Index Scanner::read_number() {
    const auto begin = position_;
    std::size_t end = position_;
    if (peek() == '-' || peek() == '+') ++end;
    bool digits = false, point = false;
    for (; end < text_.size(); ++end) {
        if (is_digit(text_[end])) {
            digits = true;
        } else if (text_[end] == '.' && text_.substr(end + 1, 1) != ".") {
            if (point || !digits) return no_index;
            point = true;
        } else {
            break;
        }
    }
    if (!digits || !boundary_at(end)) return no_index;
    const double number = parse_number(text_.substr(begin, end - begin));
    position_ = end;
    const bool is_exact = number == std::trunc(number) && std::abs(number) < exact_integer_max;
    return add_literal(
        is_exact ? Value::integer(static_cast<std::int64_t>(number)) : Value::decimal(number),
        begin);
}

Index Scanner::read_range() {
    const auto begin = position_;
    ++position_;
    const auto low = read_value();
    skip_blanks();
    if (low == no_index || peek() != '.' || peek(1) != '.') {
        fail("a range is written (first..last)");
        return no_index;
    }
    position_ += 2;
    const auto high = read_value();
    skip_blanks();
    if (high == no_index || peek() != ')') {
        fail("a range is written (first..last)");
        return no_index;
    }
    ++position_;
    program_.ranges.push_back({low, high});
    return add_operand(Operand::Type::range, size_of(program_.ranges) - 1, begin);
}

bool Scanner::read_bracket(std::vector<Segment>& segments) {
    ++position_;
    const auto operand = read_value();
    if (text_.find(']', position_) == text_.npos) {
        fail("[ is not closed");
        return false;
    }
    skip_past("]");
    Segment segment;
    if (operand == no_index) {
        segment.key = Value::text("");
    } else if (program_.operands[operand].type == Operand::Type::literal) {
        segment.key = program_.literals[program_.operands[operand].at];
    } else {
        segment.operand = operand;
    }
    segments.push_back(segment);
    return true;
}

bool Scanner::read_segments(bool from_start, std::vector<Segment>& segments) {
    const auto add_name = [&](std::string_view name) {
        Segment segment;
        segment.key = Value::text(name);
        segments.push_back(segment);
    };
    while (true) {
        if (peek() == '[') {
            if (!read_bracket(segments)) return false;
            continue;
        }
        if (from_start && segments.empty()) {
            if (const auto name = read_name(); !name.empty()) {
                add_name(name);
                continue;
            }
        }
        if (peek() != '.' || peek(1) == '.') return true;
        ++position_;
        const auto name = read_name();
        if (name.empty()) return true;
        add_name(name);
    }
}

Index Scanner::with_segments(Index root, std::size_t begin) {
    std::vector<Segment> segments;
    if (!read_segments(root == no_index, segments)) return no_index;
    if (segments.empty()) return root;
    if (root == no_index && segments[0].key.is(Kind::text)) {
        segments[0].name = Name(segments[0].key.text());
    }
    const auto first = size_of(program_.segments);
    program_.segments.insert(program_.segments.end(), segments.begin(), segments.end());
    program_.paths.push_back({root, {first, size_of(program_.segments)}});
    return add_operand(Operand::Type::path, size_of(program_.paths) - 1, begin);
}

Index Scanner::read_value() {
    if (depth_ >= depth_max) {
        fail("brackets are nested too deeply");
        return no_index;
    }
    ++depth_;
    skip_blanks();
    const auto begin = position_;
    auto root = read_literal();
    if (root == no_index) root = read_number();
    if (root == no_index && peek() == '(') root = read_range();
    const auto value = diagnostics_.failed() ? no_index : with_segments(root, begin);
    --depth_;
    return value;
}

Index Scanner::read_path() {
    skip_blanks();
    return with_segments(no_index, position_);
}

std::optional<Operator> Scanner::read_operator() {
    skip_blanks();
    for (const auto& [text, op] : operator_words) {
        if (!rest().starts_with(text)) continue;
        const bool is_word = leading_name(text) > 0;
        if (is_word && !boundary_at(position_ + text.size())) continue;
        position_ += text.size();
        return op;
    }
    return std::nullopt;
}

// Operators of one precedence group to the right: `a and b or c` is `a and (b or c)`.
Range Scanner::read_expression() {
    std::vector<Step> steps;
    std::vector<Operator> waiting;
    while (!at_end()) {
        if (const auto op = read_operator()) {
            while (!waiting.empty() && precedence(waiting.back()) > precedence(*op)) {
                steps.push_back({waiting.back(), no_index});
                waiting.pop_back();
            }
            waiting.push_back(*op);
            continue;
        }
        const auto operand = read_value();
        if (operand == no_index) break;
        steps.push_back({Operator::operand, operand});
    }
    for (; !waiting.empty(); waiting.pop_back()) steps.push_back({waiting.back(), no_index});
    const auto first = size_of(program_.steps);
    program_.steps.insert(program_.steps.end(), steps.begin(), steps.end());
    return {first, size_of(program_.steps)};
}

Index Scanner::read_chain() {
    skip_blanks();
    const auto begin = position_;
    Chain chain;
    chain.steps = read_expression();
    if (chain.steps.begin == chain.steps.end) fail("a value is missing");
    chain.filters = read_filters();
    if (diagnostics_.failed()) return no_index;
    chain.text = text_.substr(begin, position_ - begin);
    for (auto at = chain.filters.begin; at < chain.filters.end; ++at) {
        const auto* filter = program_.filters[at].filter;
        chain.has_default |= filter && filter->name == "default";
        chain.ends_raw = filter && filter->name == "raw";
    }
    program_.chains.push_back(chain);
    return size_of(program_.chains) - 1;
}

Range Scanner::read_filters() {
    std::vector<FilterUse> filters;
    while (read_filter(filters)) {
    }
    const auto first = size_of(program_.filters);
    program_.filters.insert(program_.filters.end(), filters.begin(), filters.end());
    return {first, size_of(program_.filters)};
}

bool Scanner::read_filter(std::vector<FilterUse>& filters) {
    skip_blanks();
    if (at_end() || peek() == ')' || peek() == ',') return false;
    if (peek() != '|') {
        fail("expected | before a filter");
        return false;
    }
    ++position_;
    skip_blanks();
    const auto begin = position_;
    const auto name = read_name();
    if (name.empty()) {
        if (!at_end()) fail("expected the name of a filter");
        return false;
    }
    FilterUse use;
    use.filter = find_filter(name);
    if (!use.filter) {
        position_ = begin;
        const auto meant = suggestion(name, filter_names());
        fail("unknown filter " + std::string(name) +
             (meant ? " (did you mean " + *meant + "?)" : ""));
        return false;
    }
    skip_blanks();
    if (peek() == ':') {
        use.arguments = read_arguments();
    } else if (!at_end() && peek() != '|' && peek() != ')' && peek() != ',') {
        fail("expected : after the name of a filter");
    }
    filters.push_back(use);
    return !diagnostics_.failed();
}

Range Scanner::read_arguments() {
    const auto first = size_of(program_.arguments);
    do {
        ++position_;
        const auto key = read_value();
        skip_blanks();
        if (key != no_index && peek() == ':') {
            ++position_;
            const auto value = read_value();
            program_.arguments.push_back({program_.operands[key].text, value});
        } else if (key != no_index) {
            program_.arguments.push_back({{}, key});
        }
        skip_blanks();
        if (!at_end() && peek() != ',' && peek() != '|' && peek() != ')') {
            fail("unexpected text after the argument of a filter");
        }
        if (size_of(program_.arguments) - first > arguments_max) fail("too many arguments");
    } while (peek() == ',');
    return {first, size_of(program_.arguments)};
}

std::optional<Scanner::Option> Scanner::read_option() {
    skip_blanks();
    if (peek() == ',') ++position_;
    Option option;
    option.name = read_name();
    if (option.name.empty()) return std::nullopt;
    skip_blanks();
    if (peek() == ':') {
        ++position_;
        option.value = read_value();
    }
    return option;
}

}  // namespace mailroom::liquid
