#include "table/query_builder.h"

#include "table/engine/engine_fixture.h"

#include <gtest/gtest.h>

namespace mailroom::table {
namespace {

// Key attributes with reserved names: "order" and "timestamp".
class QueryBuilderTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        CreateTable request;
        request.name = "T";
        request.attributes = {
            {"order", Kind::string}, {"timestamp", Kind::string}, {"status", Kind::string}};
        request.keys = {"order", "timestamp"};
        request.global_indexes.push_back({"ByStatus", {"status", "timestamp"}, {}, {}});
        create(request);
        for (const char* time : {"1", "20", "21", "22", "3"}) {
            ASSERT_TRUE(engine->put(put("T", {{"order", "o"},
                                              {"timestamp", time},
                                              {"status", time[0] == '2' ? "open" : "shut"},
                                              {"size", std::string_view(time).size()}})));
        }
    }
    std::string times(const Query& query) {
        const auto page = engine->query(query);
        EXPECT_TRUE(page) << page.error().message;
        std::string text;
        for (const auto& item : page->items) {
            text += (text.empty() ? "" : " ") + std::string(*item.text("timestamp"));
        }
        return text;
    }
};

TEST_F(QueryBuilderTest, EachConditionSelectsItsRange) {
    struct Case {
        const char* name;
        Query query;
        const char* want;
    };
    const auto all = [] { return from("T").partition("order", "o"); };
    const Case cases[] = {
        {"all", all(), "1 20 21 22 3"},
        {"other partition", from("T").partition("order", "x"), ""},
        {"equals", all().equals("timestamp", "21"), "21"},
        {"begins with", all().begins_with("timestamp", "2"), "20 21 22"},
        {"below", all().below("timestamp", "21"), "1 20"},
        {"at most", all().at_most("timestamp", "21"), "1 20 21"},
        {"above", all().above("timestamp", "21"), "22 3"},
        {"at least", all().at_least("timestamp", "21"), "21 22 3"},
        {"between", all().between("timestamp", "20", "21"), "20 21"},
        {"newest first", all().newest_first(), "3 22 21 20 1"},
        {"limit", all().newest_first().limit(2), "3 22"},
        {"where", all().where("size", 1), "1 3"},
        {"where both", all().where("size", 1).where("status", "open"), ""},
        {"consistent", all().consistent().limit(1), "1"},
        {"index", from("T").index("ByStatus").partition("status", "open"), "20 21 22"},
        {"index range",
         from("T").index("ByStatus").partition("status", "open").above("timestamp", "20"), "21 22"},
        {"after", all().after(Item{{"order", "o"}, {"timestamp", "22"}}), "3"},
        {"after nothing", all().after(std::nullopt).limit(1), "1"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(times(c.query), c.want);
    }
}

TEST_F(QueryBuilderTest, OnlyAndCountOnlyShowLess) {
    const auto some = engine->query(
        from("T").partition("order", "o").equals("timestamp", "21").only({"size", "status"}));
    ASSERT_TRUE(some) << some.error().message;
    EXPECT_EQ(some->items.at(0), (Item{{"size", 2}, {"status", "open"}}));
    const auto counted = engine->query(from("T").partition("order", "o").count_only());
    EXPECT_EQ(counted->count, 5u);
    EXPECT_TRUE(counted->items.empty());
}

}  // namespace
}  // namespace mailroom::table
