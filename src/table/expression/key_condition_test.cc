#include "table/expression/key_condition.h"

#include "table/expression/expression_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

const Bindings& bindings() {
    static const Bindings bindings{{{"#pk", "pk"}, {"#sk", "sk"}, {"#status", "status"}},
                                   {{":a", "a"},
                                    {":b", "b"},
                                    {":c", "c"},
                                    {":1", 1},
                                    {":2", 2},
                                    {":empty", ""},
                                    {":l", Value::list({})}}};
    return bindings;
}

using KeyAttributes = std::vector<AttributeDefinition>;

// "hashes | leading | op value [upper]", or the refusal.
std::string match(std::string_view text, const KeyAttributes& hashes, const KeyAttributes& ranges) {
    static constexpr std::string_view ops[] = {"=", "<", "<=", ">", ">=", "between", "begins"};
    ExpressionCache cache(1);
    BindingUse use(bindings());
    const auto compiled = cache.key_condition(text);
    if (!compiled) return compiled.error().message;
    const auto bound = bind(*compiled, bindings(), use);
    if (!bound) return bound.error().message;
    const auto keys = bound->match(hashes, ranges);
    if (!keys) return keys.error().message;
    std::string shown;
    for (const auto* values : {&keys->hashes, &keys->leading}) {
        for (const auto& value : *values) {
            shown += (shown.empty() ? "" : " | ") + testing::show(value);
        }
    }
    if (!keys->range) return shown;
    shown += " | " + std::string(ops[static_cast<int>(keys->range->op)]) + " " +
             testing::show(keys->range->value);
    if (keys->range->upper) shown += " " + testing::show(*keys->range->upper);
    return shown;
}

TEST(KeyCondition, FindsTheHashKeyAndTheRange) {
    struct Case {
        std::string_view text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"pk = :a",                             "'a'"},
        {":a = pk",                             "'a'"},
        {"(#pk = :a)",                          "'a'"},
        {"pk = :a AND sk = :b",                 "'a' | = 'b'"},
        {"sk = :b AND pk = :a",                 "'a' | = 'b'"},
        {"(pk = :a) and (sk < :b)",             "'a' | < 'b'"},
        {"pk = :a AND sk <= :b",                "'a' | <= 'b'"},
        {"pk = :a AND :b <= sk",                "'a' | >= 'b'"},
        {"pk = :a AND :b > sk",                 "'a' | < 'b'"},
        {"pk = :a AND sk > :b",                 "'a' | > 'b'"},
        {"pk = :a AND #sk BETWEEN :b AND :c",   "'a' | between 'b' 'c'"},
        {"begins_with(sk, :b) AND #pk = :a",    "'a' | begins 'b'"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(match(c.text, {{"pk", Kind::string}}, {{"sk", Kind::string}}), c.want);
    }
    EXPECT_EQ(match("pk = :1 AND sk > :2", {{"pk", Kind::number}}, {{"sk", Kind::number}}),
              "1 | > 2");
}

TEST(KeyCondition, RefusalsAreDynamoDbsSentences) {
    struct Case {
        std::string_view text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"",                               "Invalid KeyConditionExpression: The expression can not be empty;"},
        {"pk = :x",                        "Invalid KeyConditionExpression: An expression attribute value used in expression is not defined; attribute value: :x"},
        {"status = :a",                    "Invalid KeyConditionExpression: Attribute name is a reserved keyword; reserved keyword: status"},
        {"begins_with(sk, :1) AND pk = :a", "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
        {"pk = :a OR sk = :b",             "Invalid operator used in KeyConditionExpression: OR"},
        {"NOT pk = :a",                    "Invalid operator used in KeyConditionExpression: NOT"},
        {"pk IN (:a)",                     "Invalid operator used in KeyConditionExpression: IN"},
        {"pk = :a AND sk <> :b",           "Invalid operator used in KeyConditionExpression: <>"},
        {"attribute_exists(pk)",           "Invalid operator used in KeyConditionExpression: attribute_exists"},
        {"contains(sk, :a) AND pk = :a",   "Invalid operator used in KeyConditionExpression: contains"},
        {"size(pk) = :1",                  "KeyConditionExpressions cannot contain nested operations"},
        {":b BETWEEN sk AND :c",           "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first operand"},
        {"begins_with(:a, sk)",            "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first operand"},
        {"pk = sk",                        "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
        {":a = :b",                        "Invalid condition in KeyConditionExpression: No key attribute specified"},
        {"pk.x = :a",                      "KeyConditionExpressions cannot have conditions on nested attributes"},
        {"pk = :a AND sk > :a AND sk < :b", "KeyConditionExpressions must only contain one condition per key"},
        {"pk = :a AND sk > :a AND third < :b", "Conditions can be of length 1 or 2 only"},
        {"sk = :a",                        "Query condition missed key schema element: pk"},
        {"third = :a",                     "Query condition missed key schema element: pk"},
        {"pk = :a AND third = :b",         "Query condition missed key schema element: sk"},
        {"pk = :1",                        "One or more parameter values were invalid: Condition parameter type does not match schema type"},
        {"pk = :l",                        "One or more parameter values were invalid: Condition parameter type does not match schema type"},
        {"pk = :a AND sk = :1",            "One or more parameter values were invalid: Condition parameter type does not match schema type"},
        {"pk > :a",                        "Query key condition not supported"},
        {"begins_with(pk, :a)",            "Query key condition not supported"},
        {"pk = :empty",                    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(match(c.text, {{"pk", Kind::string}}, {{"sk", Kind::string}}), c.want);
    }
    EXPECT_EQ(match("pk = :a AND sk = :b", {{"pk", Kind::string}}, {}),
              "Query key condition not supported");
}

// A key of two hash attributes and three range attributes, the second of them a number.
std::string match_several(std::string_view text) {
    return match(text, {{"h", Kind::string}, {"i", Kind::number}},
                 {{"r", Kind::string}, {"s", Kind::number}, {"t", Kind::string}});
}

TEST(KeyCondition, OfSeveralAttributesIsFoundLeftToRight) {
    struct Case {
        std::string_view text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"h = :a AND i = :1",                                     "'a' | 1"},
        {"i = :1 AND h = :a",                                     "'a' | 1"},
        {"h = :a AND i = :1 AND r = :b",                          "'a' | 1 | = 'b'"},
        {"h = :a AND i = :1 AND begins_with(r, :b)",              "'a' | 1 | begins 'b'"},
        {"h = :a AND i = :1 AND r BETWEEN :b AND :c",             "'a' | 1 | between 'b' 'c'"},
        {"s > :2 AND h = :a AND r = :b AND i = :1",               "'a' | 1 | 'b' | > 2"},
        {"h = :a AND i = :1 AND r = :b AND s = :2",               "'a' | 1 | 'b' | = 2"},
        {"h = :a AND i = :1 AND t <= :c AND r = :b AND :2 = s",   "'a' | 1 | 'b' | 2 | <= 'c'"},
    };
    // clang-format on
    for (const auto& c : cases) EXPECT_EQ(match_several(c.text), c.want) << c.text;
}

TEST(KeyCondition, OfSeveralAttributesIsRefusedInDynamoDbsSentences) {
    const std::string hash = " must have equality conditions specified in the query";
    const std::string range = hash + " because a condition is present on key attribute ";
    const std::string type =
        "One or more parameter values were invalid: Condition parameter type does not match schema "
        "type";
    struct Case {
        std::string_view text;
        std::string want;
    };
    // clang-format off
    const Case cases[] = {
        {"h = :a",                                                  "HASH key attributes i" + hash},
        {"r = :b",                                                  "HASH key attributes h, i" + hash},
        {"h = :a AND i > :1",                                       "HASH key attributes i" + hash},
        {"begins_with(h, :a) AND i = :1",                           "HASH key attributes h" + hash},
        {"h BETWEEN :a AND :b AND i = :1",                          "HASH key attributes h" + hash},
        {"h = :a AND i = :1 AND s = :2",                            "RANGE key attributes r" + range + "s"},
        {"h = :a AND i = :1 AND t = :c",                            "RANGE key attributes r, s" + range + "t"},
        {"h = :a AND i = :1 AND r = :b AND t = :c",                 "RANGE key attributes s" + range + "t"},
        {"h = :a AND i = :1 AND r > :b AND s = :2",                 "RANGE key attributes r" + range + "s"},
        {"h = :a AND i = :1 AND r > :b AND s > :2",                 "RANGE key attributes r" + range + "s"},
        {"h = :a AND i = :1 AND begins_with(r, :b) AND s = :2",     "RANGE key attributes r" + range + "s"},
        {"h = :a AND i = :1 AND third = :b",                        "Query key condition not supported"},
        {"h = :a AND i = :1 AND r = :b AND third = :b",             "Query key condition not supported"},
        {"h = :1 AND i = :1",                                       type},
        {"h = :a AND i = :b",                                       type},
        {"h = :a AND i = :1 AND r = :1 AND s = :2",                 type},
        {"h = :a AND i = :1 AND r = :b AND s BETWEEN :1 AND :a",    "Invalid KeyConditionExpression: The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:a}"},
        {"h = :a AND i = :1 AND r = :empty AND s = :2",             "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: r"},
        {"h = :a AND i = :1 AND h = :b",                            "KeyConditionExpressions must only contain one condition per key"},
        {"h = :a AND i = :1 AND r = :a AND s = :1 AND t = :a AND u = :a AND v = :a AND w = :a AND x = :a", "Conditions can be of length 1 or 2 only"},
    };
    // clang-format on
    for (const auto& c : cases) EXPECT_EQ(match_several(c.text), c.want) << c.text;
}

TEST(KeyCondition, ARangeTellsWhetherAKeyLiesInIt) {
    struct Case {
        KeyOp op;
        int value, upper, key;
        bool want;
    };
    const Case cases[] = {
        {KeyOp::equal, 5, 0, 5, true},          {KeyOp::equal, 5, 0, 6, false},
        {KeyOp::less, 5, 0, -9, true},          {KeyOp::less, 5, 0, 5, false},
        {KeyOp::less_equal, 5, 0, 5, true},     {KeyOp::greater, 5, 0, 50, true},
        {KeyOp::greater, 5, 0, 5, false},       {KeyOp::greater_equal, 5, 0, 5, true},
        {KeyOp::greater_equal, 5, 0, 4, false}, {KeyOp::between, 5, 7, 7, true},
        {KeyOp::between, 5, 7, 8, false},       {KeyOp::between, 5, 7, 4, false},
    };
    for (const auto& c : cases) {
        const Value value(c.value), upper(c.upper), key(c.key);
        EXPECT_EQ((RangeCondition{c.op, value, upper}.holds(key)), c.want)
            << static_cast<int>(c.op) << " " << c.key;
    }
    const Value prefix("ab"), inside("abc"), outside("b");
    EXPECT_TRUE((RangeCondition{KeyOp::begins_with, prefix, {}}.holds(inside)));
    EXPECT_FALSE((RangeCondition{KeyOp::begins_with, prefix, {}}.holds(outside)));
}

}  // namespace
}  // namespace mailroom::table
