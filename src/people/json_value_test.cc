#include "people/json_value.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::people {
namespace {

// There and back.
std::string round_trip(std::string_view text) {
    json::Parser parser;
    const auto view = parser.parse(text);
    if (!view) return "no JSON";
    const auto value = value_of(*view);
    if (!value) return "refused: " + value.error().message;
    std::string out;
    json::Writer writer(out);
    write_value(writer, value->view());
    return out;
}

TEST(JsonValue, WhatJsonHasComesBackAsItWas) {
    for (const std::string_view text :
         {R"("x")", R"(12)", R"(-0.5)", R"(true)", R"(null)", R"([1,"a",[]])",
          R"({"a":{"b":[false]},"c":""})", R"(1234567890123)", R"(0.1)"}) {
        EXPECT_EQ(round_trip(text), text);
    }
    EXPECT_EQ(round_trip("1e3"), "1000");
    EXPECT_EQ(round_trip("{\"a\":1,\"a\":2}"), "{\"a\":2}") << "the last one counts";
}

TEST(JsonValue, WhatTablesCannotHoldIsRefused) {
    EXPECT_EQ(round_trip(std::string(31, '[') + std::string(31, ']')),
              "refused: is nested too deep");
    EXPECT_EQ(round_trip(std::string(30, '[') + std::string(30, ']')),
              std::string(30, '[') + std::string(30, ']'));
    EXPECT_TRUE(round_trip("1e200").starts_with("refused: "));
}

TEST(JsonValue, SetsAndBytesOfOtherProgramsAreShown) {
    std::string out;
    json::Writer writer(out);
    writer.open_object();
    const table::Item item{{"bytes", table::Value::binary("\x01")},
                           {"set", table::Value::string_set({"b", "a"})}};
    write_values(writer, item);
    writer.close_object();
    EXPECT_EQ(out, R"({"bytes":"AQ==","set":["a","b"]})");
}

}  // namespace
}  // namespace mailroom::people
