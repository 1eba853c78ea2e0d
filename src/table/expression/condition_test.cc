#include "table/expression/condition.h"

#include "table/expression/expression_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

using testing::evaluate;

const Item& sample() {
    static const Item item{
        {"s", "banana"},
        {"n", 10},
        {"neg", -3},
        {"b", Value::binary("\x01\x02\xff")},
        {"yes", true},
        {"nothing", Value::null()},
        {"blank", ""},
        {"l", Value::list({"x", 7, true, Value::list({1})})},
        {"m", Value::map(Item{{"k", "v"}, {"deep", Value::list({Value::map(Item{{"z", 5}})})}})},
        {"ss", Value::string_set({"red", "blue"})},
        {"ns", testing::set_of_numbers({1, 2, 10})},
        {"bs", Value::set_of(Kind::binary_set, {"p", "q"})},
        {"status", "open"},
    };
    return item;
}

const Bindings& values() {
    static const Bindings bindings{{{"#st", "status"}, {"#m", "m"}, {"#k", "k"}, {"#s", "s"}},
                                   {{":banana", "banana"},
                                    {":apple", "apple"},
                                    {":cherry", "cherry"},
                                    {":ban", "ban"},
                                    {":nan", "nan"},
                                    {":open", "open"},
                                    {":red", "red"},
                                    {":empty", ""},
                                    {":0", 0},
                                    {":1", 1},
                                    {":2", 2},
                                    {":5", 5},
                                    {":7", 7},
                                    {":10", 10},
                                    {":ten", *Number::parse("1.0E1")},
                                    {":100", 100},
                                    {":m3", -3},
                                    {":m4", -4},
                                    {":true", true},
                                    {":false", false},
                                    {":null", Value::null()},
                                    {":b", Value::binary("\x01\x02\xff")},
                                    {":b1", Value::binary("\x01")},
                                    {":p", Value::binary("p")},
                                    {":l", Value::list({1})},
                                    {":m", Value::map(Item{{"k", "v"}})},
                                    {":ss", Value::string_set({"blue", "red"})},
                                    {":S", "S"},
                                    {":N", "N"},
                                    {":BOOL", "BOOL"},
                                    {":NULL", "NULL"},
                                    {":SS", "SS"},
                                    {":M", "M"},
                                    {":L", "L"},
                                    {":text", "text"}}};
    return bindings;
}

TEST(Condition, HoldsAsDynamoDbSays) {
    struct Case {
        std::string_view text;
        bool want;
    };
    // clang-format off
    const Case cases[] = {
        {"s = :banana", true},              {"s = :apple", false},          {":banana = s", true},
        {"n = :10", true},                  {"n = :ten", true},             {"n = :banana", false},
        {"absent = :1", false},             {"absent = gone", false},
        {"s <> :apple", true},              {"s <> :banana", false},        {"n <> :banana", true},
        {"absent <> :1", true},             {"absent <> gone", true},
        {"yes = :true", true},              {"yes = :false", false},        {"nothing = :null", true},
        {"ss = :ss", true},                 {"m.deep[0] = :m", false},      {"l[3] = :l", true},
        {"n < :100", true},                 {"n < :10", false},             {"n <= :10", true},
        {"n > :2", true},                   {"neg < :0", true},             {"neg > :m4", true},
        {"n >= :100", false},               {"s > :apple", true},           {"s < :apple", false},
        {"s < :10", false},                 {"s >= :10", false},            {"absent < :1", false},
        {"b >= :b1", true},                 {"b < :b1", false},
        {"n BETWEEN :2 AND :100", true},    {"n BETWEEN :10 AND :10", true}, {"n between :0 and :2", false},
        {"s BETWEEN :apple AND :cherry", true}, {"absent BETWEEN :0 AND :1", false},
        {":5 BETWEEN neg AND n", true},     {":5 BETWEEN n AND neg", false}, {"s BETWEEN neg AND n", false},
        {"n IN (:1, :10)", true},           {"n IN (:1, :2)", false},       {"s IN (:1, :banana)", true},
        {"absent IN (:1)", false},          {"yes IN (:true)", true},       {":10 IN (s, n)", true},
        {"attribute_exists(s)", true},      {"attribute_exists(absent)", false},
        {"attribute_exists(nothing)", true}, {"attribute_exists(m.k)", true}, {"attribute_exists(m.x)", false},
        {"attribute_exists(l[3])", true},   {"attribute_exists(l[4])", false},
        {"attribute_exists(s.k)", false},   {"attribute_exists(m[0])", false}, {"attribute_exists(l.k)", false},
        {"attribute_not_exists(absent)", true}, {"attribute_not_exists(s)", false},
        {"attribute_exists(m.deep[0].z)", true},
        {"attribute_type(s, :S)", true},    {"attribute_type(s, :N)", false}, {"attribute_type(yes, :BOOL)", true},
        {"attribute_type(nothing, :NULL)", true}, {"attribute_type(ss, :SS)", true},
        {"attribute_type(:S, :S)", true},   {"attribute_type(:10, :S)", false}, {"attribute_type(:null, :NULL)", true},
        {"attribute_type(m, :M)", true},    {"attribute_type(l, :L)", true}, {"attribute_type(absent, :S)", false},
        {"begins_with(s, :ban)", true},     {"begins_with(s, :nan)", false}, {"begins_with(s, :empty)", true},
        {"begins_with(n, :ban)", false},    {"begins_with(b, :b1)", true},   {"begins_with(s, :b1)", false},
        {"begins_with(absent, :ban)", false}, {"begins_with(:banana, s)", true},
        {"contains(s, :nan)", true},        {"contains(s, :apple)", false}, {"contains(s, :10)", false},
        {"contains(b, :b1)", true},         {"contains(ss, :red)", true},   {"contains(ss, :apple)", false},
        {"contains(ns, :10)", true},        {"contains(ns, :ten)", true},   {"contains(ns, :5)", false},
        {"contains(bs, :p)", true},         {"contains(bs, :red)", false},  {"contains(l, :7)", true},
        {"contains(l, :true)", true},       {"contains(l, :l)", true},      {"contains(l, :false)", false},
        {"contains(m, :M)", false},         {"contains(absent, :1)", false}, {"contains(n, :1)", false},
        {"size(s) > :5", true},             {"size(b) < :5", true},         {"size(ss) = :2", true},
        {"size(l) > :2", true},             {"size(m) = :2", true},         {"size(blank) = :0", true},
        {"size(n) > :0", false},            {"size(yes) = :1", false},      {"size(absent) = :0", false},
        {"size(:l) = :1", true},            {"size(s) BETWEEN :5 AND :7", true}, {"size(ns) IN (:1, size(bs))", false},
        {"size(ss) = size(bs)", true},      {"n = size(s)", false},
        {"NOT s = :apple", true},           {"NOT absent = :1", true},      {"NOT NOT s = :apple", false},
        {"s = :apple OR n = :10", true},    {"s = :apple AND n = :10", false},
        {"s = :banana OR s = :apple AND n = :1", true},
        {"(s = :banana OR s = :apple) AND n = :1", false},
        {"NOT s = :apple AND n = :10", true}, {"NOT (s = :apple OR n = :10)", false},
        {"not(s=:apple)and(n=:10)or(n=:1)", true},
        {"(s) = (:banana)", true},          {"(size(s)) > :5", true},       {"(m).k = :banana", false},
        {"(m.deep)[0].z = :5", true},       {"#st = :open", true},          {"#m.#k = :banana", false},
        {"m.#k <> :banana", true},          {"contains((s), (:nan))", true}, {"n IN ((:1), (:10))", true},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(evaluate(c.text, sample(), values()), c.want ? "true" : "false");
    }
}

TEST(Condition, RefusalsAreDynamoDbsSentences) {
    const std::string type_prefix =
        "Incorrect operand type for operator or function; operator or function: ";
    // clang-format off
    const std::pair<std::string_view, std::string> cases[] = {
        {"((s = :1))",                     "The expression has redundant parentheses;"},
        {"s > ((n))",                      "The expression has redundant parentheses;"},
        {"(s)between(((m.k)).d)and(n)",    "The expression has redundant parentheses;"},
        {"((s = :1)) AND AND",             "The expression has redundant parentheses;"},
        {"whatever(s)",                    "Invalid function name; function: whatever"},
        {"s = Size(s)",                    "Invalid function name; function: Size"},
        {"s = :1 AND whatever((:undefined)) > s", "Invalid function name; function: whatever"},
        {"if_not_exists(s, :1)",           "The function is not allowed in a condition expression; function: if_not_exists"},
        {"s = list_append(s, :1)",         "The function is not allowed in a condition expression; function: list_append"},
        {"size(s)",                        "The function is not allowed to be used this way in an expression; function: size"},
        {"begins_with(s, :ban) = :true",   "The function is not allowed to be used this way in an expression; function: begins_with"},
        {"contains(s, attribute_exists(n))", "The function is not allowed to be used this way in an expression; function: attribute_exists"},
        {"NOT size(s)",                    "The function is not allowed to be used this way in an expression; function: size"},
        {"attribute_exists(s, n)",         "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 2"},
        {"begins_with(s)",                 "Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: 1"},
        {"size(s, n) = :1",                "Incorrect number of operands for operator or function; operator or function: size, number of operands: 2"},
        {"status = :1 AND foo(s)",         "Attribute name is a reserved keyword; reserved keyword: status"},
        {"foo(s) AND status = :1",         "Invalid function name; function: foo"},
        {"#x = :1",                        "An expression attribute name used in the document path is not defined; attribute name: #x"},
        {"s.#x[1] = :1",                   "An expression attribute name used in the document path is not defined; attribute name: #x"},
        {"s = :x",                         "An expression attribute value used in expression is not defined; attribute value: :x"},
        {"s = :x OR #x = :1",              "An expression attribute value used in expression is not defined; attribute value: :x"},
        {"attribute_exists(:1)",           "Operator or function requires a document path; operator or function: attribute_exists"},
        {"attribute_not_exists(size(s))",  "Operator or function requires a document path; operator or function: attribute_not_exists"},
        {"attribute_type(size(s), :N)",    "Operator or function requires a document path; operator or function: attribute_type"},
        {"s = s",                          "The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [s]"},
        {"m.l[2] < m.l[2]",                "The first operand must be distinct from the remaining operands for this operator or function; operator: <, first operand: [m, l, [2]]"},
        {"s <> #s",                        "The first operand must be distinct from the remaining operands for this operator or function; operator: <>, first operand: [s]"},
        {"s BETWEEN n AND s",              "The first operand must be distinct from the remaining operands for this operator or function; operator: BETWEEN, first operand: [s]"},
        {"s IN (:1, s)",                   "The first operand must be distinct from the remaining operands for this operator or function; operator: IN, first operand: [s]"},
        {"contains(s, s)",                 "The first operand must be distinct from the remaining operands for this operator or function; operator: contains, first operand: [s]"},
        {"begins_with(s, :10)",            type_prefix + "begins_with, operand type: N"},
        {"begins_with(s, size(n))",        type_prefix + "begins_with, operand type: N"},
        {"begins_with(:l, s)",             type_prefix + "begins_with, operand type: L"},
        {"s < :true",                      type_prefix + "<, operand type: BOOL"},
        {"s >= :ss",                       type_prefix + ">=, operand type: SS"},
        {":null > s",                      type_prefix + ">, operand type: NULL"},
        {"s BETWEEN :m AND :1",            type_prefix + "BETWEEN, operand type: M"},
        {"size(:10) = :1",                 type_prefix + "size, operand type: N"},
        {"size(:true) = :1",               type_prefix + "size, operand type: BOOL"},
        {"size(size(s)) = :1",             type_prefix + "size, operand type: N"},
        {"attribute_type(s, :10)",         type_prefix + "attribute_type, operand type: N"},
        {"attribute_type(s, n)",           type_prefix + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
        {"attribute_type(s, :text)",       "Invalid attribute type name found; type: text, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
        {"s BETWEEN :10 AND :2",           "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {N:2}"},
        {"s BETWEEN :banana AND :apple",   "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:banana}, upper bound operand: AttributeValue: {S:apple}"},
        {"s BETWEEN :10 AND :apple",       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:10}, upper bound operand: AttributeValue: {S:apple}"},
        {"s BETWEEN :b1 AND :apple",       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {B:java.nio.HeapByteBuffer[pos=0 lim=1 cap=1]}, upper bound operand: AttributeValue: {S:apple}"},
    };
    // clang-format on
    for (const auto& [text, want] : cases) {
        SCOPED_TRACE(text);
        EXPECT_EQ(evaluate(text, sample(), values()), "Invalid ConditionExpression: " + want);
    }
}

TEST(Condition, InTakesAHundredCandidates) {
    std::string text = "n IN (:10";
    for (int i = 1; i < 100; ++i) text += ",:1";
    EXPECT_EQ(evaluate(text + ")", sample(), values()), "true");
    EXPECT_EQ(evaluate(text + ",:1)", sample(), values()),
              "Invalid ConditionExpression: The IN operator is provided with too many operands; "
              "number of operands: 101");
}

TEST(Condition, RefusalsBeginWithTheParameter) {
    ExpressionCache cache;
    const Bindings none;
    BindingUse use(none);
    EXPECT_EQ(cache.filter("status = :a").error().message,
              "Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: "
              "status");
    EXPECT_EQ(bind(*cache.filter("a = :a"), none, use).error().message,
              "Invalid FilterExpression: An expression attribute value used in expression is not "
              "defined; attribute value: :a");
    EXPECT_EQ(cache.filter("a = ").error().fault, Fault::validation);
}

TEST(Condition, ATreeMadeByHandIsEvaluatedLikeOneFromText) {
    const auto tree = Condition::join(
        ConditionOp::all_of,
        {Condition::compare(ConditionOp::equal, Operand::at(Path::attribute("status")),
                            Operand::constant("open")),
         Condition::negate(Condition::compare(ConditionOp::greater,
                                              Operand::size_of(Operand::at(Path::attribute("s"))),
                                              Operand::slot(":limit")))});
    const Bindings bindings{{}, {{":limit", 6}}};
    BindingUse use(bindings);
    auto compiled = compile(tree, ExpressionUse::partiql);
    ASSERT_TRUE(compiled);
    const auto bound = bind(*std::move(compiled), bindings, use);
    ASSERT_TRUE(bound);
    EXPECT_TRUE(bound->holds(sample()));
    EXPECT_FALSE(bound->holds(Item{{"status", "open"}, {"s", "longer than six"}}));
    EXPECT_FALSE(bound->holds(Item{}));

    const auto wrong =
        compile(Condition::compare(ConditionOp::less, Operand::at(Path::attribute("val")),
                                   Operand::constant(true)),
                ExpressionUse::partiql);
    EXPECT_EQ(bind(*wrong, bindings, use).error().message,
              "Incorrect operand type for operator or function; operator or function: <, operand "
              "type: BOOL");
}

TEST(Condition, ATreeMadeByHandIsNotFollowedWithoutEnd) {
    auto tree = Condition::test(ConditionOp::attribute_exists, {Operand::at(Path::attribute("a"))});
    for (int i = 0; i < 400; ++i) tree = Condition::negate(std::move(tree));
    EXPECT_EQ(compile(tree, ExpressionUse::condition).error().message,
              "Invalid ConditionExpression: The expression contains too many operators; operator "
              "count: 301");
}

TEST(Condition, TellsWhichAttributesItReads) {
    const Bindings bindings{{{"#m", "meta"}}, {{":v", 1}}};
    BindingUse use(bindings);
    ExpressionCache cache;
    const auto bound = bind(*cache.filter("a = :v AND #m.x = :v"), bindings, use);
    ASSERT_TRUE(bound);
    EXPECT_TRUE(bound->reads("a"));
    EXPECT_TRUE(bound->reads("meta"));
    EXPECT_FALSE(bound->reads("x"));
    EXPECT_TRUE(bound->reads_inside("meta"));
    EXPECT_FALSE(bound->reads_inside("a"));
}

TEST(Condition, SizeOfATextIsInUnitsOfUtf16) {
    struct Case {
        std::string text;
        int units;
    };
    const Case cases[] = {{"", 0},       {"abc", 3},        {"caf\u00e9", 4},
                          {"\u20ac", 1}, {"\U0001f600", 2}, {"\u00e9\U0001d11e", 3}};
    for (const auto& c : cases) {
        const Item item{{"s", c.text}};
        const Bindings bindings{{}, {{":n", c.units}, {":bytes", Value::binary(c.text)}}};
        const auto holds = [&](const std::string& text) {
            BindingUse use(bindings);
            return bind(*ExpressionCache().condition(text), bindings, use)->holds(item);
        };
        EXPECT_TRUE(holds("size(s) = :n")) << c.text;
        EXPECT_EQ(holds("size(:bytes) = :n"), c.text.size() == std::size_t(c.units)) << c.text;
    }
}

}  // namespace
}  // namespace mailroom::table
