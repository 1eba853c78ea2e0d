#include "reminders/figures.h"

#include <gtest/gtest.h>

namespace mailroom::reminders {
namespace {

TEST(Figures, AmountsOfOtherProgramsAreNumbersOrText) {
    const table::Item row{{"number", *table::Number::parse("1500.50")},
                          {"text", "1500.50"},
                          {"fraction", *table::Number::parse("0.001")},
                          {"flag", true},
                          {"word", "much"}};
    EXPECT_EQ(cents_in(row, "number", "USD"), 150'050);
    EXPECT_EQ(cents_in(row, "text", "USD"), 150'050);
    for (const auto* name : {"missing", "flag", "word", "fraction"}) {
        EXPECT_EQ(cents_in(row, name, "USD"), 0) << name;
    }
    EXPECT_EQ(cents_in(row, "fraction", "KWD"), 1);
}

TEST(Figures, RowsOfBeforeFinerCurrenciesHaveHundredths) {
    table::Item old{{"cents", 150}}, row{{"cents", 1500}};
    EXPECT_EQ(scaled(old, 150, "KWD"), 1500);
    EXPECT_EQ(scaled(old, 150, "USD"), 150);
    set_scale(row, "KWD");
    EXPECT_EQ(scaled(row, 1500, "KWD"), 1500);
    set_scale(old, "USD");
    EXPECT_EQ(old, (table::Item{{"cents", 150}})) << "rows of most currencies are as they were";
}

TEST(Figures, AreTheSameInARowAndForPeople) {
    const Figures figures{150'050, "USD", {"b", "a"}};
    EXPECT_EQ(table::to_json(figures),
              R"({"overdue_amount":1500.50,"currency":"USD","overdue_invoices":["b","a"]})");
    EXPECT_EQ(*table::from_item<Figures>(table::to_item(figures)), figures);
}

}  // namespace
}  // namespace mailroom::reminders
