#include "base/money.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

TEST(Money, ParsesWholeCentsAndRefusesTheRest) {
    struct Case {
        std::string_view text;
        std::int64_t want;  // -1 is a refusal.
    };
    const Case cases[] = {
        {"1500", 150'000},
        {"1500.5", 150'050},
        {"1500.50", 150'050},
        {"0.01", 1},
        {"0", 0},
        {"1500.505", -1},
        {"", -1},
        {".5", -1},
        {"1.", -1},
        {"-1", -1},
        {"1,500.00", -1},
        {"1e3", -1},
        {" 1", -1},
        {"0x1", -1},
        {"10000000000", 1'000'000'000'000},
        {"10000000000.01", -1},
        {"9999999999999", -1},
    };
    for (const auto& c : cases) {
        const auto cents = parse_cents(c.text);
        EXPECT_EQ(cents ? *cents : -1, c.want) << c.text;
    }
}

TEST(Money, EachCurrencyHasItsDecimals) {
    EXPECT_EQ(*parse_cents("1500", "JPY"), 150'000);
    EXPECT_EQ(*parse_cents("1500.00", "JPY"), 150'000);
    EXPECT_FALSE(parse_cents("1500.5", "JPY"));
    EXPECT_EQ(*parse_cents("1.234", "KWD"), 1234);
    EXPECT_FALSE(parse_cents("1.2345", "KWD"));
    EXPECT_EQ(*cents_of(1.234, "KWD"), 1234);
    EXPECT_FALSE(cents_of(1.5, "JPY"));
    EXPECT_EQ(*cents_of(1500, "JPY"), 150'000);
}

TEST(Money, NumbersOfJsonMayHaveTwoDecimals) {
    struct Case {
        double amount;
        std::int64_t want;
    };
    const Case cases[] = {{1500.0, 150'000}, {0.1, 10},    {19.99, 1999},
                          {1.005, -1},       {-1.0, -1},   {1e12, -1},
                          {0.29, 29},        {89.9, 8990}, {1234567.89, 123'456'789}};
    for (const auto& c : cases) {
        const auto cents = cents_of(c.amount);
        EXPECT_EQ(cents ? *cents : -1, c.want) << c.amount;
    }
}

TEST(Money, IsWrittenForProgramsAndForPeople) {
    EXPECT_EQ(decimal_text(150'000), "1500.00");
    EXPECT_EQ(decimal_text(5), "0.05");
    struct Case {
        std::int64_t cents;
        std::string_view currency, want;
    };
    const Case cases[] = {
        {150'000, "USD", "$1,500.00"},
        {99, "USD", "$0.99"},
        {99'999, "EUR", "€999.99"},
        {100'000'000, "GBP", "£1,000,000.00"},
        {123'456'789, "CHF", "1,234,567.89 CHF"},
        {150'000, "JPY", "¥1,500"},
        {150'050, "JPY", "¥1,500.50"},  // Kept before yen were known to have none.
        {1'234'567, "KWD", "1,234.567 KWD"},
        {99'999, "ABC", "999.99 ABC"},
    };
    for (const auto& c : cases) EXPECT_EQ(money_text(c.cents, c.currency), c.want);
    EXPECT_TRUE(is_currency("USD"));
    EXPECT_FALSE(is_currency("usd"));
    EXPECT_FALSE(is_currency("USDT"));
    EXPECT_FALSE(is_currency("ABC"));
    EXPECT_FALSE(is_currency("SD "));
    EXPECT_TRUE(is_currency("KWD"));
}

}  // namespace
}  // namespace mailroom
