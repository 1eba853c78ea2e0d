#include "table/expression/expression.h"

#include "table/expression/expression_testing.h"
#include "table/expression/reserved_words.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

using testing::evaluate;
using testing::project;
using testing::update;

std::string repeated(std::string_view text, int times) {
    std::string result;
    for (int i = 0; i < times; ++i) result += text;
    return result;
}

TEST(Expression, SyntaxErrorsOfConditionsNameTheTokenAndItsSurroundings) {
    struct Case {
        std::string_view text, token, near;
    };
    // clang-format off
    const Case cases[] = {
        {"hello",                  "<EOF>", "hello"},
        {"a-b",                    "-",     "a-b"},
        {"a = = :v",               "=",     "= = :v"},
        {"a = 4",                  "4",     "= 4"},
        {"a = 2015 AND b = :v",    "2015",  "= 2015 AND"},
        {"_type = :v",             "_",     "_type"},
        {"__typename <> :v",       "_",     "__"},
        {"a = :v AND _sortKey = :v", "_",   "AND _sortKey"},
        {"things are not ok",      "are",   "things are not"},
        {"a = 'x'",                "'",     "= 'x"},
        {"a = \"x\"",              "\"",    "= \"x"},
        {"a = :",                  ":",     "= :"},
        {"# = :v",                 "#",     "# ="},
        {"a = :v AND",             "<EOF>", "AND"},
        {"a AND b = :v",           "AND",   "a AND b"},
        {"(a)",                    "<EOF>", ")"},
        {"(a = :v",                "<EOF>", ":v"},
        {"a = :v)",                ")",     ":v)"},
        {"attribute_exists([1])",  "[",     "([1"},
        {"size()",                 ")",     "()"},
        {"a IN ()",                ")",     "()"},
        {"a BETWEEN :v OR :v",     "OR",    ":v OR :v"},
        {"a BETWEEN :v",           "<EOF>", ":v"},
        {"(a = :v) = :v",          "=",     ") = :v"},
        {"NOT",                    "<EOF>", "NOT"},
        {"and = :v",               "and",   "and ="},
        {"a.and = :v",             "and",   ".and ="},
        {"a[b] = :v",              "b",     "[b]"},
        {"a[01] = :v",             "1",     "01]"},
        {"a[:v] = :v",             ":v",    "[:v]"},
        {"a. = :v",                "=",     ". = :v"},
        {"a <> > :v",              ">",     "<> > :v"},
        {"a = \xC3\xA9",           "\xC3\xA9", "= \xC3\xA9"},
    };
    // clang-format on
    const Bindings bindings{{}, {{":v", 1}}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(evaluate(c.text, Item{}, bindings),
                  "Invalid ConditionExpression: Syntax error; token: \"" + std::string(c.token) +
                      "\", near: \"" + std::string(c.near) + "\"");
    }
}

TEST(Expression, SyntaxErrorsOfUpdatesNameTheTokenAndItsSurroundings) {
    struct Case {
        std::string_view text, token, near;
    };
    // clang-format off
    const Case cases[] = {
        {"INVALID SYNTAX HERE",              "INVALID", "INVALID SYNTAX"},
        {"ADD hits : incr",                  ":",       "hits : incr"},
        {"set _something = :v",              "_",       "set _something"},
        {"SET a = :v,",                      "<EOF>",   ","},
        {"SET a = if_not_exists(a, 0) + :v", "0",       ", 0)"},
        {"SET foo-bar = :v",                 "-",       "foo-bar"},
        {"SET a = :v, #, b = :v",            "#",       ", #,"},
        {"SET a :v",                         ":v",      "a :v"},
        {"SET a = :v + :v + :v",             "+",       ":v + :v"},
        {"SET a = (:v + :v) - :v",           "-",       ") - :v"},
        {"SET a = :v b = :v",                "b",       ":v b ="},
        {"SET set = :v",                     "set",     "SET set ="},
        {"SET",                              "<EOF>",   "SET"},
        {"REMOVE a = :v",                    "=",       "a = :v"},
        {"ADD a b",                          "b",       "a b"},
        {"ADD a (:v)",                       "(",       "a (:v"},
        {"DELETE a",                         "<EOF>",   "a"},
        {"SET a = f()",                      ")",       "()"},
        {"SET a = f(:v",                     "<EOF>",   ":v"},
        {"SET [0] = :v",                     "[",       "SET [0"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(update(c.text, Item{}, {{}, {{":v", 1}}}),
                  "Invalid UpdateExpression: Syntax error; token: \"" + std::string(c.token) +
                      "\", near: \"" + std::string(c.near) + "\"");
    }
}

TEST(Expression, SyntaxErrorsOfProjectionsNameTheTokenAndItsSurroundings) {
    struct Case {
        std::string_view text, token, near;
    };
    // clang-format off
    const Case cases[] = {
        {"!!",           "!",     "!!"},
        {"content-type", "-",     "content-type"},
        {"a,",           "<EOF>", ","},
        {",a",           ",",     ",a"},
        {"a b",          "b",     "a b"},
        {"a[1",          "<EOF>", "1"},
        {"a[1]b",        "b",     "]b"},
        {"(a)",          "(",     "(a"},
        {":a",           ":a",    ":a"},
        {"a, 1b",        "1",     ", 1b"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(project(c.text, Item{}, {}),
                  "Invalid ProjectionExpression: Syntax error; token: \"" + std::string(c.token) +
                      "\", near: \"" + std::string(c.near) + "\"");
    }
}

TEST(Expression, EachKindRefusesWhatIsEmptyTooLongTooDeepOrReserved) {
    const auto too_long = "a = :v" + std::string(expression_bytes_max, ' ');
    const std::string size_refusal =
        "Expression size has exceeded the maximum allowed size; expression size: ";
    const std::string levels_refusal =
        "The document path has too many nesting levels; nesting levels: 33";
    const auto deep = "a" + repeated(".b", 32);
    const std::string c = "Invalid ConditionExpression: ", u = "Invalid UpdateExpression: ",
                      p = "Invalid ProjectionExpression: ";
    const std::string reserved = "Attribute name is a reserved keyword; reserved keyword: ";
    const Bindings none;

    EXPECT_EQ(evaluate("", Item{}, none), c + "The expression can not be empty;");
    EXPECT_EQ(update("", Item{}, none), u + "The expression can not be empty;");
    EXPECT_EQ(project("", Item{}, none), p + "The expression can not be empty;");
    EXPECT_EQ(evaluate(too_long, Item{}, none), c + size_refusal + "4102");
    EXPECT_EQ(update(too_long, Item{}, none), u + size_refusal + "4102");
    EXPECT_EQ(project(too_long, Item{}, none), p + size_refusal + "4102");
    EXPECT_EQ(evaluate("attribute_exists(" + deep + ")", Item{}, none), c + levels_refusal);
    EXPECT_EQ(update("REMOVE " + deep, Item{}, none), u + levels_refusal);
    EXPECT_EQ(project(deep, Item{}, none), p + levels_refusal);
    EXPECT_EQ(project("a" + repeated(".b", 31), Item{}, none), "{}");
    EXPECT_EQ(evaluate("attribute_exists(status)", Item{}, none), c + reserved + "status");
    EXPECT_EQ(evaluate("attribute_exists(a.b.Name)", Item{}, none), c + reserved + "Name");
    EXPECT_EQ(update("REMOVE a, tTl", Item{}, none), u + reserved + "tTl");
    EXPECT_EQ(update("SET a = if_not_exists(size, b)", Item{}, none), u + reserved + "size");
    EXPECT_EQ(project("pk, data", Item{}, none), p + reserved + "data");
    EXPECT_EQ(project("a[2147483647]", Item{}, none), "{}");
    EXPECT_EQ(project("a[2147483648]", Item{}, none),
              p + "List index is not within the allowable range; index: [2147483648]");
    EXPECT_EQ(project("a[99999999999999999999]", Item{}, none),
              p + "List index is not within the allowable range; index: [99999999999999999999]");
}

TEST(Expression, HasAtMostThreeHundredOperators) {
    const Bindings bindings{{}, {{":v", 1}}};
    const std::string refusal = "The expression contains too many operators; operator count: 301";
    // Each further comparison costs two: itself and the AND.
    EXPECT_EQ(evaluate("a=:v" + repeated(" AND a=:v", 149), Item{{"a", 1}}, bindings), "true");
    EXPECT_EQ(evaluate("a=:v" + repeated(" AND a=:v", 150), Item{{"a", 1}}, bindings),
              "Invalid ConditionExpression: " + refusal);
    EXPECT_EQ(evaluate(repeated("NOT ", 299) + "a=:v", Item{{"a", 1}}, bindings), "false");
    EXPECT_EQ(evaluate(repeated("NOT ", 300) + "a=:v", Item{{"a", 1}}, bindings),
              "Invalid ConditionExpression: " + refusal);
    EXPECT_EQ(
        evaluate(repeated("NOT (", 299) + "a=:v" + repeated(")", 299), Item{{"a", 1}}, bindings),
        "false");

    std::string removes = "REMOVE a0";
    for (int i = 1; i < 300; ++i) removes += ",a" + std::to_string(i);
    EXPECT_EQ(update(removes, Item{{"a299", 1}, {"b", 1}}, {}), "{b: 1}");
    EXPECT_EQ(update(removes + ",a300", Item{}, {}), "Invalid UpdateExpression: " + refusal);
}

TEST(Expression, ParenthesesWithoutEndAreRefusedAndNotFollowed) {
    const Bindings bindings{{}, {{":v", 1}}};
    const auto open = repeated("(", 4000);
    const std::string redundant = "The expression has redundant parentheses;";
    EXPECT_EQ(evaluate(open, Item{}, bindings), "Invalid ConditionExpression: " + redundant);
    EXPECT_EQ(evaluate("a = " + open, Item{}, bindings),
              "Invalid ConditionExpression: " + redundant);
    EXPECT_EQ(update("SET a = " + open, Item{}, bindings),
              "Invalid UpdateExpression: " + redundant);
    EXPECT_EQ(evaluate(repeated("f(", 2000), Item{}, bindings),
              "Invalid ConditionExpression: The expression contains too many operators; operator "
              "count: 301");
    EXPECT_EQ(update("SET a = " + repeated("f(", 2000), Item{}, bindings),
              "Invalid UpdateExpression: The expression contains too many operators; operator "
              "count: 301");
}

TEST(Expression, BindingsThatNoExpressionUsedAreListed) {
    const Bindings bindings{{{"#a", "a"}, {"#b", "b"}}, {{":a", 1}, {":b", 2}, {":c", 3}}};
    ExpressionCache cache;
    BindingUse use(bindings);
    ASSERT_TRUE(bind(*cache.condition("#a = :a"), bindings, use));
    EXPECT_EQ(use.complete().error().message,
              "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}");
    ASSERT_TRUE(bind(*cache.projection("#b"), bindings, use));
    EXPECT_EQ(use.complete().error().message,
              "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b, :c}");
    ASSERT_TRUE(bind(*cache.update("SET x = :b + :c"), bindings, use));
    EXPECT_TRUE(use.complete());
}

TEST(Expression, BindingsNeedWellFormedPlaceholders) {
    struct Case {
        Bindings bindings;
        std::string_view want;
    };
    const std::string long_key = "#" + std::string(255, 'a');
    const Case cases[] = {
        {{{{"#a_1", "a"}}, {{":_", 1}}}, ""},
        {{{{"a", "a"}}, {}},
         "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""},
        {{{{"#", "a"}}, {}},
         "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\""},
        {{{{"#a-b", "a"}}, {}},
         "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\""},
        {{{{"#a", ""}}, {}},
         "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a"},
        {{{{long_key, "a"}}, {}},
         "ExpressionAttributeNames contains invalid key: The expression attribute map contains a "
         "key that is too long; size of key: 256"},
        {{{}, {{"#v", 1}}},
         "ExpressionAttributeValues contains invalid key: Syntax error; key: \"#v\""},
    };
    for (const auto& c : cases) {
        const auto result = check_bindings(c.bindings);
        EXPECT_EQ(result ? "" : result.error().message, c.want);
    }
}

TEST(Expression, MoreBindingsThanFitInlineWorkTheSame) {
    Bindings bindings;
    std::string text;
    for (int i = 0; i < 60; ++i) {
        const auto number = std::to_string(i);
        bindings.names.push_back({"#n" + number, "n" + number});
        bindings.values.push_back({":v" + number, i});
        text += (i == 0 ? "SET " : ", ") + std::string("#n") + number + " = :v" + number;
    }
    ExpressionCache cache;
    BindingUse use(bindings);
    const auto bound = bind(*cache.update(text), bindings, use);
    ASSERT_TRUE(bound);
    EXPECT_TRUE(use.complete());
    const auto effect = bound->apply(Item{{"n7", "old"}, {"z", 1}});
    ASSERT_TRUE(effect);
    EXPECT_EQ(effect->item.view().count(), 61u);
    EXPECT_EQ(effect->item.integer("n59"), 59);
    EXPECT_EQ(effect->item.integer("n7"), 7);
}

TEST(ReservedWords, AreKnownInAnyCaseAndNothingElseIs) {
    for (const auto* word : {"ABORT", "zone", "Status", "LOCALTIMESTAMP", "ttl", "in"}) {
        EXPECT_TRUE(is_reserved_word(word)) << word;
    }
    for (const auto* word : {"", "pk", "statuses", "LOCALTIMESTAMPS", "ABOR", "zonf"}) {
        EXPECT_FALSE(is_reserved_word(word)) << word;
    }
}

}  // namespace
}  // namespace mailroom::table
