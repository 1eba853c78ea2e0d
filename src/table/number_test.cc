#include "table/number.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace mailroom::table {
namespace {

TEST(Number, ParseNormalisesAndRefusesInDynamoDbsWords) {
    struct Case {
        std::string_view input, want;  // A `want` that starts with "!" is a refusal.
    };
    // clang-format off
    const Case cases[] = {
        {"0", "0"}, {"-0", "0"}, {"0.000", "0"}, {"+5", "5"}, {"007", "7"},
        {"1.50", "1.5"}, {"100", "100"}, {"1E2", "100"}, {"1e-3", "0.001"}, {".5", "0.5"}, {"5.", "5"},
        {"-123.456", "-123.456"}, {"0.1E1", "1"}, {"0E500", "0"},
        {"99999999999999999999999999999999999999", "99999999999999999999999999999999999999"},
        {"1E125", "1E125"},
        {"123456789012345678901234567890123456789",
         "!Attempting to store more than 38 significant digits in a Number"},
        {"1E126", "!Number overflow. Attempting to store a number with magnitude larger than supported range"},
        {"-1E126", "!Number overflow. Attempting to store a number with magnitude larger than supported range"},
        {"1E-131", "!Number underflow. Attempting to store a number with magnitude smaller than supported range"},
        {"1E99999999999999999999", "!Number overflow. Attempting to store a number with magnitude larger than supported range"},
        {"", "!The parameter cannot be converted to a numeric value"},
        {"abc", "!The parameter cannot be converted to a numeric value: abc"},
        {"1.2.3", "!The parameter cannot be converted to a numeric value: 1.2.3"},
        {"1E", "!The parameter cannot be converted to a numeric value: 1E"},
        {" 1", "!The parameter cannot be converted to a numeric value:  1"},
        {"0x10", "!The parameter cannot be converted to a numeric value: 0x10"},
        {"-", "!The parameter cannot be converted to a numeric value: -"},
        {".", "!The parameter cannot be converted to a numeric value: ."},
        {"NaN", "!The parameter cannot be converted to a numeric value: NaN"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        const auto got = Number::parse(c.input);
        if (c.want.starts_with('!')) {
            ASSERT_FALSE(got);
            EXPECT_EQ(got.error().message, c.want.substr(1));
        } else {
            ASSERT_TRUE(got) << got.error().message;
            const auto want = Number::parse(c.want);
            ASSERT_TRUE(want);
            EXPECT_EQ(*got, *want);
            const bool plain = c.want.find('E') == c.want.npos;
            EXPECT_TRUE(!plain || got->text() == c.want) << got->text();
        }
    }
}

TEST(Number, TextIsPlainAtTheEdgesOfTheRange) {
    EXPECT_EQ(Number::parse("1E125")->text(), "1" + std::string(125, '0'));
    EXPECT_EQ(Number::parse("1E-130")->text(), "0." + std::string(129, '0') + "1");
    EXPECT_EQ(Number::parse("-1.5E-3")->text(), "-0.0015");
}

TEST(Number, EncodingIsPinned) {
    const auto bytes = [](std::string_view text) {
        std::string hex;
        const auto number = Number::parse(text);
        for (const char c : number->encoded()) {
            char two[3];
            std::snprintf(two, sizeof two, "%02x", static_cast<unsigned char>(c));
            hex += two;
        }
        return hex;
    };
    EXPECT_EQ(bytes("0"), "01");
    EXPECT_EQ(bytes("1"), "02820b00");
    EXPECT_EQ(bytes("42"), "02832b00");
    EXPECT_EQ(bytes("-42"), "007cd4ff");
    EXPECT_EQ(bytes("123.4"), "02840d2300");
    EXPECT_EQ(bytes("1E-130"), "02000b00");
    EXPECT_EQ(bytes("9E125"), "02ff5b00");
}

TEST(Number, BytesSortAsTheNumbersDo) {
    const char* ascending[] = {"-9E125", "-1E100", "-1001",   "-1000.5", "-1000",  "-2",    "-1.01",
                               "-1",     "-0.5",   "-1E-130", "0",       "1E-130", "0.001", "0.01",
                               "0.011",  "0.5",    "1",       "1.01",    "2",      "10",    "11",
                               "99",     "100",    "100.1",   "1E38",    "9E125"};
    for (std::size_t i = 0; i + 1 < std::size(ascending); ++i) {
        SCOPED_TRACE(ascending[i]);
        EXPECT_LT(*Number::parse(ascending[i]), *Number::parse(ascending[i + 1]));
    }
}

TEST(Number, ArithmeticIsExactAndRefusesWhatDoesNotFit) {
    struct Case {
        std::string_view a, b, sum, difference;  // "!" is a refusal.
    };
    // clang-format off
    const Case cases[] = {
        {"1", "2", "3", "-1"},
        {"0.1", "0.2", "0.3", "-0.1"},
        {"999", "1", "1000", "998"},
        {"-5", "5", "0", "-10"},
        {"1E20", "1", "100000000000000000001", "99999999999999999999"},
        {"99999999999999999999999999999999999999", "1", "100000000000000000000000000000000000000", "99999999999999999999999999999999999998"},
        {"1E37", "0.01", "!", "!"},
        {"1E125", "1E-130", "!", "!"},
        {"9E125", "9E125", "!", "0"},
        {"0", "1E-130", "1E-130", "-1E-130"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(std::string(c.a) + " and " + std::string(c.b));
        const auto a = Number::parse(c.a), b = Number::parse(c.b);
        const auto check = [](const Result<Number>& got, std::string_view want) {
            ASSERT_EQ(static_cast<bool>(got), want != "!");
            EXPECT_TRUE(!got || *got == *Number::parse(want)) << got->text();
        };
        check(add(*a, *b), c.sum);
        check(add(*b, *a), c.sum);
        check(subtract(*a, *b), c.difference);
    }
}

TEST(Number, RandomSumsAgreeWithWideIntegers) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 20'000; ++i) {
        const auto pick = [&] {
            const auto bits = random() % 62;
            const auto value = static_cast<std::int64_t>(random() >> (63 - bits));
            return random() % 2 ? value : -value;
        };
        const auto a = pick(), b = pick();
        EXPECT_EQ(add(Number(a), Number(b))->to_int64(), a + b);
        EXPECT_EQ(subtract(Number(a), Number(b))->to_int64(), a - b);
        EXPECT_EQ(Number(a) < Number(b), a < b);
        EXPECT_EQ(Number(a).text(), std::to_string(a));
    }
}

TEST(Number, ToInt64KnowsItsLimits) {
    EXPECT_EQ(Number(INT64_MIN).to_int64(), INT64_MIN);
    EXPECT_EQ(Number(INT64_MAX).to_int64(), INT64_MAX);
    EXPECT_EQ(Number::parse("9223372036854775808")->to_int64(), std::nullopt);
    EXPECT_EQ(Number::parse("-9223372036854775808")->to_int64(), INT64_MIN);
    EXPECT_EQ(Number::parse("1.5")->to_int64(), std::nullopt);
    EXPECT_EQ(Number::parse("1E19")->to_int64(), std::nullopt);
    EXPECT_EQ(Number::parse("20")->to_int64(), 20);
}

}  // namespace
}  // namespace mailroom::table
