#include "table/engine/engine_fixture.h"

#include <algorithm>

namespace mailroom::table {
namespace {

class QueryTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        auto request = simple_table("T", true);
        request.attributes.push_back({"n", Kind::number});
        request.local_indexes.push_back(
            {"ByNumber", {"pk", "n"}, {ProjectionKind::keys_only, {}}, {}});
        request.global_indexes.push_back(
            {"Numbers", {"n", ""}, {ProjectionKind::include, {"color"}}, {}});
        create(request);
        for (int i = 0; i < 10; ++i) {
            Item item{
                {"pk", "p"}, {"sk", "row-" + std::to_string(i)}, {"color", i % 2 ? "red" : "blue"}};
            if (i % 3 == 0) item.set("n", Value(100 - i));
            item.set("text", Value("t" + std::to_string(i)));
            ASSERT_TRUE(engine->put(put("T", item)));
        }
        ASSERT_TRUE(engine->put(put("T", {{"pk", "other"}, {"sk", "row-5"}})));
    }

    static std::string rows(const Page& page) {
        std::string text;
        for (const auto& item : page.items) text += item.text("sk").value_or("?").back();
        return text;
    }
};

TEST_F(QueryTest, SortKeyConditionsSelectTheirRange) {
    struct Case {
        const char* condition;
        std::vector<std::pair<std::string, Value>> values;
        const char* want;
    };
    const Case cases[] = {
        {"pk = :p", {}, "0123456789"},
        {"pk = :p AND sk = :a", {{":a", "row-3"}}, "3"},
        {"pk = :p AND sk < :a", {{":a", "row-3"}}, "012"},
        {"pk = :p AND sk <= :a", {{":a", "row-3"}}, "0123"},
        {"pk = :p AND sk > :a", {{":a", "row-7"}}, "89"},
        {"pk = :p AND sk >= :a", {{":a", "row-7"}}, "789"},
        {"pk = :p AND sk BETWEEN :a AND :b", {{":a", "row-2"}, {":b", "row-4"}}, "234"},
        {"pk = :p AND begins_with(sk, :a)", {{":a", "row-"}}, "0123456789"},
        {"pk = :p AND begins_with(sk, :a)", {{":a", "rox"}}, ""},
        {"sk = :a AND pk = :p", {{":a", "row-3"}}, "3"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.condition);
        auto values = c.values;
        values.emplace_back(":p", "p");
        EXPECT_EQ(rows(query("T", "", c.condition, values)), c.want);
        std::string reversed(c.want);
        std::ranges::reverse(reversed);
        Query backwards;
        backwards.table = "T";
        backwards.key_condition = c.condition;
        backwards.bind.values = values;
        backwards.forward = false;
        EXPECT_EQ(rows(*engine->query(backwards)), reversed);
    }
}

TEST_F(QueryTest, PagesOfAnySizeGiveEveryRowOnceInBothDirections) {
    for (const bool forward : {true, false}) {
        for (int limit = 1; limit <= 11; ++limit) {
            SCOPED_TRACE(limit);
            Query request;
            request.table = "T";
            request.key_condition = "pk = :p";
            request.bind.values = {{":p", "p"}};
            request.forward = forward;
            request.limit = limit;
            std::string seen;
            for (int pages = 0; pages < 20; ++pages) {
                const auto page = engine->query(request);
                ASSERT_TRUE(page) << page.error().message;
                seen += rows(*page);
                if (!page->last_key) break;
                request.start_key = page->last_key;
            }
            EXPECT_EQ(seen, forward ? "0123456789" : "9876543210");
        }
    }
}

TEST_F(QueryTest, FiltersCountAfterTheLimit) {
    Query request;
    request.table = "T";
    request.key_condition = "pk = :p";
    request.filter = "color = :c";
    request.bind.values = {{":p", "p"}, {":c", "red"}};
    request.limit = 4;
    const auto page = engine->query(request);
    ASSERT_TRUE(page);
    EXPECT_EQ(rows(*page), "13");
    EXPECT_EQ(page->count, 2u);
    EXPECT_EQ(page->scanned_count, 4u);
    EXPECT_EQ(page->last_key, (Item{{"pk", "p"}, {"sk", "row-3"}}));
}

TEST_F(QueryTest, CountAndProjectionShowWhatTheyShould) {
    Query request;
    request.table = "T";
    request.key_condition = "pk = :p AND sk = :s";
    request.bind.values = {{":p", "p"}, {":s", "row-1"}};
    request.select = Select::count;
    const auto counted = engine->query(request);
    EXPECT_EQ(counted->count, 1u);
    EXPECT_TRUE(counted->items.empty());
    request.select = Select::unset;
    request.projection = "color";
    EXPECT_EQ(engine->query(request)->items.at(0), (Item{{"color", "red"}}));
}

TEST_F(QueryTest, LocalIndexesSortByTheirKeyAndFetchWhatTheyDoNotProject) {
    const auto page = query("T", "ByNumber", "pk = :p AND n > :n", {{":p", "p"}, {":n", 91}});
    EXPECT_EQ(rows(page), "630") << "n is 94, 97, 100; the entry of 91 is not greater";
    EXPECT_EQ(page.items[0], (Item{{"pk", "p"}, {"sk", "row-6"}, {"n", 94}}));
    Query request;
    request.table = "T";
    request.index = "ByNumber";
    request.key_condition = "pk = :p AND n = :n";
    request.bind.values = {{":p", "p"}, {":n", 97}};
    request.select = Select::all_attributes;
    EXPECT_EQ(engine->query(request)->items.at(0).text("text"), "t3");
    request.select = Select::unset;
    request.projection = "#t";
    request.bind.names = {{"#t", "text"}};
    EXPECT_EQ(engine->query(request)->items.at(0), (Item{{"text", "t3"}}));
}

TEST_F(QueryTest, GlobalIndexesProjectWhatTheyWereMadeFor) {
    const auto page = query("T", "Numbers", "n = :n", {{":n", 97}});
    ASSERT_EQ(page.count, 1u);
    EXPECT_EQ(page.items[0], (Item{{"pk", "p"}, {"sk", "row-3"}, {"n", 97}, {"color", "red"}}));
}

TEST_F(QueryTest, RefusalsAreDynamoDbs) {
    struct Case {
        const char* name;
        Query request;
        const char* message;
    };
    const auto base = [](auto edit) {
        Query request;
        request.table = "T";
        request.key_condition = "pk = :p";
        request.bind.values = {{":p", "p"}};
        edit(request);
        return request;
    };
    const Case cases[] = {
        {"no such index", base([](Query& q) { q.index = "Nope"; }),
         "The table does not have the specified index: Nope"},
        {"consistent read of a global index", base([](Query& q) {
             q.index = "Numbers";
             q.key_condition = "n = :p";
             q.bind.values = {{":p", 1}};
             q.consistent = true;
         }),
         "Consistent reads are not supported on global secondary indexes"},
        {"filter on a key", base([](Query& q) { q.filter = "sk = :p"; }),
         "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
         "sk"},
        {"start key of another table", base([](Query& q) {
             q.start_key = Item{{"id", "x"}};
         }),
         "The provided starting key is invalid"},
        {"start key of another partition", base([](Query& q) {
             q.start_key = Item{{"pk", "other"}, {"sk", "row-5"}};
         }),
         "The provided starting key is outside query boundaries based on provided conditions"},
        {"unused value", base([](Query& q) { q.bind.values.emplace_back(":x", 1); }),
         "Value provided in ExpressionAttributeValues unused in expressions: keys: {:x}"},
        {"all attributes of a narrow global index", base([](Query& q) {
             q.index = "Numbers";
             q.key_condition = "n = :p";
             q.bind.values = {{":p", 1}};
             q.select = Select::all_attributes;
         }),
         "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported "
         "for "
         "global secondary index Numbers because its projection type is not ALL"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto refused = engine->query(c.request);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().message, c.message);
    }
}

TEST_F(QueryTest, APageEndsWithTheItemThatReachesOneMegabyte) {
    create(simple_table("Big", true));
    const std::string text(100 * 1024, 'x');
    for (int i = 0; i < 15; ++i) {
        ASSERT_TRUE(engine->put(
            put("Big", {{"pk", "p"}, {"sk", std::string(1, char('a' + i))}, {"x", text}})));
    }
    Query request;
    request.table = "Big";
    request.key_condition = "pk = :p";
    request.bind.values = {{":p", "p"}};
    const auto first = engine->query(request);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->count, 11u);
    EXPECT_EQ(first->last_key, (Item{{"pk", "p"}, {"sk", "k"}}));
    request.start_key = first->last_key;
    const auto second = engine->query(request);
    EXPECT_EQ(second->count, 4u);
    EXPECT_EQ(second->last_key, std::nullopt);
    request.start_key.reset();
    request.forward = false;
    EXPECT_EQ(engine->query(request)->last_key, (Item{{"pk", "p"}, {"sk", "e"}}));
    EXPECT_EQ(*engine->query_if_small(request, 64 * 1024), std::nullopt)
        << "too much to read at once";
    request.limit = 1;
    EXPECT_TRUE(*engine->query_if_small(request, 200 * 1024));
}

TEST_F(QueryTest, APageOfOneMegabyteHasALastKeyAlsoWhenNothingFollows) {
    create(simple_table("Big", true));
    // Four of a quarter each: names and keys take seven bytes.
    const std::string quarter(256 * 1024 - 7, 'x');
    for (const char* key : {"a", "b", "c", "d"}) {
        ASSERT_TRUE(engine->put(put("Big", {{"pk", "p"}, {"sk", key}, {"x", quarter}})));
    }
    Scan scan;
    scan.table = "Big";
    const auto page = engine->scan(scan);
    EXPECT_EQ(page->count, 4u);
    EXPECT_EQ(page->last_key, (Item{{"pk", "p"}, {"sk", "d"}}));
    scan.start_key = page->last_key;
    EXPECT_EQ(engine->scan(scan)->count, 0u);
    EXPECT_EQ(engine->scan(scan)->last_key, std::nullopt);
    ASSERT_TRUE(engine->put(put("Big", {{"pk", "p"}, {"sk", "d"}, {"x", quarter.substr(1)}})));
    scan.start_key.reset();
    EXPECT_EQ(engine->scan(scan)->last_key, std::nullopt) << "a byte less, and it is the end";
}

TEST_F(QueryTest, ABatchOfGetsStaysUnderSixteenMegabytes) {
    create(simple_table("Big"));
    constexpr int count = 60;
    // As DynamoDB's documentation counts: of items of 300 KB, 52 come.
    const std::string text(300 * 1024 - 6, 'x');
    BatchGet batch;
    batch.tables.resize(1);
    batch.tables[0].table = "Big";
    for (int i = 10; i < 10 + count; ++i) {
        const Item key{{"pk", std::to_string(i)}};
        auto item = key;
        item.set("x", Value(text));
        ASSERT_TRUE(engine->put(put("Big", item)));
        batch.tables[0].keys.push_back(key);
    }
    const auto first = engine->batch_get(batch);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->tables[0].items.size(), 52u);
    EXPECT_DOUBLE_EQ(first->consumed[0].table_read, 52 * 75 * 0.5) << "what is returned";
    ASSERT_EQ(first->unprocessed.tables.size(), 1u);
    ASSERT_EQ(first->unprocessed.tables[0].keys.size(), 8u);
    EXPECT_EQ(first->unprocessed.tables[0].keys.front(), batch.tables[0].keys[52]);
    const auto rest = engine->batch_get(first->unprocessed);
    EXPECT_EQ(rest->tables[0].items.size(), 8u);
    EXPECT_TRUE(rest->unprocessed.tables.empty());
}

TEST_F(QueryTest, SegmentsOfAScanPartitionTheTable) {
    create(simple_table("Many"));
    for (int i = 0; i < 500; ++i) {
        ASSERT_TRUE(engine->put(put("Many", {{"pk", "item-" + std::to_string(i)}})));
    }
    for (const int total : {1, 2, 3, 7, 64}) {
        SCOPED_TRACE(total);
        std::vector<std::string> seen;
        for (int segment = 0; segment < total; ++segment) {
            Scan request;
            request.table = "Many";
            request.total_segments = total;
            request.segment = segment;
            request.limit = 37;
            for (;;) {
                const auto page = engine->scan(request);
                ASSERT_TRUE(page) << page.error().message;
                for (const auto& item : page->items) seen.emplace_back(*item.text("pk"));
                if (!page->last_key) break;
                request.start_key = page->last_key;
            }
        }
        std::ranges::sort(seen);
        EXPECT_EQ(seen.size(), 500u);
        EXPECT_EQ(std::ranges::unique(seen).size(), 0u);
    }
}

}  // namespace
}  // namespace mailroom::table
