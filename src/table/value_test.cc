#include "table/value.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

TEST(Value, EncodingIsPinned) {
    EXPECT_EQ(Value("ab").encoded(), std::string("S\x02"
                                                 "ab"));
    EXPECT_EQ(Value(true).encoded(), "T");
    EXPECT_EQ(Value(false).encoded(), "F");
    EXPECT_EQ(Value::null().encoded(), "Z");
    EXPECT_EQ(Value(0).encoded(), std::string("N\x01\x01"));
    EXPECT_EQ(Value::list({Value("a"), Value(true)}).encoded(), std::string("L\x04S\x01"
                                                                            "aT"));
    EXPECT_EQ(Value::string_set({"b", "a", "b"}).encoded(), std::string("s\x04\x01"
                                                                        "a\x01"
                                                                        "b"));
    EXPECT_EQ(Value::map(Item{{"k", "v"}}).encoded(), std::string("M\x05\x01kS\x01v"));
    const std::string long_text(300, 'x');
    EXPECT_EQ(Value(long_text).encoded(), std::string("S\xac\x02") + long_text);
}

TEST(Item, FieldsAreSortedWhateverTheOrderTheyAreSetIn) {
    const Item one{{"b", 2}, {"a", 1}, {"c", 3}};
    const Item two{{"c", 3}, {"b", 2}, {"a", 1}};
    EXPECT_EQ(one, two);
    std::string names;
    for (const auto& field : one.view()) names += field.name;
    EXPECT_EQ(names, "abc");
}

TEST(Item, AListOfFieldsMakesTheSameItemAsSettingThem) {
    const Item listed{{"b", 2}, {"a", std::string(300, 'x')}, {"b", 3}, {"", true}, {"a", "y"}};
    Item set;
    set.set("b", Value(2)).set("a", Value(std::string(300, 'x'))).set("b", Value(3));
    set.set("", Value(true)).set("a", Value("y"));
    EXPECT_EQ(listed, set);
    EXPECT_EQ(listed.view().count(), 3u);
}

TEST(Item, SetReplacesAndEraseRemoves) {
    Item item{{"a", 1}, {"b", "x"}};
    item.set("a", Value(5)).set("c", Value(true)).erase("b").erase("missing");
    EXPECT_EQ(item, (Item{{"a", 5}, {"c", true}}));
    EXPECT_EQ(item.integer("a"), 5);
    EXPECT_EQ(item.boolean("c"), true);
    EXPECT_EQ(item.text("a"), std::nullopt) << "a number is no text";
    EXPECT_EQ(item.find("b"), std::nullopt);
}

TEST(Item, SizeCountsAsDynamoDbDoes) {
    struct Case {
        const char* name;
        Value value;
        std::size_t bytes;
    };
    // clang-format off
    const Case cases[] = {
        {"string", Value("héllo"), 6},
        {"binary", Value::binary("1234"), 4},
        {"true", Value(true), 1},
        {"null", Value::null(), 1},
        {"zero", Value(0), 1},
        {"one digit", Value(7), 2},
        {"two digits", Value(42), 2},
        {"negative", Value(-42), 3},
        {"three digits", Value(123), 3},
        {"empty list", Value::list({}), 3},
        {"list", Value::list({Value("ab"), Value(true)}), 3 + 1 + 2 + 1 + 1},
        {"map", Value::map(Item{{"key", "ab"}}), 3 + 1 + 3 + 2},
        {"string set", Value::string_set({"a", "bc"}), 3},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(c.value.view().size_in_item(), c.bytes);
        EXPECT_EQ((Item{{"name", c.value}}.view().size_in_item()), c.bytes + 4);
    }
}

TEST(Views, WalkNestedValuesInPlace) {
    const Item item{{"list", Value::list({Value(1), Value::map(Item{{"deep", "here"}})})},
                    {"set", Value::string_set({"x", "y"})}};
    const auto list = item.find("list")->list();
    EXPECT_EQ(list.count(), 2u);
    EXPECT_EQ(list.at(0)->number().text(), "1");
    EXPECT_EQ(list.at(1)->map().text("deep"), "here");
    EXPECT_EQ(list.at(2), std::nullopt);
    EXPECT_TRUE(item.find("set")->set().contains("y"));
    EXPECT_FALSE(item.find("set")->set().contains("z"));
}

}  // namespace
}  // namespace mailroom::table
