#include "table/partiql/parser.h"

#include "table/partiql/expression_text.h"
#include "table/partiql/partiql_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table::partiql {
namespace {

using testing::filled;
using testing::shown;

std::string condition(const std::optional<Predicate>& where) {
    if (!where) return "";
    Bindings bind;
    const auto text = ExpressionText(bind).condition(*where);
    return " where " + filled(text, bind);
}

std::string describe(const Select& select) {
    std::string text = "select";
    for (const auto& column : select.columns) {
        Bindings bind;
        text += " " + filled(ExpressionText(bind).path(column.path), bind) + " as " + column.name;
    }
    text += " from " + select.from.table;
    if (select.from.index) text += "/" + *select.from.index;
    text += condition(select.where);
    for (const auto& key : select.order) {
        text += " order " + key.name + (key.descending ? " down" : " up");
    }
    return text;
}

std::string describe(const Insert& insert) {
    return "insert " + insert.table + " " + shown(insert.item.view());
}

std::string describe(const Update& update) {
    Bindings bind;
    const auto text = ExpressionText(bind).update(update.changes);
    return "update " + update.table + " " + filled(text, bind) + condition(update.where) +
           (update.returns == ReturnValues::none
                ? ""
                : " returning " + std::to_string(static_cast<int>(update.returns)));
}

std::string describe(const Delete& erase) {
    return "delete " + erase.table + condition(erase.where) +
           (erase.returns == ReturnValues::none ? "" : " returning");
}

std::string describe(const Exists& exists) { return "exists " + describe(exists.select); }

std::string parsed(std::string_view text, const std::vector<Value>& parameters = {}) {
    const auto syntax = parse(text, parameters);
    if (!syntax) return "refused: " + syntax.error().message;
    return std::visit([](const auto& tree) { return describe(tree); }, *syntax);
}

TEST(PartiqlParser, ReadsEveryFormOfStatement) {
    struct Case {
        std::string_view text, want;
    };
    // clang-format off
    const Case cases[] = {
        {R"(SELECT * FROM "t")", "select from t"},
        {"select * from t;", "select from t"},
        {"SELECT a, \"b c\" FROM t", "select a as a b c as b c from t"},
        {"SELECT a.b, l[0], m.k[1], x['y'] FROM t", "select a.b as b l[0] as l[0] m.k[1] as k[1] x.y as y from t"},
        {R"(SELECT * FROM "t"."i" WHERE a=1)", "select from t/i where a = 1"},
        {"SELECT * FROM t WHERE a = 1 AND b <> 'x' OR c < 2", "select from t where (a = 1 AND b <> 'x') OR c < 2"},
        {"SELECT * FROM t WHERE a = 1 AND (b != 'x' OR c <= 2)", "select from t where a = 1 AND (b <> 'x' OR c <= 2)"},
        {"SELECT * FROM t WHERE NOT a > 1 AND b >= 2", "select from t where NOT (a > 1) AND b >= 2"},
        {"SELECT * FROM t WHERE 5 < a", "select from t where a > 5"},
        {"SELECT * FROM t WHERE (a) = (b.c[2])", "select from t where a = b.c[2]"},
        {"SELECT * FROM t WHERE a IN [1, 'b', true]", "select from t where a IN (1, 'b', true)"},
        {"SELECT * FROM t WHERE a NOT IN (1, 2)", "select from t where NOT (a IN (1, 2))"},
        {"SELECT * FROM t WHERE a BETWEEN 1 AND 2 AND b = 3", "select from t where a BETWEEN 1 AND 2 AND b = 3"},
        {"SELECT * FROM t WHERE a NOT BETWEEN 1 AND 2", "select from t where NOT (a BETWEEN 1 AND 2)"},
        {"SELECT * FROM t WHERE begins_with(a, 'x')", "select from t where begins_with(a, 'x')"},
        {"SELECT * FROM t WHERE CONTAINS(a.b, 1)", "select from t where contains(a.b, 1)"},
        {"SELECT * FROM t WHERE attribute_type(a, 'S')", "select from t where attribute_type(a, 'S')"},
        {"SELECT * FROM t WHERE attribute_type('a', 'S')", "select from t where attribute_type('a', 'S')"},
        {"SELECT * FROM t WHERE size(a) > 3", "select from t where size(a) > 3"},
        {"SELECT * FROM t WHERE attribute_exists(a) = true", "select from t where attribute_exists(a)"},
        {"SELECT * FROM t WHERE attribute_exists(a) = false", "select from t where NOT (attribute_exists(a))"},
        {"SELECT * FROM t WHERE a IS MISSING", "select from t where attribute_not_exists(a)"},
        {"SELECT * FROM t WHERE a IS NOT MISSING", "select from t where attribute_exists(a)"},
        {"SELECT * FROM t WHERE a IS NULL", "select from t where attribute_type(a, 'NULL')"},
        {"SELECT * FROM t WHERE a IS NOT NULL", "select from t where NOT (attribute_type(a, 'NULL'))"},
        {"SELECT * FROM t WHERE a IS string", "select from t where attribute_type(a, 'S')"},
        {"SELECT * FROM t WHERE a = 1 ORDER BY b DESC, c ASC, d", "select from t where a = 1 order b down order c up order d up"},
        {"-- one\nSELECT /* two */ * FROM t -- three", "select from t"},
        {"INSERT INTO t VALUE {'a': 'it''s', 'b': -1.5e1, 'c': TRUE, 'd': NULL}", "insert t {a: 'it's', b: -15, c: true, d: null}"},
        {"INSERT INTO t VALUE {'l': [1, [2]], 'm': {'x': {}}, 's': <<'b', 'a'>>, 'n': <<2, 10>>}", "insert t {l: [1, [2]], m: {x: {}}, n: <<2, 10>>, s: <<'a', 'b'>>}"},
        {"INSERT INTO t VALUE {'a': .5}", "insert t {a: 0.5}"},
        {"UPDATE t SET a = 1, b.c[2] = 'x' WHERE k = 1", "update t SET a = 1, b.c[2] = 'x' where k = 1"},
        {"UPDATE t SET a = 1 SET b = 2 REMOVE c REMOVE d.e WHERE k = 1", "update t SET a = 1, b = 2 REMOVE c, d.e where k = 1"},
        {"UPDATE t SET n=n-1 WHERE k=1", "update t SET n = n - 1 where k = 1"},
        {"UPDATE t SET n = n + 1 WHERE k = 1 RETURNING ALL NEW *", "update t SET n = n + 1 where k = 1 returning 3"},
        {"UPDATE t SET l = list_append(l, [1]) WHERE k = 1 RETURNING MODIFIED OLD *", "update t SET l = list_append(l, [1]) where k = 1 returning 2"},
        {"UPDATE t SET s = SET_ADD(s, <<'a'>>) SET u = set_delete(u, <<1>>) WHERE k = 1", "update t ADD s <<'a'>> DELETE u <<1>> where k = 1"},
        {"FROM t WHERE k = 1 SET a = 2", "update t SET a = 2 where k = 1"},
        {"DELETE FROM t WHERE k = 1", "delete t where k = 1"},
        {"DELETE FROM t WHERE k = 1 RETURNING ALL OLD *", "delete t where k = 1 returning"},
        {"EXISTS(SELECT * FROM t WHERE k = 1 AND a IS MISSING)", "exists select from t where k = 1 AND attribute_not_exists(a)"},
    };
    // clang-format on
    for (const auto& c : cases) EXPECT_EQ(parsed(c.text), c.want) << c.text;
}

TEST(PartiqlParser, PutsParametersInTheOrderOfTheQuestionMarks) {
    EXPECT_EQ(parsed("UPDATE t SET a = ?, b = [?, 2] WHERE k = ? AND c IN (?, ?)",
                     {1, "two", Value::null(), Value::string_set({"x"}), Value::binary("z")}),
              "update t SET a = 1, b = ['two', 2] where k = null AND c IN (<<'x'>>, b'7a')");
    EXPECT_EQ(parsed("SELECT * FROM t WHERE attribute_type(?, 'S')", {"x"}),
              "select from t where attribute_type('x', 'S')");
    EXPECT_EQ(parsed("SELECT * FROM t WHERE a = '?'"), "select from t where a = '?'");
    const std::string refusal =
        "refused: Number of parameters in request and statement don't match.";
    EXPECT_EQ(parsed("SELECT * FROM t WHERE a = ?"), refusal);
    EXPECT_EQ(parsed("SELECT * FROM t WHERE a = ? AND b = ?", {1}), refusal);
}

TEST(PartiqlParser, PassesOverParametersThatNoQuestionMarkAsksFor) {
    EXPECT_EQ(parsed("SELECT * FROM t WHERE a = ?", {1, 2}), "select from t where a = 1");
    EXPECT_EQ(parsed("SELECT * FROM t", {1}), "select from t");
    EXPECT_EQ(parsed("INSERT INTO \"T\" VALUE {'Id': ?, 'Status': ?}", {"a", "b", "c"}),
              parsed("INSERT INTO \"T\" VALUE {'Id': ?, 'Status': ?}", {"a", "b"}));
}

TEST(PartiqlParser, RefusesTextThatIsNoStatementAsDynamoDbDoes) {
    struct Case {
        std::string_view text, want;  // After "Statement wasn't well formed, can't be processed: ".
    };
    // clang-format off
    const Case cases[] = {
        {"SLECT * FROM t", "Expected data manipulation"},
        {"   ", "Expected data manipulation"},
        {"UPDATE Payment-x SET a = 1 WHERE k = 1", "Expected data manipulation"},
        {"SELECT * FROM t WHERE", "Unexpected term"},
        {"SELECT * FROM t WHERE;", "Unexpected term"},
        {"SELECT * FROM t WHERE NOT", "Unexpected term"},
        {"SELECT * FROM t WHERE (", "Unexpected term"},
        {"SELECT * FROM", "Unexpected term"},
        {"SELECT * FROM t WHERE ORDER BY a", "Unexpected keyword"},
        {"SELECT * FROM t WHERE IS NULL", "Unexpected operator"},
        {"SELECT * FROM t WHERE a = LIKE", "Unexpected operator"},
        {"SELECT * FROM t WHERE a = 1 AND", "Missing right-hand side expression of infix operator"},
        {"SELECT * FROM t WHERE a = 1 OR", "Missing right-hand side expression of infix operator"},
        {"SELECT * FROM t WHERE a = 1 foo", "Unexpected token after expression"},
        {"SELECT * FROM t WHERE a = 1 e5", "Unexpected token after expression"},
        {"SELECT * FROM t WHERE a = 1)", "Unexpected token after expression"},
        {"SELECT * FROM t; SELECT * FROM t", "Unexpected token after expression"},
        {"INSERT INTO t VALUE {'a': 1} foo", "Unexpected token after expression"},
        {"INSERT INTO t x VALUE {'a': 1}", "Unexpected token after expression"},
        {"DELETE FROM t WHERE a = 1 ORDER BY a", "Unexpected token after expression"},
        {"FROM t SET c = 1 WHERE a = 1", "Unexpected token after expression"},
        {"DELETE FROM", "Expected identifier for simple path"},
        {"DELETE FROM WHERE a = 1", "Expected identifier for simple path"},
        {"SELECT * FROM t WHERE (a = 1", "Expected RIGHT_PAREN"},
        {"SELECT * FROM t WHERE a.inner = 1", "Invalid path dot component"},
        {"SELECT * FROM t WHERE a IS FOO", "Expected type name"},
        {"SELECT * FROM t WHERE a = 1e99999999999", ""},
        {"SELECT * FROM t WHERE a = 1.5e-2147483647", ""},
        {"SELECT * FROM t WHERE a = 1 # note", ""},
        {"SELECT * FROM t WHERE a = 1 /* note", ""},
        {"SELECT * FROM t WHERE a = 'open", ""},
        {"SELECT * FROM \"open", ""},
        {"SELECT * FROM t WHERE a = '\xff'", ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        EXPECT_EQ(parsed(c.text), "refused: Statement wasn't well formed, can't be processed: " +
                                      std::string(c.want))
            << c.text;
    }
}

TEST(PartiqlParser, RefusesWhatDynamoDbDoesNotHaveInItsWords) {
    struct Case {
        std::string_view text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"SELECT * FROM t x WHERE a = 1", "Aliasing is not supported"},
        {"SELECT * FROM t AS x", "Aliasing is not supported"},
        {"SELECT a AS b FROM t", "Aliasing is not supported"},
        {"UPDATE t x SET a = 1 WHERE k = 1", "Aliasing is not supported"},
        {"DELETE FROM t x WHERE k = 1", "Aliasing is not supported"},
        {"SELECT COUNT(*) FROM t", "Unexpected path component at 1:8:5"},
        {"SELECT *, a FROM t", "Other attributes should not be present in the projection when '*' is used."},
        {"SELECT a, b.a FROM t", "Duplicate identifiers in select clause: a"},
        {"SELECT id FROM dbimp_page LIMIT 5", "Unsupported clause: LIMIT at 1:33:1"},
        {"SELECT * FROM a, b", "Only select from a single table or index is supported."},
        {"SELECT * FROM a JOIN b", "Only select from a single table or index is supported."},
        {"SELECT * FROM a.b.c", "A path may contain at most 2 components in the FROM clause"},
        {"SELECT * FROM t.\"\"", "Path component cannot be an empty string"},
        {"SELECT l[-1] FROM t", "List index is not within the allowable range; index: [-1] at 1:11:1"},
        {"SELECT l[99999999999] FROM t", "List index is not within the allowable range; index: [99999999999] at 1:10:11"},
        {"SELECT l[*] FROM t", "Wildcard path component like a[*].b are not supported"},
        {"SELECT a.* FROM t", "Unpivot path component like a.*.b are not supported"},
        {"SELECT * FROM t WHERE a", "WHERE clause must contain an expression that resolves to a boolean"},
        {"SELECT * FROM t WHERE a AND b = 1", "The arguments to AND/OR must be Expressions"},
        {"SELECT * FROM t WHERE a = MISSING", "MISSING must be compared using IS operator"},
        {"SELECT * FROM t WHERE a IN []", "IN operator must have a left hand argument of type Variable Reference and right hand argument of type Seq with at least one member"},
        {"SELECT * FROM t WHERE a + 1 = 2", "Unsupported operator in Condition Expression. Operator: +"},
        {"SELECT * FROM t WHERE a LIKE 'x'", "Unsupported operator in Condition Expression. Operator: LIKE"},
        {"SELECT * FROM t WHERE EXISTS(a)", "Unrecognized function: exists at 1:23:6"},
        {"SELECT * FROM t\nWHERE foo(a)", "Unrecognized function: foo at 2:7:3"},
        {"SELECT * FROM t WHERE 'é' = b AND foo(a)", "Unrecognized function: foo at 1:35:3"},
        {"SELECT * FROM t WHERE attribute_exists('a')", "Operator or function requires a document path; operator or function: attribute_exists"},
        {"SELECT * FROM t WHERE attribute_type(size(a), 'N')", "Operator or function requires a document path; operator or function: attribute_type"},
        {"SELECT * FROM t WHERE attribute_exists()", "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of operands: 0"},
        {"INSERT INTO t VALUES {'a': 1}", "Unsupported operation: Inserting multiple items in a single statement is not supported, use \"INSERT INTO tableName VALUE item\" instead"},
        {"INSERT INTO t VALUE 1", "Unsupported format in item expression. Please use struct format {...} to express item values for insert statement."},
        {"INSERT INTO t.i VALUE {'a': 1}", "FROM clause may only contain a single table name in data manipulation statements"},
        {"INSERT INTO t VALUE {'a': 1} RETURNING ALL OLD *", "RETURNING is not supported in INSERT"},
        {"INSERT INTO t VALUE {'a': 1, 'a': 2}", "Duplicate keys in tuple. Key: a under root"},
        {"INSERT INTO t VALUE {'a': MISSING}", "MISSING must be compared using IS operator"},
        {"INSERT INTO t VALUE {'a': <<>>}", "Empty bags are not supported"},
        {"INSERT INTO t VALUE {'a': <<1, 'b'>>}", "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
        {"INSERT INTO t VALUE {'a': [<<'a','a'>>]}", "One or more parameter values were invalid: Input collection [a, a] contains duplicates."},
        {"UPDATE t SET n = set_add(n, <<2, 2.0>>) WHERE k = 1", "One or more parameter values were invalid: Input collection [2, 2.0] contains duplicates! under root"},
        {"INSERT INTO t VALUE {'a': 1, 'ss': set_add(<<'a'>>, <<'b'>>)}", "Unsupported data type: set_add under key root at 1:36:7"},
        {"INSERT INTO t VALUE {'k': 1e126}", "Number overflow. Attempting to store a number with magnitude larger than supported range under root"},
        {"INSERT INTO t VALUE {'k': 1, 'm': {'x': 1e126}}", "Number overflow. Attempting to store a number with magnitude larger than supported range under root.x"},
        {"INSERT INTO t VALUE {'k': 1, 'l': [1, 1e-131]}", "Number underflow. Attempting to store a number with magnitude smaller than supported range under root[1]"},
        {"SELECT * FROM t WHERE a = 123456789012345678901234567890123456789", "Attempting to store more than 38 significant digits in a Number under root"},
        {"UPDATE t.i SET a = 1 WHERE k = 1", "This operation is not supported on an index"},
        {"DELETE FROM t.i WHERE k = 1", "This operation is not supported on an index"},
        {"UPDATE t SET a = b + 1 + 2 WHERE k = 1", "Unsupported operator in Update Expression. Operator: +"},
        {"UPDATE t SET a = b * 2 WHERE k = 1", "Unsupported operator in Update Expression. Operator: *"},
        {"UPDATE t SET a = foo(b) WHERE k = 1", "Unrecognized function: foo at 1:18:3"},
        {"UPDATE t SET t = set_add(ss, <<'x'>>) WHERE k = 1", "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
        {"UPDATE t SET ss = set_add(ss, 'x') WHERE k = 1", "The second argument to SET_ADD must be a value with type SET at 1:27:2"},
        {"UPDATE t SET ss = set_delete(ss) WHERE k = 1", "SET_DELETE must have exactly two arguments at 1:19:10"},
        {"DELETE FROM t WHERE k = 1 RETURNING MODIFIED OLD *", "Invalid returning clause: RETURNING MODIFIED OLD *. Only RETURNING ALL OLD * is allowed in DELETE statements."},
        {"UPDATE t SET a = 1 WHERE k = 1 RETURNING ALL NEW a", "Expected '*' after ( MODIFIED | ALL ) ( NEW | OLD ) in RETURNING clause"},
        {"", "1 validation error detected: Value '' at 'statement' failed to satisfy constraint: Member must have length greater than or equal to 1"},
    };
    // clang-format on
    for (const auto& c : cases) {
        EXPECT_EQ(parsed(c.text), "refused: " + std::string(c.want)) << c.text;
    }
}

std::string repeated(std::string_view part, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += part;
    return text;
}

TEST(PartiqlParser, BoundsLengthAndDepth) {
    const std::string start = "SELECT * FROM t WHERE ";
    const auto long_text = start + "a = '" + std::string(8192, 'x') + "'";
    EXPECT_NE(parsed(long_text).find("length less than or equal to 8192"), std::string::npos);
    // Characters are counted, not bytes.
    EXPECT_EQ(parsed(start + "a = '" + repeated("é", 4090) + "'").find("refused"),
              std::string::npos);

    struct Case {
        std::string name, text;
        bool accepted;
    };
    const std::string values = "INSERT INTO t VALUE {'a': ";
    const Case cases[] = {
        {"parentheses", start + repeated("(", 100) + "a = 1" + repeated(")", 100), true},
        {"too many parentheses", start + repeated("(", 101) + "a = 1" + repeated(")", 101), false},
        {"open parentheses", start + repeated("(", 8000), false},
        {"too many NOT", start + repeated("NOT ", 101) + "a = 1", false},
        {"functions", start + repeated("size(", 101) + "a" + repeated(")", 101), false},
        {"lists", values + repeated("[", 31) + repeated("]", 31) + "}", true},
        {"too many lists", values + repeated("[", 33) + repeated("]", 33) + "}", false},
        {"too many maps", values + repeated("{'x': ", 33) + "1" + repeated("}", 33) + "}", false},
        {"sums", "UPDATE t SET a = " + repeated("(", 4000), false},
        {"appends", "UPDATE t SET a = " + repeated("list_append(", 600), false},
        {"path", "SELECT a" + repeated(".b", 31) + " FROM t", true},
        {"path too long", "SELECT a" + repeated(".b", 32) + " FROM t", false},
        {"many terms", start + "a = 1" + repeated(" OR a = 1", 800), true},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(parsed(c.text).find("refused") == std::string::npos, c.accepted) << c.name;
    }
}

}  // namespace
}  // namespace mailroom::table::partiql
