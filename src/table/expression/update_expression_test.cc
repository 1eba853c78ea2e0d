#include "table/expression/update_expression.h"

#include "table/expression/expression_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

using testing::update;

const Item& sample() {
    static const Item item{
        {"l", Value::list({"l0", "l1", "l2"})},
        {"m",
         Value::map(Item{
             {"k", 1}, {"n", Value::map(Item{{"o", 5}})}, {"tags", Value::string_set({"x"})}})},
        {"n", 10},
        {"ns", testing::set_of_numbers({1, 2})},
        {"pk", "p"},
        {"s", "text"},
        {"ss", Value::string_set({"a", "b"})},
    };
    return item;
}

const Bindings& bindings() {
    static const Bindings bindings{{{"#status", "status"}, {"#m", "m"}, {"#k", "k"}, {"#l", "l"}},
                                   {{":1", 1},
                                    {":5", 5},
                                    {":m3", -3},
                                    {":s", "new"},
                                    {":true", true},
                                    {":null", Value::null()},
                                    {":list", Value::list({"y", "z"})},
                                    {":no", Value::list({})},
                                    {":map", Value::map(Item{{"q", 1}})},
                                    {":bin", Value::binary("b")},
                                    {":a", Value::string_set({"a"})},
                                    {":ab", Value::string_set({"a", "b"})},
                                    {":bc", Value::string_set({"b", "c"})},
                                    {":n2", testing::set_of_numbers({2, 3})},
                                    {":big", *Number::parse("9E+125")},
                                    {":one38", *Number::parse("1E-10")}}};
    return bindings;
}

TEST(UpdateExpression, ChangesTopLevelAttributes) {
    struct Case {
        std::string_view text, want;
    };
    const Item item{
        {"b", Value::list({1})}, {"n", 10}, {"pk", "p"}, {"s", Value::string_set({"a", "b"})}};
    // clang-format off
    const Case cases[] = {
        {"SET a = :1",                        "{a: 1, b: [1], n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET z = :s, n = :5",                "{b: [1], n: 5, pk: 'p', s: <'a', 'b'>, z: 'new'}"},
        {"set #status = n",                   "{b: [1], n: 10, pk: 'p', s: <'a', 'b'>, status: 10}"},
        {"SET n = n + :1",                    "{b: [1], n: 11, pk: 'p', s: <'a', 'b'>}"},
        {"SET n = n - :5",                    "{b: [1], n: 5, pk: 'p', s: <'a', 'b'>}"},
        {"SET n = :m3 - n",                   "{b: [1], n: -13, pk: 'p', s: <'a', 'b'>}"},
        {"SET n=n+n",                         "{b: [1], n: 20, pk: 'p', s: <'a', 'b'>}"},
        {"SET n = (n) + (:1)",                "{b: [1], n: 11, pk: 'p', s: <'a', 'b'>}"},
        {"SET n = (n + :1)",                  "{b: [1], n: 11, pk: 'p', s: <'a', 'b'>}"},
        {"SET n = n + :one38",                "{b: [1], n: 10.0000000001, pk: 'p', s: <'a', 'b'>}"},
        {"SET n = if_not_exists(n, :1) + :1", "{b: [1], n: 11, pk: 'p', s: <'a', 'b'>}"},
        {"SET c = if_not_exists(c, :5) + :1", "{b: [1], c: 6, n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET c = if_not_exists(c, if_not_exists(d, n))", "{b: [1], c: 10, n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET n = if_not_exists(n, :s)",      "{b: [1], n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET b = list_append(b, :list)",     "{b: [1, 'y', 'z'], n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET b = list_append(:list, b)",     "{b: ['y', 'z', 1], n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET c = list_append(if_not_exists(c, :no), :list)", "{b: [1], c: ['y', 'z'], n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET a = n, n = :5",                 "{a: 10, b: [1], n: 5, pk: 'p', s: <'a', 'b'>}"},
        {"SET n = b, b = n",                  "{b: 10, n: [1], pk: 'p', s: <'a', 'b'>}"},
        {"SET a = b[0]",                      "{a: 1, b: [1], n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET a = :map, z = :null, t = :true, x = :bin", "{a: {q: 1}, b: [1], n: 10, pk: 'p', s: <'a', 'b'>, t: true, x: b'b', z: null}"},
        {"REMOVE n",                          "{b: [1], pk: 'p', s: <'a', 'b'>}"},
        {"REMOVE n, absent, b",               "{pk: 'p', s: <'a', 'b'>}"},
        {"ADD n :5",                          "{b: [1], n: 15, pk: 'p', s: <'a', 'b'>}"},
        {"ADD c :m3",                         "{b: [1], c: -3, n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"ADD s :bc",                         "{b: [1], n: 10, pk: 'p', s: <'a', 'b', 'c'>}"},
        {"ADD c :bc",                         "{b: [1], c: <'b', 'c'>, n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"DELETE s :a",                       "{b: [1], n: 10, pk: 'p', s: <'b'>}"},
        {"DELETE s :bc",                      "{b: [1], n: 10, pk: 'p', s: <'a'>}"},
        {"DELETE s :ab",                      "{b: [1], n: 10, pk: 'p'}"},
        {"DELETE c :ab",                      "{b: [1], n: 10, pk: 'p', s: <'a', 'b'>}"},
        {"SET a = :1 REMOVE b ADD n :1 DELETE s :a", "{a: 1, n: 11, pk: 'p', s: <'b'>}"},
        {"delete s :a add n :1 remove b set a = :1", "{a: 1, n: 11, pk: 'p', s: <'b'>}"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(update(c.text, item, bindings()), c.want);
    }
}

TEST(UpdateExpression, ChangesWhatIsInsideAttributes) {
    const Item item{{"l", Value::list({"l0", "l1", "l2"})},
                    {"m", Value::map(Item{{"k", 1},
                                          {"n", Value::map(Item{{"o", 5}})},
                                          {"t", Value::string_set({"x", "a"})}})}};
    struct Case {
        std::string_view text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"SET m.k = :s",                      "{l: ['l0', 'l1', 'l2'], m: {k: 'new', n: {o: 5}, t: <'a', 'x'>}}"},
        {"SET m.a = :1, m.z = :1",            "{l: ['l0', 'l1', 'l2'], m: {a: 1, k: 1, n: {o: 5}, t: <'a', 'x'>, z: 1}}"},
        {"SET #m.n.o = #m.n.o + #m.#k",       "{l: ['l0', 'l1', 'l2'], m: {k: 1, n: {o: 6}, t: <'a', 'x'>}}"},
        {"SET m.n.p = if_not_exists(m.n.p, :5)", "{l: ['l0', 'l1', 'l2'], m: {k: 1, n: {o: 5, p: 5}, t: <'a', 'x'>}}"},
        {"SET l[0] = :1",                     "{l: [1, 'l1', 'l2'], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"SET l[3] = :1",                     "{l: ['l0', 'l1', 'l2', 1], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"SET l[99] = :1",                    "{l: ['l0', 'l1', 'l2', 1], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"SET l[20] = :1, l[10] = :5",        "{l: ['l0', 'l1', 'l2', 5, 1], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"REMOVE l[0]",                       "{l: ['l1', 'l2'], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"REMOVE l[0], l[1]",                 "{l: ['l2'], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"REMOVE l[2], l[0], l[1]",           "{l: [], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"REMOVE l[7]",                       "{l: ['l0', 'l1', 'l2'], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"SET l[1] = :1 REMOVE l[0]",         "{l: [1, 'l2'], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"REMOVE l[2] SET l[5] = :1",         "{l: ['l0', 'l1', 1], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"SET l[0] = l[2], l[2] = l[0]",      "{l: ['l2', 'l1', 'l0'], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"REMOVE m.n.o, m.absent",            "{l: ['l0', 'l1', 'l2'], m: {k: 1, n: {}, t: <'a', 'x'>}}"},
        {"REMOVE m.k, l",                     "{m: {n: {o: 5}, t: <'a', 'x'>}}"},
        {"ADD m.k :5, m.n.c :1",              "{l: ['l0', 'l1', 'l2'], m: {k: 6, n: {c: 1, o: 5}, t: <'a', 'x'>}}"},
        {"ADD m.t :bc",                       "{l: ['l0', 'l1', 'l2'], m: {k: 1, n: {o: 5}, t: <'a', 'b', 'c', 'x'>}}"},
        {"DELETE m.t :a",                     "{l: ['l0', 'l1', 'l2'], m: {k: 1, n: {o: 5}, t: <'x'>}}"},
        {"DELETE m.absent :a",                "{l: ['l0', 'l1', 'l2'], m: {k: 1, n: {o: 5}, t: <'a', 'x'>}}"},
        {"SET a = m.n, m.n.o = :1",           "{a: {o: 5}, l: ['l0', 'l1', 'l2'], m: {k: 1, n: {o: 1}, t: <'a', 'x'>}}"},
        {"SET m.l = list_append(l, l)",       "{l: ['l0', 'l1', 'l2'], m: {k: 1, l: ['l0', 'l1', 'l2', 'l0', 'l1', 'l2'], n: {o: 5}, t: <'a', 'x'>}}"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(update(c.text, item, bindings()), c.want);
    }
}

TEST(UpdateExpression, RefusesWhatDoesNotFitTheItem) {
    const std::string type = "An operand in the update expression has an incorrect data type";
    const std::string path =
        "The document path provided in the update expression is invalid for update";
    const std::string missing =
        "The provided expression refers to an attribute that does not exist in the item";
    // clang-format off
    const std::pair<std::string_view, std::string> cases[] = {
        {"SET a = absent",                 missing},
        {"SET a = m.absent",               missing},
        {"SET a = l[3]",                   missing},
        {"SET a = absent + :1",            missing},
        {"SET a = list_append(absent, :list)", missing},
        {"SET a = if_not_exists(absent, gone)", missing},
        {"SET a = s + :1",                 type},
        {"SET a = :1 - s",                 type},
        {"SET a = list_append(s, :list)",  type},
        {"SET a = list_append(:list, n)",  type},
        {"SET a = if_not_exists(s, :1) + :1", type},
        {"ADD s :1",                       type},
        {"ADD n :ab",                      type},
        {"ADD ns :ab",                     type},
        {"DELETE n :ab",                   type},
        {"DELETE ns :ab",                  type},
        {"SET absent.x = :1",              path},
        {"SET m.absent.x = :1",            path},
        {"SET s.x = :1",                   path},
        {"SET m[0] = :1",                  path},
        {"SET l.x = :1",                   path},
        {"SET l[9].x = :1",                path},
        {"REMOVE absent.x",                path},
        {"REMOVE absent[0]",               path},
        {"ADD absent.x :1",                path},
        {"DELETE absent.x :a",             path},
        {"ADD m.n :1",                     type},
    };
    // clang-format on
    for (const auto& [text, want] : cases) {
        SCOPED_TRACE(text);
        EXPECT_EQ(update(text, sample(), bindings()), want);
    }
    const auto overflow = update("SET n = :big + :big", sample(), bindings());
    EXPECT_NE(overflow.find("magnitude"), std::string::npos) << overflow;
}

TEST(UpdateExpression, RefusalsBeforeAnyItemAreDynamoDbsSentences) {
    const std::string types =
        "Incorrect operand type for operator or function; operator or function: ";
    const std::string actions = "Incorrect operand type for operator or function; operator: ";
    const std::string overlap =
        "Two document paths overlap with each other; must remove or rewrite one of these paths; ";
    const std::string conflict =
        "Two document paths conflict with each other; must remove or rewrite one of these paths; ";
    // clang-format off
    const std::pair<std::string_view, std::string> cases[] = {
        {"SET a = :1 SET b = :1",        "The \"SET\" section can only be used once in an update expression;"},
        {"REMOVE a ADD n :1 remove b",   "The \"REMOVE\" section can only be used once in an update expression;"},
        {"SET a = foo(:1)",              "Invalid function name; function: foo"},
        {"SET a = size(b)",              "The function is not allowed in an update expression; function: size"},
        {"SET a = IF_NOT_EXISTS(a, :1)", "Invalid function name; function: IF_NOT_EXISTS"},
        {"SET a = if_not_exists(a)",     "Incorrect number of operands for operator or function; operator or function: if_not_exists, number of operands: 1"},
        {"SET a = list_append(list_append(a, b), c)", "The function is not allowed to be used this way in an expression; function: list_append"},
        {"SET a = list_append(c, (list_append(a, b)))", "The function is not allowed to be used this way in an expression; function: list_append"},
        {"SET a = list_append(:s, if_not_exists(b, list_append(:s, :s)))", "The function is not allowed to be used this way in an expression; function: list_append"},
        {"SET a = list_append(if_not_exists(b, if_not_exists(c, list_append(b, b))), c)", "The function is not allowed to be used this way in an expression; function: list_append"},
        {"SET a = list_append(a, b, c)", "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: 3"},
        {"SET a = if_not_exists(:1, a)", "Operator or function requires a document path; operator or function: if_not_exists"},
        {"SET #x = :1",                  "An expression attribute name used in the document path is not defined; attribute name: #x"},
        {"SET a = #x",                   "An expression attribute name used in the document path is not defined; attribute name: #x"},
        {"SET a = :x",                   "An expression attribute value used in expression is not defined; attribute value: :x"},
        {"ADD a :x",                     "An expression attribute value used in expression is not defined; attribute value: :x"},
        {"SET a = :x, b = #x",           "An expression attribute name used in the document path is not defined; attribute name: #x"},
        {"SET a = :1, a = :1",           overlap + "path one: [a], path two: [a]"},
        {"SET a = :1 REMOVE a.b",        overlap + "path one: [a], path two: [a, b]"},
        {"SET l[0].x = :1 REMOVE #l[0]", overlap + "path one: [l, [0], x], path two: [l, [0]]"},
        {"SET a.b = :1 REMOVE a[0]",     conflict + "path one: [a, b], path two: [a, [0]]"},
        {"SET a = :x, a = :1",           overlap + "path one: [a], path two: [a]"},
        {"SET a = a + :s",               types + "+, operand type: S"},
        {"SET a = :list - a",            types + "-, operand type: L"},
        {"SET a = list_append(a, :1)",   types + "list_append, operand type: N"},
        {"SET a = if_not_exists(a, list_append(:s, b))", types + "list_append, operand type: S"},
        {"ADD a :s",                     actions + "ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND"},
        {"ADD a :list",                  actions + "ADD, operand type: LIST, typeSet: ALLOWED_FOR_ADD_OPERAND"},
        {"ADD a :map",                   actions + "ADD, operand type: MAP, typeSet: ALLOWED_FOR_ADD_OPERAND"},
        {"DELETE a :1",                  actions + "DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
        {"DELETE a :true",               actions + "DELETE, operand type: BOOLEAN, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
        {"DELETE a :null",               actions + "DELETE, operand type: NULL, typeSet: ALLOWED_FOR_DELETE_OPERAND"},
    };
    // clang-format on
    for (const auto& [text, want] : cases) {
        SCOPED_TRACE(text);
        EXPECT_EQ(update(text, sample(), bindings()), "Invalid UpdateExpression: " + want);
    }
}

TEST(UpdateExpression, ShowsWhatItsPathsHeldAndHold) {
    struct Case {
        std::string_view text, old_parts, new_parts;
    };
    // clang-format off
    const Case cases[] = {
        {"SET n = :5",                 "{n: 10}",              "{n: 5}"},
        {"SET a = :5",                 "{}",                   "{a: 5}"},
        {"REMOVE n",                   "{n: 10}",              "{}"},
        {"SET m.k = :s",               "{m: {k: 1}}",          "{m: {k: 'new'}}"},
        {"SET m.k = :s, m.n.o = :1",   "{m: {k: 1, n: {o: 5}}}", "{m: {k: 'new', n: {o: 1}}}"},
        {"SET l[1] = :1, n = :5",      "{l: ['l1'], n: 10}",   "{l: [1], n: 5}"},
        {"SET l[2] = :1, l[0] = :5",   "{l: ['l0', 'l2']}",    "{l: [5, 1]}"},
        {"ADD n :1 DELETE ss :a",      "{n: 10, ss: <'a', 'b'>}", "{n: 11, ss: <'b'>}"},
        {"DELETE ss :ab",              "{ss: <'a', 'b'>}",     "{}"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(update(c.text, sample(), bindings(), ReturnValues::updated_old), c.old_parts);
        EXPECT_EQ(update(c.text, sample(), bindings(), ReturnValues::updated_new), c.new_parts);
    }
}

TEST(UpdateExpression, DoesNotNestBeyondTheLimit) {
    Value deep = Value::list({1});
    for (int i = 1; i < 31; ++i) deep = Value::list({deep});
    const Bindings values{{}, {{":deep", deep}, {":deeper", Value::list({deep})}}};
    const Item item{{"m", Value::map(Item{})}};
    EXPECT_EQ(update("SET m.a = :deep", item, values).substr(0, 9), "{m: {a: [");
    EXPECT_EQ(update("SET m.a = :deeper", item, values),
              "Nesting Levels have exceeded supported limits");
}

TEST(UpdateExpression, TellsWhichAttributesItTouches) {
    ExpressionCache cache;
    BindingUse use(bindings());
    const auto bound =
        bind(*cache.update("SET #m.x = d.e, b = :1 REMOVE a, #m.y"), bindings(), use);
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->attributes(), (std::vector<std::string_view>{"m", "b", "a"}));
    EXPECT_TRUE(bound->writes("m"));
    EXPECT_TRUE(bound->writes_inside("m"));
    EXPECT_FALSE(bound->writes_inside("b"));
    EXPECT_FALSE(bound->writes("d"));
    EXPECT_TRUE(bound->reads_inside("d"));
    EXPECT_FALSE(bound->reads_inside("m"));
}

TEST(UpdateExpression, ATreeMadeByHandIsAppliedLikeOneFromText) {
    Update tree;
    const auto counter = Path::attribute("status");
    tree.actions.push_back(UpdateAction::set(
        counter, UpdateValue::sum(UpdateValue::if_not_exists(counter, UpdateValue::constant(40)),
                                  UpdateValue::constant(2))));
    tree.actions.push_back(UpdateAction::remove(Path::attribute("#literal")));
    tree.actions.push_back(UpdateAction::add(Path::attribute("tags"),
                                             UpdateValue::constant(Value::string_set({"t"}))));
    const Bindings none;
    BindingUse use(none);
    const auto compiled = compile(tree, ExpressionUse::partiql);
    ASSERT_TRUE(compiled);
    const auto bound = bind(*compiled, none, use);
    ASSERT_TRUE(bound);
    const auto effect = bound->apply(Item{{"#literal", 1}, {"pk", "p"}});
    ASSERT_TRUE(effect);
    EXPECT_EQ(testing::show(effect->item.view()), "{pk: 'p', status: 42, tags: <'t'>}");
}

TEST(UpdateExpression, ResultsAreCanonical) {
    const auto made = update("SET a = :1, m.z = :s, m.a = :ab ADD ns :n2", sample(), bindings());
    const Item expected{
        {"a", 1},
        {"l", Value::list({"l0", "l1", "l2"})},
        {"m", Value::map(Item{{"a", Value::string_set({"a", "b"})},
                              {"k", 1},
                              {"n", Value::map(Item{{"o", 5}})},
                              {"tags", Value::string_set({"x"})},
                              {"z", "new"}})},
        {"n", 10},
        {"ns", testing::set_of_numbers({1, 2, 3})},
        {"pk", "p"},
        {"s", "text"},
        {"ss", Value::string_set({"a", "b"})},
    };
    EXPECT_EQ(made, testing::show(expected.view()));

    ExpressionCache cache;
    BindingUse use(bindings());
    const auto bound =
        bind(*cache.update("SET a = :1, m.z = :s, m.a = :ab ADD ns :n2"), bindings(), use);
    ASSERT_TRUE(bound);
    const auto effect = bound->apply(sample());
    ASSERT_TRUE(effect);
    EXPECT_EQ(effect->item, expected);  // Byte by byte.
}

}  // namespace
}  // namespace mailroom::table
