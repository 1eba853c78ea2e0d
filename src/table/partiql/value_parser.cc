#include "table/partiql/value_parser.h"

#include "table/expression/expression.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>

namespace mailroom::table::partiql {

namespace {

Outcome<Step> named_step(std::string name) {
    if (name.empty()) return invalid("Path component cannot be an empty string");
    return Step{false, 0, std::move(name)};
}

Outcome<Step> dot_step(TokenStream& tokens) {
    if (tokens.peek().is_symbol("*")) {
        return invalid("Unpivot path component like a.*.b are not supported");
    }
    if (!tokens.peek().is_name()) return malformed("Invalid path dot component");
    return named_step(tokens.take().text);
}

Outcome<Step> index_step(TokenStream& tokens) {
    const bool is_negative = tokens.accept_symbol("-");
    const Token token = tokens.take();
    std::uint32_t index = 0;
    const auto* end = token.text.data() + token.text.size();
    const auto read = std::from_chars(token.text.data(), end, index);
    if (token.kind != TokenKind::number || read.ptr == token.text.data()) {
        return malformed("Invalid path component");
    }
    if (read.ec != std::errc{} || read.ptr != end || (is_negative && index != 0)) {
        return refuse_at("List index is not within the allowable range; index: [" +
                             std::string(is_negative ? "-" : "") + token.text + "]",
                         token.at);
    }
    return Step{true, index, ""};
}

Outcome<Step> bracket_step(TokenStream& tokens) {
    if (tokens.peek().is_symbol("*")) {
        return invalid("Wildcard path component like a[*].b are not supported");
    }
    auto step = tokens.peek().kind == TokenKind::string ? named_step(tokens.take().text)
                                                        : index_step(tokens);
    if (!step) return step;
    TRY(tokens.expect_symbol("]", "RIGHT_BRACKET"));
    return step;
}

// Reads one value. `root` is the path of the value within the outermost one, as refusals show it.
class ValueReader {
public:
    explicit ValueReader(TokenStream& tokens) : tokens_(tokens) {}

    Outcome<Value> read(const std::string& root, std::size_t level) {
        if (level > value_levels_max)
            return invalid("Nesting Levels have exceeded supported limits");
        const Token& token = tokens_.peek();
        if (token.kind == TokenKind::number || token.is_symbol("-") || token.is_symbol("+")) {
            return Value(TRY(read_number(root)));
        }
        if (token.kind == TokenKind::string) return Value(tokens_.take().text);
        if (token.kind == TokenKind::parameter) {
            tokens_.take();
            return tokens_.next_parameter();
        }
        if (tokens_.accept_keyword("TRUE")) return Value(true);
        if (tokens_.accept_keyword("FALSE")) return Value(false);
        if (tokens_.accept_keyword("NULL")) return Value::null();
        if (token.is_keyword("MISSING")) {
            return invalid("MISSING must be compared using IS operator");
        }
        if (tokens_.accept_symbol("[")) return read_list(root, level);
        if (tokens_.accept_symbol("<<")) return read_set(root, level);
        if (tokens_.accept_symbol("{")) {
            return Value::map(TRY(read_map(root, level)));
        }
        if (token.is_name()) {
            return refuse_at("Unsupported data type: " + token.text + " under key " + root,
                             token.at);
        }
        return tokens_.unexpected();
    }

    // After `{`. Members of an item (level 0) are roots of their own.
    Outcome<Item> read_map(const std::string& root, std::size_t level) {
        std::vector<std::pair<std::string, Value>> members;
        std::set<std::string> names;
        if (!tokens_.accept_symbol("}")) {
            do {
                auto name = TRY(read_key(root));
                if (!names.insert(name).second) {
                    return invalid("Duplicate keys in tuple. Key: " + name + " under " + root);
                }
                const auto path = level == 0 ? root : root + "." + name;
                auto value = TRY(read(path, level + 1));
                members.emplace_back(std::move(name), std::move(value));
            } while (tokens_.accept_symbol(","));
            TRY(tokens_.expect_symbol("}", "RIGHT_CURLY"));
        }
        std::vector<Field> fields;
        for (const auto& [name, value] : members) fields.push_back({name, value.view()});
        return Item::from_fields(std::move(fields));
    }

private:
    Outcome<std::string> read_key(const std::string& root) {
        const Token key = tokens_.take();
        if (key.kind == TokenKind::number) {
            return invalid("Tuple keys must be of type String. Actual type: NUMERIC under " + root);
        }
        if (key.kind != TokenKind::string) return malformed("Invalid tuple key");
        TRY(tokens_.expect_symbol(":", "COLON"));
        return key.text;
    }

    Outcome<Number> read_number(const std::string& root) {
        std::string text;
        if (tokens_.accept_symbol("-")) {
            text = "-";
        } else {
            tokens_.accept_symbol("+");
        }
        if (tokens_.peek().kind != TokenKind::number) return tokens_.unexpected();
        text += tokens_.take().text;
        auto number = Number::parse(text);
        if (!number) return invalid(number.error().message + " under " + root);
        return *std::move(number);
    }

    Outcome<Value> read_list(const std::string& root, std::size_t level) {
        std::vector<Value> elements;
        if (tokens_.accept_symbol("]")) return Value::list(elements);
        do {
            const auto path = root + "[" + std::to_string(elements.size()) + "]";
            elements.push_back(TRY(read(path, level + 1)));
        } while (tokens_.accept_symbol(","));
        TRY(tokens_.expect_symbol("]", "RIGHT_BRACKET"));
        return Value::list(elements);
    }

    Outcome<Value> read_set(const std::string& root, std::size_t level) {
        if (tokens_.accept_symbol(">>")) return invalid("Empty bags are not supported");
        std::vector<Value> elements;
        std::string written;
        do {
            // As in the statement, which for a number may not be how it is stored.
            const Token& token = tokens_.peek();
            const bool is_signed = token.is_symbol("-");
            if (!written.empty()) written += ", ";
            written += is_signed ? "-" + tokens_.peek(1).text : token.text;
            elements.push_back(TRY(read(root, level + 1)));
        } while (tokens_.accept_symbol(","));
        TRY(tokens_.expect_symbol(">>", "RIGHT_DOUBLE_ANGLE_BRACKET"));
        return make_set(elements, written, root);
    }

    static Outcome<Value> make_set(const std::vector<Value>& elements, const std::string& written,
                                   const std::string& root) {
        const Kind kind = elements.front().view().kind();
        std::vector<std::string_view> payloads;
        for (const Value& element : elements) {
            const auto view = element.view();
            const bool fits = view.kind() == kind && (kind == Kind::string ||
                                                      kind == Kind::number || kind == Kind::binary);
            if (!fits) {
                return invalid(
                    "Unsupported data type in Bag. DynamoDB only supports either numbers or "
                    "strings in bags");
            }
            payloads.push_back(view.payload());
        }
        const std::set<std::string_view> distinct(payloads.begin(), payloads.end());
        if (distinct.size() != payloads.size()) {
            return invalid("One or more parameter values were invalid: Input collection [" +
                           written + "] contains duplicates" +
                           (kind == Kind::number ? "! under " + root : "."));
        }
        const Kind set = kind == Kind::string   ? Kind::string_set
                         : kind == Kind::number ? Kind::number_set
                                                : Kind::binary_set;
        return Value::set_of(set, std::move(payloads));
    }

    TokenStream& tokens_;
};

constexpr const char* value_root = "root";

}  // namespace

Outcome<DocumentPath> parse_path(TokenStream& tokens) {
    DocumentPath path;
    path.at = tokens.peek().at;
    path.steps.push_back(TRY(named_step(tokens.take().text)));
    for (;;) {
        if (tokens.accept_symbol(".")) {
            path.steps.push_back(TRY(dot_step(tokens)));
        } else if (tokens.accept_symbol("[")) {
            path.steps.push_back(TRY(bracket_step(tokens)));
        } else {
            return path;
        }
        if (path.steps.size() > path_levels_max) {
            return invalid("The document path has too many nesting elements; nesting levels: " +
                           std::to_string(path.steps.size()));
        }
    }
}

std::string answer_name(const DocumentPath& path) {
    std::string indexes;
    for (auto step = path.steps.rbegin(); step != path.steps.rend(); ++step) {
        if (!step->is_index) return step->name + indexes;
        indexes = "[" + std::to_string(step->index) + "]" + indexes;
    }
    return indexes;
}

bool begins_value(const TokenStream& tokens) {
    const Token& token = tokens.peek();
    switch (token.kind) {
        case TokenKind::number:
        case TokenKind::string:
        case TokenKind::parameter:
            return true;
        case TokenKind::keyword:
            return token.text == "TRUE" || token.text == "FALSE" || token.text == "NULL" ||
                   token.text == "MISSING";
        case TokenKind::symbol:
            return token.text == "[" || token.text == "{" || token.text == "<<" ||
                   token.text == "-" || token.text == "+";
        default:
            return false;
    }
}

Outcome<Value> parse_value(TokenStream& tokens) { return ValueReader(tokens).read(value_root, 1); }

Outcome<Item> parse_item(TokenStream& tokens) {
    return ValueReader(tokens).read_map(value_root, 0);
}

}  // namespace mailroom::table::partiql
