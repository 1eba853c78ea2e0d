#include "campaigns/sequences/json_path.h"

#include "json/json.h"
#include "people/json_value.h"

#include <gtest/gtest.h>

namespace mailroom::campaigns {
namespace {

std::string found(std::string_view path) {
    json::Parser parser;
    const auto event = people::value_of(*parser.parse(R"({
        "source": "shop", "detail-type": "customer.created", "time": "2026-01-01T00:00:00Z",
        "detail": {"email": "a@b.c", "first-name": "Ann", "a.b": 1, "plan": null,
                   "items": [{"id": 7}, {"id": 8}, {"no": 9}], "": 2}})"));
    const auto value = find_by_path(path, *event);
    if (!value) return "none";
    std::string text;
    json::Writer writer(text);
    people::write_value(writer, *value);
    return text;
}

TEST(JsonPathTest, LeadsToWhatAnEventHolds) {
    struct Case {
        std::string_view path, found;
    };
    const Case cases[] = {
        {"$.detail.email", R"("a@b.c")"},
        {"$.detail.first-name", R"("Ann")"},
        {"$.detail-type", R"("customer.created")"},
        {"$['detail-type']", R"("customer.created")"},
        {"$.detail['a.b']", "1"},
        {"$.detail.plan", "null"},
        {"$.detail.items[1].id", "8"},
        {"$.detail.items[*].id", "[7,8]"},
        {"$.detail.items[2]", R"({"no":9})"},
        {"$.detail.items[3]", "none"},
        {"$.detail.items.id", "none"},
        {"$.detail.email.x", "none"},
        {"$.missing.*", "none"},
        {"$.source.*", "[]"},
        // What is no path leads nowhere.
        {"detail.email", "none"},
        {"", "none"},
        {"$.", "none"},
        {"$..email", "none"},
        {"$.detail.items[", "none"},
        {"$.detail.items[-1]", "none"},
        {"$.detail.items[99999999999999999999]", "none"},
        {"$.detail['']", "none"},
        {"$.detail email", "none"},
    };
    for (const auto& c : cases) EXPECT_EQ(found(c.path), c.found) << c.path;
    EXPECT_EQ(found("$.detail." + std::string(300, 'a')), "none");
    EXPECT_TRUE(found("$").starts_with("{"));
}

TEST(JsonPathTest, ATextIsNothingElse) {
    const auto root = table::Value::map(table::Item{{"a", "text"}, {"n", 1}});
    EXPECT_EQ(text_by_path("$.a", root), "text");
    EXPECT_EQ(text_by_path("$.n", root), "");
    EXPECT_EQ(text_by_path("$.b", root), "");
}

}  // namespace
}  // namespace mailroom::campaigns
