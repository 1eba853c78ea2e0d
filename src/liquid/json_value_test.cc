#include "liquid/json_value.h"

#include "liquid/template.h"

#include <gtest/gtest.h>

namespace mailroom::liquid {
namespace {

std::string rendered(std::string_view text, std::string_view json) {
    const auto data = value_from_json(json);
    if (!data) return data.error().message;
    const ManualClock clock(from_unix_ms(0));
    const auto compiled = Template::compile(text);
    const auto result = compiled->render(data->view(), {.clock = clock});
    return result ? result->text : result.error().message;
}

TEST(JsonValue, EveryKindRendersAsItself) {
    struct Case {
        std::string_view text, json, want;
    };
    const Case cases[] = {
        {"{{ a }}", R"({"a": "b\u00e9"})", "b\u00e9"},
        {"{{ a }}", R"({"a": -7})", "-7"},
        {"{{ a }}", R"({"a": 1.5})", "1.5"},
        {"{{ a }}", R"({"a": true})", "true"},
        {"[{{ a }}]", R"({"a": null})", "[]"},
        {"{{ a[1].b }}", R"({"a": [1, {"b": 2}]})", "2"},
        {"{{ a }}", R"({"a": 1, "b": 2, "a": 3})", "3"},
        {"{% for p in a %}{{ p[0] }}{% endfor %}", R"({"a": {"z": 1, "y": 2}})", "zy"},
        {"x", "[]", "x"},
    };
    for (const auto& c : cases) EXPECT_EQ(rendered(c.text, c.json), c.want) << c.text;
}

TEST(JsonValue, WhatIsNotJsonIsRefused) {
    const std::string deep = std::string(5000, '[') + std::string(5000, ']');
    for (const auto json :
         {std::string_view(""), std::string_view("{\"a\":"), std::string_view("{'a': 1}"),
          std::string_view("\"\xff\""), std::string_view("{} {}"), std::string_view(deep)}) {
        const auto value = value_from_json(json);
        ASSERT_FALSE(value) << json.substr(0, 20);
        EXPECT_EQ(value.error().code, Errc::invalid) << value.error().message;
    }
}

TEST(JsonValue, ManyKeysTakeTimeInProportion) {
    std::string json = "{";
    for (int i = 0; i < 200'000; ++i) json += "\"key" + std::to_string(i) + "\":1,";
    json += "\"last\":\"here\"}";
    EXPECT_EQ(rendered("{{ last }}", json), "here");
}

}  // namespace
}  // namespace mailroom::liquid
