#include "liquid/places.h"

#include <gtest/gtest.h>

namespace mailroom::liquid {
namespace {

TEST(Places, AVariableIsToldWithTheFirstPlaceWhereItIsRead) {
    const auto compiled = Template::compile(
        "Hi {{ b.c }}\nÄ {{ a }} {{ b.c }}{% if d %}{% endif %}{% assign x = 1 %}{{ x }}");
    ASSERT_TRUE(compiled);
    std::string told;
    for (const auto& [path, line, column] : variable_places(*compiled)) {
        told += path + " " + std::to_string(line) + ":" + std::to_string(column) + "\n";
    }
    EXPECT_EQ(told, "a 2:6\nb.c 1:7\nd 2:26\n");
}

TEST(Places, OtherTemplatesAreToldUnlessTheirNamesAreMade) {
    const auto compiled = Template::compile(
        "{% layout 'main' %}\n{% include 'a/b', x: 1 %}{% if y %}{% render \"c\" %}{% endif %}"
        "{% render d %}{% include 'e{{ f }}' %}");
    ASSERT_TRUE(compiled) << Error(compiled.error()).message;
    using enum PartialPlace::Tag;
    const std::pair<PartialPlace::Tag, std::string> want[] = {
        {layout, "main"}, {include, "a/b"}, {render, "c"}, {render, ""}, {include, ""}};
    const auto told = partial_places(*compiled);
    ASSERT_EQ(told.size(), std::size(want));
    for (std::size_t i = 0; i < told.size(); ++i) {
        EXPECT_EQ(told[i].tag, want[i].first) << i;
        EXPECT_EQ(told[i].name, want[i].second) << i;
        EXPECT_EQ(told[i].line, i == 0 ? 1U : 2U) << i;
    }
    EXPECT_TRUE(partial_places(*Template::compile("{% layout none %}a")).empty());
}

}  // namespace
}  // namespace mailroom::liquid
