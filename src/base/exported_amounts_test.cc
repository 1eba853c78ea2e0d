#include "base/exported_amounts.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

TEST(ImportAmounts, AreReadAsPeopleWriteThem) {
    struct Case {
        std::string_view text;
        std::optional<char> usual;
        std::string_view currency;
        std::int64_t want;  // -1 is a refusal.
    };
    const auto none = std::nullopt;
    const Case cases[] = {
        {"1500", none, "USD", 150'000},
        {"1500.5", none, "USD", 150'050},
        {"1,234.50", none, "USD", 123'450},
        {"1.234,50", none, "EUR", 123'450},
        {"1 234,50", none, "EUR", 123'450},
        {"1\xC2\xA0"
         "234,50",
         none, "EUR", 123'450},
        {"1'234.50", none, "CHF", 123'450},
        {"12,5", none, "EUR", 1250},
        {"1,234,567", none, "USD", 123'456'700},
        {"1.234.567", none, "EUR", 123'456'700},
        {"1,234", none, "USD", -1},
        {"1.234", none, "USD", -1},
        {"1,234", '.', "USD", 123'400},
        {"1.234", ',', "EUR", 123'400},
        {"1.234", none, "KWD", 1234},
        {"0.125", none, "USD", -1},
        {"1,23,4.50", none, "USD", -1},
        {"12,34.50", none, "USD", -1},
        {"1.2,3.4", none, "USD", -1},
        {"-5", none, "USD", -1},
        {"", none, "USD", -1},
        {"$5", none, "USD", -1},
    };
    for (const auto& c : cases) {
        const auto cents = parse_exported_cents(c.text, c.usual, c.currency);
        EXPECT_EQ(cents ? *cents : -1, c.want) << c.text;
    }
}

TEST(ImportAmounts, AFileShowsItsSign) {
    EXPECT_EQ(decimal_sign_of({"1.234", "12,50", "7"}), ',');
    EXPECT_EQ(decimal_sign_of({"1,234", "12.50"}), '.');
    EXPECT_EQ(decimal_sign_of({"1,234"}), std::nullopt);
    EXPECT_EQ(decimal_sign_of({"1,5", "1.5"}), std::nullopt) << "they do not agree";
}

}  // namespace
}  // namespace mailroom
