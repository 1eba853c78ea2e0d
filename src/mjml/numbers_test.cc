#include "mjml/numbers.h"

#include <gtest/gtest.h>

namespace mailroom::mjml {
namespace {

TEST(Numbers, AreReadAsJavaScriptReadsThem) {
    struct Case {
        std::string_view text;
        double integer, number;
    };
    constexpr double none = -999;
    const Case cases[] = {
        {"12px", 12, 12},  {" 12.5px", 12, 12.5}, {"-3", -3, -3},          {"+4", 4, 4},
        {".5", none, .5},  {"", none, none},      {"px", none, none},      {"inf", none, none},
        {"-", none, none}, {"1e999", 1, none},    {"{{ w }}", none, none},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(leading_integer(c.text).value_or(none), c.integer);
        EXPECT_EQ(leading_number(c.text).value_or(none), c.number);
    }
}

TEST(Numbers, AreWrittenAsJavaScriptWritesThem) {
    EXPECT_EQ(number_text(100.0 / 3), "33.333333333333336");
    EXPECT_EQ(number_text(200), "200");
    EXPECT_EQ(number_text(-0.0), "0");
    EXPECT_EQ(number_text(-7.5), "-7.5");
    EXPECT_EQ(px(13), "13px");
}

TEST(Numbers, AWidthIsAPercentageOrPixels) {
    struct Case {
        std::string_view text, exact, whole;
    };
    const Case cases[] = {
        {"50%", "50%", "50%"},     {"33.33%", "33.33%", "33%"}, {"99.5px", "99px", "99px"},
        {"200", "200px", "200px"}, {"3em", "3em", "3em"},       {"auto", "", ""},
        {"{{ w }}px", "", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        const auto exact = parse_width(c.text), whole = parse_width(c.text, Percent::whole);
        EXPECT_EQ(exact ? exact->text() : "", c.exact);
        EXPECT_EQ(whole ? whole->text() : "", c.whole);
    }
}

TEST(Numbers, AShorthandHasOneToFourSides) {
    struct Case {
        std::string_view text;
        double top, right, bottom, left;
    };
    const Case cases[] = {
        {"5px", 5, 5, 5, 5},         {"10px 25px", 10, 25, 10, 25},
        {"1px 2px 3px", 1, 2, 3, 2}, {" 1px  2px 3px 4", 1, 2, 3, 4},
        {"1 2 3 4 5", 1, 2, 3, 4},   {"", 0, 0, 0, 0},
        {"{{ p }}", 0, 0, 0, 0},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(shorthand_side(c.text, Side::top), c.top);
        EXPECT_EQ(shorthand_side(c.text, Side::right), c.right);
        EXPECT_EQ(shorthand_side(c.text, Side::bottom), c.bottom);
        EXPECT_EQ(shorthand_side(c.text, Side::left), c.left);
    }
}

TEST(Numbers, TheWidthOfABorderIsItsFirstNumber) {
    EXPECT_EQ(border_width("1px solid #000"), 1);
    EXPECT_EQ(border_width("solid 12px red"), 12);
    EXPECT_EQ(border_width("none"), 0);
    EXPECT_EQ(border_width("#123"), 0);
}

}  // namespace
}  // namespace mailroom::mjml
