#include "outbox/routes/json_slices.h"

#include <gtest/gtest.h>

#include <string>

namespace mailroom::outbox {
namespace {

TEST(ChildTexts, AreTheElementsOfAListOrTheValuesOfAnObjectAsWritten) {
    struct Case {
        std::string_view json;
        std::vector<std::string_view> want;
    };
    const Case cases[] = {
        {"[]", {}},
        {" [ ] ", {}},
        {"{}", {}},
        {"[1]", {"1"}},
        {"[ 1 , \"a\" ,null]\n", {"1", "\"a\"", "null"}},
        {R"([{"a":[1,2]} , [3,{"b":4}]])", {R"({"a":[1,2]})", R"([3,{"b":4}])"}},
        {R"(["],[", "\"", "\\", "\\\"]"])", {R"("],[")", R"("\"")", R"("\\")", R"("\\\"]")"}},
        {R"({"a" : 1, "b:,{": {"c": "}"}, "d":[ ]})", {"1", R"({"c": "}"})", "[ ]"}},
        {R"([1.50, 12345678901234567890])", {"1.50", "12345678901234567890"}},
    };
    for (const auto& c : cases) EXPECT_EQ(child_texts(c.json), c.want) << c.json;
}

}  // namespace
}  // namespace mailroom::outbox
