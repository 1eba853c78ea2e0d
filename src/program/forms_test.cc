#include "program/forms.h"

#include "table/records/record.h"

#include <gtest/gtest.h>

namespace mailroom::program {
namespace {

struct Bill {
    std::int64_t cents = 0;
    std::string currency;
    Time due;
    std::optional<Time> paid;

    Amount amount() const { return {cents, currency}; }

    static constexpr std::string_view record_name = "Bill";
    static constexpr auto fields =
        std::tuple{table::kept("amount", &Bill::amount), table::kept("currency", &Bill::currency),
                   table::spelled<table::DayOrTime>(table::kept("due_ms", "due", &Bill::due)),
                   table::spelled<table::DayOrTime>(table::kept("paid_ms", "paid", &Bill::paid))};
};

struct Wish {
    AskedAmount amount;
    static constexpr auto fields = std::tuple{table::required("amount", &Wish::amount)};
};

TEST(Forms, AmountsAreDecimalsInRowsAndInJson) {
    const Bill bill{150'050, "USD", from_unix_ms(1'755'734'399'999), std::nullopt};
    EXPECT_EQ(table::to_json(bill),
              R"({"amount":1500.50,"currency":"USD","due":"2025-08-20","paid":null})");
    const auto row = table::to_item(bill);
    EXPECT_EQ(row.find("amount")->number().text(), "1500.5");
    EXPECT_FALSE(row.has("paid_ms"));
    EXPECT_EQ(table::to_json(Bill{1500, "JPY", {}, from_unix_ms(1)}),
              R"({"amount":15,"currency":"JPY","due":"1970-01-01T00:00:00.000Z",)"
              R"("paid":"1970-01-01T00:00:00.001Z"})");
}

TEST(Forms, ADayIsReadAsItsLastMomentAlsoWhereThereMayBeNone) {
    json::Parser parser;
    const auto bill =
        table::read_json<Bill>(*parser.parse(R"({"due":"2025-08-20","paid":"2025-08-21"})"));
    ASSERT_TRUE(bill);
    EXPECT_EQ(bill->due, from_unix_ms(1'755'734'399'999));
    EXPECT_EQ(bill->paid, from_unix_ms(1'755'820'799'999));
    const auto back = table::from_item<Bill>(table::to_item(*bill));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->paid, bill->paid);
    EXPECT_FALSE(table::read_json<Bill>(*parser.parse(R"({"due":"soon"})")));
}

TEST(Forms, WhereSomethingBeginsADayIsItsFirstMoment) {
    EXPECT_EQ(table::FromDayOrTime::parse("2025-08-20"), from_unix_ms(1'755'648'000'000));
    EXPECT_EQ(table::FromDayOrTime::parse("2025-08-20T10:00:00Z"), from_unix_ms(1'755'684'000'000));
    EXPECT_EQ(table::FromDayOrTime::parse("soon"), std::nullopt);
}

TEST(Forms, AnAmountThatIsAskedForIsANumberOrAText) {
    struct Case {
        std::string_view body, currency, want;
    };
    const Case cases[] = {
        {R"({"amount":12.5})", "USD", "1250"},
        {R"({"amount":"12.50"})", "USD", "1250"},
        {R"({"amount":12.345})", "KWD", "12345"},
        {R"({"amount":12.5})", "JPY", "amount must be a whole number: JPY has no decimals"},
        {R"({"amount":"much"})", "USD", "amount must be an amount such as 1500.00"},
    };
    for (const auto& c : cases) {
        json::Parser parser;
        const auto wish = table::read_json<Wish>(*parser.parse(c.body));
        ASSERT_TRUE(wish) << c.body;
        const auto cents = wish->amount.cents("amount", c.currency);
        EXPECT_EQ(cents ? std::to_string(*cents) : cents.error().text(), c.want) << c.body;
    }
    json::Parser parser;
    EXPECT_FALSE(table::read_json<Wish>(*parser.parse(R"({"amount":true})")));
}

}  // namespace
}  // namespace mailroom::program
