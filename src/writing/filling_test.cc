#include "writing/filling.h"

#include <gtest/gtest.h>

namespace mailroom::writing {
namespace {

TEST(Filling, EveryHoleIsNamedOnceOverAllParts) {
    const ManualClock clock{Time{}};
    const auto data = liquid::OwnedValue::object({{"name", "<b>Eve</b>"}});
    Filling filling(data, clock);
    EXPECT_EQ(*filling.fill("Dear {{ name }}"), "Dear <b>Eve</b>");
    EXPECT_EQ(*filling.fill("<p>{{ name }}</p>", liquid::Escape::html),
              "<p>&lt;b&gt;Eve&lt;/b&gt;</p>");
    EXPECT_TRUE(filling.check());
    ASSERT_TRUE(filling.fill("{{ a }} {{ b }}"));
    ASSERT_TRUE(filling.fill("{{ b }} {{ c }}"));
    const auto holes = filling.check();
    EXPECT_EQ(holes.error().code, "missing_variables");
    EXPECT_EQ(holes.error().details, R"({"missing_variables":["a","b","c"]})");
}

TEST(Filling, WhatIsNoTemplateIsSaidByName) {
    for (const std::string text : {"", "{{ broken", "{% if %}", "\xff"}) {
        table::Reading reading;
        check_template(text, "body", reading);
        const auto bad = reading.take();
        ASSERT_EQ(bad.size(), 1u) << text;
        EXPECT_EQ(bad[0].field, "body");
    }
    table::Reading reading;
    check_template("Dear {{ name }}", "body", reading);
    EXPECT_TRUE(reading.is_good());
}

}  // namespace
}  // namespace mailroom::writing
