#include "table/expression/projection.h"

#include "table/expression/expression_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

using testing::project;

const Item& sample() {
    static const Item item{
        {"a", 1},
        {"b", "two"},
        {"l", Value::list({"l0", "l1", Value::map(Item{{"x", 1}, {"y", 2}}), "l3"})},
        {"m", Value::map(Item{{"k", "v"}, {"n", Value::map(Item{{"o", 1}, {"p", 2}})}})},
        {"status", "open"},
        {"with.dot", 5},
    };
    return item;
}

TEST(Projection, KeepsWhatItNames) {
    struct Case {
        std::string_view text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"a",                    "{a: 1}"},
        {"b, a",                 "{a: 1, b: 'two'}"},
        {"a, absent",            "{a: 1}"},
        {"absent",               "{}"},
        {"#s",                   "{status: 'open'}"},
        {"#dot",                 "{with.dot: 5}"},
        {"m.k",                  "{m: {k: 'v'}}"},
        {"m.n.p, a",             "{a: 1, m: {n: {p: 2}}}"},
        {"m.n.p, m.k",           "{m: {k: 'v', n: {p: 2}}}"},
        {"m.absent",             "{}"},
        {"m.absent, m.k",        "{m: {k: 'v'}}"},
        {"m.k.x",                "{}"},
        {"a.x",                  "{}"},
        {"m[0]",                 "{}"},
        {"l.x",                  "{}"},
        {"l[0]",                 "{l: ['l0']}"},
        {"l[3], l[1]",           "{l: ['l1', 'l3']}"},
        {"l[9]",                 "{}"},
        {"l[9], l[0]",           "{l: ['l0']}"},
        {"l[2].y, l[0]",         "{l: ['l0', {y: 2}]}"},
        {"l[2].absent, l[0]",    "{l: ['l0']}"},
        {" m . n . o , l [ 2 ] ", "{l: [{x: 1, y: 2}], m: {n: {o: 1}}}"},
    };
    // clang-format on
    const Bindings bindings{{{"#s", "status"}, {"#dot", "with.dot"}}, {}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(project(c.text, sample(), bindings), c.want);
    }
}

TEST(Projection, PathsMustNotOverlap) {
    struct Case {
        std::string_view text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"a, a",             "overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]"},
        {"m, m.k",           "overlap with each other; must remove or rewrite one of these paths; path one: [m], path two: [m, k]"},
        {"m.n.o, x, m.n",    "overlap with each other; must remove or rewrite one of these paths; path one: [m, n, o], path two: [m, n]"},
        {"l[1], l[1].x",     "overlap with each other; must remove or rewrite one of these paths; path one: [l, [1]], path two: [l, [1], x]"},
        {"#s, b, status1, #t", "overlap with each other; must remove or rewrite one of these paths; path one: [status], path two: [status]"},
        {"m.k, m[0]",        "conflict with each other; must remove or rewrite one of these paths; path one: [m, k], path two: [m, [0]]"},
        {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p.q,p.r,p.q.s",
                             "overlap with each other; must remove or rewrite one of these paths; path one: [p, q], path two: [p, q, s]"},
        {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p[2],q,p.r",
                             "conflict with each other; must remove or rewrite one of these paths; path one: [p, [2]], path two: [p, r]"},
    };
    // clang-format on
    const Bindings bindings{{{"#s", "status"}, {"#t", "status"}}, {}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(project(c.text, sample(), bindings),
                  "Invalid ProjectionExpression: Two document paths " + std::string(c.want));
    }
    EXPECT_EQ(project("a, #undefined", sample(), {}),
              "Invalid ProjectionExpression: An expression attribute name used in the document "
              "path is not defined; attribute name: #undefined");
}

TEST(Projection, TellsWhichAttributesItReads) {
    const Bindings bindings{{{"#m", "m"}}, {}};
    BindingUse use(bindings);
    ExpressionCache cache;
    const auto bound = bind(*cache.projection("#m.x, b, #m.y, a"), bindings, use);
    ASSERT_TRUE(bound);
    EXPECT_EQ(bound->attributes(), (std::vector<std::string_view>{"a", "b", "m"}));
    EXPECT_TRUE(bound->reads("m"));
    EXPECT_FALSE(bound->reads("x"));
    EXPECT_TRUE(bound->reads_inside("m"));
    EXPECT_FALSE(bound->reads_inside("a"));
}

TEST(Projection, PathsMadeByHandNeedNoText) {
    const Bindings none;
    BindingUse use(none);
    const auto compiled =
        compile({Path::attribute("status"), Path::attribute("with.dot")}, ExpressionUse::partiql);
    ASSERT_TRUE(compiled);
    const auto bound = bind(*compiled, none, use);
    ASSERT_TRUE(bound);
    EXPECT_EQ(testing::show(bound->project(sample()).view()), "{status: 'open', with.dot: 5}");
}

}  // namespace
}  // namespace mailroom::table
