#include "reminders/row_fields.h"

#include <gtest/gtest.h>

namespace mailroom::reminders {
namespace {

using Texts = std::vector<std::string>;

TEST(RowFields, ReadWhatWasWritten) {
    const table::Item map{{"id", "INV-1"}};
    const table::Item item{{"name", "Ann"},
                           {"count", 3},
                           {"at", 1'794'721'884'123},
                           {"amount", decimal_value(150'050)},
                           {"ids", texts_value({"b", "a"})},
                           {"map", table::Value::map(map)},
                           {"maps", table::Value::list({table::Value::map(map), "no map"})}};
    const RowFields row(item);
    EXPECT_EQ(row.text("name"), "Ann");
    EXPECT_EQ(row.number("count", 7), 3);
    EXPECT_EQ(row.time("at"), from_unix_ms(1'794'721'884'123));
    EXPECT_EQ(row.cents("amount"), 150'050);
    EXPECT_EQ(row.texts("ids"), (Texts{"b", "a"}));
    ASSERT_TRUE(row.map("map"));
    EXPECT_EQ(row.map("map")->text("id"), "INV-1");
    ASSERT_EQ(row.maps("maps").size(), 1u);
    EXPECT_EQ(row.maps("maps").front().text("id"), "INV-1");
}

TEST(RowFields, AreTheDefaultWhereTheRowHasSomethingElse) {
    const table::Item item{
        {"flag", true}, {"text", "x"}, {"fraction", *table::Number::parse("0.001")}};
    const RowFields row(item);
    for (const auto* name : {"missing", "flag"}) {
        SCOPED_TRACE(name);
        EXPECT_EQ(row.text(name), "");
        EXPECT_EQ(row.number(name, 7), 7);
        EXPECT_EQ(row.time(name), std::nullopt);
        EXPECT_EQ(row.cents(name), 0);
        EXPECT_EQ(row.texts(name), Texts{});
        EXPECT_FALSE(row.map(name));
        EXPECT_TRUE(row.maps(name).empty());
    }
    EXPECT_EQ(row.number("text"), 0);
    EXPECT_EQ(row.cents("fraction"), 0);
}

}  // namespace
}  // namespace mailroom::reminders
