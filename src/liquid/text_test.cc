// Numbers, characters and values: what the filters stand on.
#include "liquid/number_text.h"
#include "liquid/owned_value.h"
#include "liquid/unicode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mailroom::liquid {
namespace {

TEST(NumberText, WritesNumbersAsJavaScriptDoes) {
    struct Case {
        double number;
        std::string_view want;
    };
    const Case cases[] = {
        {0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {1e20, "100000000000000000000"},
        {1e21, "1e+21"},
        {1.5e-7, "1.5e-7"},
        {0.000001, "0.000001"},
        {123456.789, "123456.789"},
        {std::nan(""), "NaN"},
        {-INFINITY, "-Infinity"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {5e-324, "5e-324"},
    };
    for (const auto& c : cases) {
        std::string text;
        append_number(text, c.number);
        EXPECT_EQ(text, c.want);
    }
}

TEST(NumberText, ReadsNumbersAsJavaScriptDoes) {
    EXPECT_EQ(parse_number(""), 0);
    EXPECT_EQ(parse_number(" 12.5\n"), 12.5);
    EXPECT_EQ(parse_number("-1e3"), -1000);
    EXPECT_EQ(parse_number("0xff"), 255);
    EXPECT_EQ(parse_number(".5"), 0.5);
    EXPECT_EQ(parse_number("1e999"), INFINITY);
    EXPECT_EQ(parse_number("1e-999"), 0);
    for (const auto text : {"x", "1x", "1 2", "--1", "-", ".", "e5", "nan", "inf", "0x", "0b2"}) {
        EXPECT_TRUE(std::isnan(parse_number(text))) << text;
    }
}

TEST(Unicode, CountsAndOrdersAsUtf16) {
    EXPECT_EQ(utf16_length("a😀é"), 4U);
    EXPECT_EQ(character_count("a😀é"), 3U);
    EXPECT_LT(compare_utf16("😀", "\xef\xbf\xbd"), 0);
    EXPECT_LT(compare_utf16("a", "b"), 0);
    EXPECT_GT(compare_utf16("ab", "a"), 0);
    EXPECT_EQ(compare_utf16("é", "é"), 0);
}

TEST(Unicode, SurvivesBytesThatAreNotUtf8) {
    const std::string_view texts[] = {"\xff",     "\xe2\x82",    "a\x80z", "\xf5\x80\x80\x80",
                                      "\xc0\xaf", "\xed\xa0\x80"};
    for (const auto text : texts) {
        std::string upper, lower, valid;
        append_upper(upper, text);
        append_lower(lower, text);
        append_valid(valid, text);
        EXPECT_EQ(upper.size(), text.size());
        EXPECT_EQ(skip_characters(text, 100), text.size());
        EXPECT_NE(valid.find("\xef\xbf\xbd"), std::string::npos);
    }
}

TEST(Unicode, ChangesCaseFully) {
    struct Case {
        std::string_view text, upper, lower;
    };
    const Case cases[] = {
        {"aZ9", "AZ9", "az9"},    {"ß", "SS", "ß"},   {"İ", "İ", "i̇"}, {"ŉ", "ʼN", "ŉ"},
        {"ΑΣ Σ", "ΑΣ Σ", "ας σ"}, {"жЖ", "ЖЖ", "жж"}, {"ǆ", "Ǆ", "ǆ"}, {"𐐀", "𐐀", "𐐨"},
    };
    for (const auto& c : cases) {
        std::string upper, lower;
        append_upper(upper, c.text);
        append_lower(lower, c.text);
        EXPECT_EQ(upper, c.upper);
        EXPECT_EQ(lower, c.lower);
    }
}

TEST(OwnedValue, KeepsTheOrderOfKeysAndTheLastValue) {
    auto object = OwnedValue::object({{"b", 1}, {"a", 2}, {"b", 3}});
    object.set("c", OwnedValue::array({true, 1.5, "x", OwnedValue()}));
    const auto view = object.view();
    std::vector<Entry> entries;
    view.list(entries);
    ASSERT_EQ(entries.size(), 3U);
    EXPECT_EQ(entries[0].key, "b");
    EXPECT_EQ(entries[0].value.integer(), 3);
    EXPECT_TRUE(view.get("nosuch").is(Kind::undefined));
    EXPECT_TRUE(view.get("c").at(3).is(Kind::nil));
    EXPECT_EQ(view.get("c").at(2).text(), "x");
}

}  // namespace
}  // namespace mailroom::liquid
