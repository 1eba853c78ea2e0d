#include "table/expression/expression_parser.h"
#include "table/expression/update_expression.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace mailroom::table {

namespace {

constexpr std::string_view update_keywords[] = {"SET", "REMOVE", "ADD", "DELETE"};
constexpr std::string_view condition_functions[] = {"attribute_exists", "attribute_not_exists",
                                                    "attribute_type",   "begins_with",
                                                    "contains",         "size"};
constexpr std::size_t function_operands = 2;

//   update  := section+
//   section := "SET" set ("," set)* | "REMOVE" path ("," path)*
//            | "ADD" path value ("," path value)* | "DELETE" path value ("," path value)*
//   set     := path "=" sum
//   sum     := operand (("+" | "-") operand)? | "(" sum ")"
//   operand := path | value | word "(" operand ("," operand)* ")" | "(" operand ")"
class UpdateParser : ExpressionParser {
public:
    explicit UpdateParser(std::string_view text)
        : ExpressionParser(text, ExpressionUse::update, update_keywords) {}

    Outcome<Update> parse() {
        TRY(check_size());
        do {
            TRY(section());
        } while (peek().kind != Token::Kind::end);
        TRY(finish());
        if (!malformed_.empty()) return problem(malformed_);
        return std::move(update_);
    }

private:
    Outcome<> section() {
        for (std::size_t i = 0; i < std::size(update_keywords); ++i) {
            const auto keyword = update_keywords[i];
            const auto at = position();
            if (!take_keyword(keyword)) continue;
            if (std::exchange(seen_[i], true)) {
                note(at, "The \"" + std::string(keyword) +
                             "\" section can only be used once in an update expression;");
            }
            do {
                TRY(count_operator());
                TRY(action(static_cast<UpdateAction::Kind>(i)));
            } while (take_symbol(","));
            return Ok{};
        }
        return syntax_error();
    }

    Outcome<> action(UpdateAction::Kind kind) {
        UpdateAction action{kind, TRY(path()), std::nullopt};
        if (kind == UpdateAction::Kind::set) {
            TRY(expect_symbol("="));
            action.value = TRY(sum(0));
        } else if (kind != UpdateAction::Kind::remove) {
            if (peek().kind != Token::Kind::value) return syntax_error();
            action.value = UpdateValue::slot(take_text());
        }
        update_.actions.push_back(std::move(action));
        return Ok{};
    }

    Outcome<UpdateValue> sum(std::size_t depth) {
        auto left = TRY(at_symbol("(") ? sum_in_parentheses(depth) : operand(depth));
        const bool plus = at_symbol("+");
        if (!plus && !at_symbol("-")) return left;

        const bool is_sum =
            left.kind == UpdateValue::Kind::sum || left.kind == UpdateValue::Kind::difference;
        if (is_sum) return syntax_error();
        TRY(count_operator());
        take_text();
        auto right = TRY(operand(depth));
        return plus ? UpdateValue::sum(std::move(left), std::move(right))
                    : UpdateValue::difference(std::move(left), std::move(right));
    }

    Outcome<UpdateValue> sum_in_parentheses(std::size_t depth) {
        TRY(check_depth(depth));
        TRY(expect_symbol("("));
        auto inner = TRY(sum(depth + 1));
        TRY(expect_symbol(")"));
        return inner;
    }

    Outcome<UpdateValue> operand(std::size_t depth) {
        TRY(check_depth(depth));
        if (take_symbol("(")) {
            auto inner = TRY(operand(depth + 1));
            TRY(expect_symbol(")"));
            return inner;
        }
        if (peek().kind == Token::Kind::value) return UpdateValue::slot(take_text());
        if (at_call()) return call(depth);
        return UpdateValue::at(TRY(path()));
    }

    Outcome<UpdateValue> call(std::size_t depth) {
        TRY(count_operator());
        const auto at = position();
        const auto name = take_text();
        UpdateValue value;
        if (name == "if_not_exists") {
            value.kind = UpdateValue::Kind::if_not_exists;
        } else if (name == "list_append") {
            value.kind = UpdateValue::Kind::list_append;
        } else if (std::ranges::find(condition_functions, name) != std::end(condition_functions)) {
            note(at, "The function is not allowed in an update expression; function: " + name);
        } else {
            note(at, "Invalid function name; function: " + name);
        }
        TRY(expect_symbol("("));
        do {
            value.arguments.push_back(TRY(operand(depth + 1)));
        } while (take_symbol(","));
        TRY(expect_symbol(")"));
        check_operands(name, value);
        return value;
    }

    // Known functions with the wrong operands are refused after all that was noted.
    void check_operands(const std::string& name, const UpdateValue& value) {
        if (!malformed_.empty()) return;
        if (value.arguments.size() != function_operands) {
            malformed_ =
                "Incorrect number of operands for operator or function; operator or function: " +
                name + ", number of operands: " + std::to_string(value.arguments.size());
        } else if (value.kind == UpdateValue::Kind::if_not_exists &&
                   value.arguments.front().kind != UpdateValue::Kind::path) {
            malformed_ =
                "Operator or function requires a document path; operator or function: " + name;
        } else if (value.kind == UpdateValue::Kind::list_append && holds_list_append(value)) {
            malformed_ =
                "The function is not allowed to be used this way in an expression; function: " +
                name;
        }
    }

    // At any depth: what is between the two makes no difference.
    static bool holds_list_append(const UpdateValue& value) {
        return std::ranges::any_of(value.arguments, [](const UpdateValue& argument) {
            return argument.kind == UpdateValue::Kind::list_append || holds_list_append(argument);
        });
    }

    Outcome<> check_depth(std::size_t depth) const {
        if (depth < expression_depth_max) return Ok{};
        return problem("The expression has redundant parentheses;");
    }

    Update update_;
    std::array<bool, std::size(update_keywords)> seen_{};
    std::string malformed_;
};

static_assert(static_cast<int>(UpdateAction::Kind::set) == 0 &&
                  static_cast<int>(UpdateAction::Kind::erase) == 3,
              "update_keywords are in the order of UpdateAction::Kind");

}  // namespace

Outcome<Update> parse_update(std::string_view text) { return UpdateParser(text).parse(); }

}  // namespace mailroom::table
