#include "json/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace mailroom::json {
namespace {

TEST(Json, ViewsShowWhatTheTextSays) {
    Parser parser;
    const auto parsed = parser.parse(R"({"a":[1,-2.5,"x\u00e9",true,null],"b":{"c":7}})");
    ASSERT_TRUE(parsed);
    const auto list = parsed->find("a");
    ASSERT_TRUE(list);
    Elements elements(*list);
    std::vector<View> found;
    for (View element; elements.next(element);) found.push_back(element);
    ASSERT_EQ(found.size(), 5u);
    EXPECT_EQ(found[0].integer(), 1);
    EXPECT_EQ(found[1].decimal(), -2.5);
    EXPECT_EQ(found[2].text(), "x\u00e9");
    EXPECT_TRUE(found[3].boolean());
    EXPECT_TRUE(found[4].is_null());
    EXPECT_EQ(parsed->find("b")->find("c")->integer(), 7);
    EXPECT_FALSE(parsed->find("none"));
}

TEST(Json, WhatIsNotJsonIsRefusedWithItsReason) {
    struct Case {
        std::string text;
        Parser::Refusal want;
    };
    const Case cases[] = {
        {"", Parser::Refusal::not_json},
        {"{\"a\":", Parser::Refusal::not_json},
        {"{} {}", Parser::Refusal::not_json},
        {"\"\xff\"", Parser::Refusal::not_utf8},
        {std::string(300, '[') + std::string(300, ']'), Parser::Refusal::too_deep},
    };
    Parser parser;
    for (const auto& c : cases) {
        const auto parsed = parser.parse(c.text);
        ASSERT_FALSE(parsed) << c.text;
        EXPECT_EQ(parsed.error(), c.want) << c.text << describe(parsed.error());
    }
}

TEST(Json, AnIntegerThatDoesNotFitIsADecimal) {
    Parser parser;
    const auto parsed = parser.parse("18446744073709551615");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->integer(), std::nullopt);
    EXPECT_EQ(parsed->decimal(), 18446744073709551615.0);
}

}  // namespace
}  // namespace mailroom::json
