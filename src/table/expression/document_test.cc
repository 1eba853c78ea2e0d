#include "table/expression/document.h"

#include "table/expression/expression_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

const Item& sample() {
    static const Item item{{"l", Value::list({1, Value::map(Item{{"x", 1}}), 3})},
                           {"m", Value::map(Item{{"k", "v"}})},
                           {"n", 1}};
    return item;
}

Document::Step field(std::string_view name) { return {false, 0, name}; }
Document::Step element(std::uint32_t index) { return {true, index, {}}; }

TEST(Document, WithoutChangesIsTheSameItem) {
    EXPECT_EQ(Document(sample()).encode(), sample());
    EXPECT_EQ(Document(Item{}).encode(), Item{});
}

TEST(Document, IndexesMeanTheElementsThatWereThereAtFirst) {
    const Value one("one"), two("two");
    Document document(sample());
    EXPECT_TRUE(document.remove({field("l"), element(0)}));
    EXPECT_TRUE(document.set({field("l"), element(1), field("y")}, one));
    EXPECT_TRUE(document.set({field("l"), element(9)}, two));
    EXPECT_TRUE(document.remove({field("l"), element(7)}));
    EXPECT_TRUE(document.set({field("a")}, one));
    EXPECT_EQ(testing::show(document.encode().view()),
              "{a: 'one', l: [{x: 1, y: 'one'}, 3, 'two'], m: {k: 'v'}, n: 1}");
}

TEST(Document, PathsThatLeadNowhereAreRefusedAndChangeNothing) {
    const Value value(1);
    const Document::Path paths[] = {
        {field("absent"), field("x")},
        {field("n"), field("x")},
        {field("n"), element(0)},
        {field("m"), element(0)},
        {field("l"), field("x")},
        {field("l"), element(9), field("x")},
        {field("m"), field("absent"), field("x")},
    };
    Document document(sample());
    for (const auto& path : paths) {
        EXPECT_FALSE(document.set(path, value));
        EXPECT_FALSE(document.remove(path));
    }
    EXPECT_EQ(document.encode(), sample());
}

TEST(Document, CountsLevelsOfListsAndMaps) {
    EXPECT_EQ(nesting_levels(Value(1)), 0u);
    EXPECT_EQ(nesting_levels(Value::string_set({"a"})), 0u);
    EXPECT_EQ(nesting_levels(Value::list({})), 1u);
    EXPECT_EQ(nesting_levels(Value::list({1, Value::map(Item{{"a", Value::list({})}})})), 3u);
}

}  // namespace
}  // namespace mailroom::table
