#include "store_contract.h"

#include <algorithm>
#include <string>

namespace mailroom::table {
namespace {

class Pages : public StoreContract {
protected:
    void SetUp() override {
        StoreContract::SetUp();
        auto request = range_table("Things");
        request.attributes.push_back({"n", Kind::number});
        request.local_indexes.push_back(
            {"ByNumber", {"pk", "n"}, {ProjectionKind::keys_only, {}}, {}});
        request.global_indexes.push_back(
            {"Numbers", {"n", ""}, {ProjectionKind::include, {"color"}}, {}});
        create(request);
        for (int i = 0; i < 10; ++i) {
            Item item{{"pk", "p"},
                      {"sk", "row-" + std::to_string(i)},
                      {"color", i % 2 ? "red" : "blue"},
                      {"text", "t" + std::to_string(i)}};
            if (i % 3 == 0) item.set("n", Value(100 - i));
            fill("Things", item);
        }
        fill("Things", {{"pk", "other"}, {"sk", "row-5"}});
    }

    // The last character of each sort key.
    static std::string rows(const Page& page) {
        std::string text;
        for (const auto& item : page.items) text += item.text("sk").value_or("?").back();
        return text;
    }
    std::string rows(const Query& request) {
        const auto page = store().query(request);
        EXPECT_TRUE(page) << page.error().message;
        return page ? rows(*page) : "";
    }
};

TEST_P(Pages, SortKeyConditionsSelectTheirRangeInBothDirections) {
    struct Case {
        const char* condition;
        Values values;
        const char* want;
    };
    const Case cases[] = {
        {"pk = :p", {}, "0123456789"},
        {"pk = :p AND sk = :a", {{":a", "row-3"}}, "3"},
        {"pk = :p AND sk < :a", {{":a", "row-3"}}, "012"},
        {"pk = :p AND sk >= :a", {{":a", "row-7"}}, "789"},
        {"pk = :p AND sk BETWEEN :a AND :b", {{":a", "row-2"}, {":b", "row-4"}}, "234"},
        {"pk = :p AND begins_with(sk, :a)", {{":a", "row-"}}, "0123456789"},
        {"pk = :p AND begins_with(sk, :a)", {{":a", "rox"}}, ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.condition);
        auto values = c.values;
        values.emplace_back(":p", "p");
        auto request = query("Things", c.condition, values);
        EXPECT_EQ(rows(request), c.want);
        request.forward = false;
        std::string reversed(c.want);
        std::ranges::reverse(reversed);
        EXPECT_EQ(rows(request), reversed);
    }
}

TEST_P(Pages, OfAnySizeGiveEveryRowOnceInBothDirections) {
    for (const bool forward : {true, false}) {
        for (const int limit : {1, 3, 10, 11}) {
            SCOPED_TRACE(limit);
            auto request = query("Things", "pk = :p", {{":p", "p"}});
            request.forward = forward;
            request.limit = limit;
            std::string seen;
            do {
                const auto page = store().query(request);
                ASSERT_TRUE(page) << page.error().message;
                seen += rows(*page);
                request.start_key = page->last_key;
            } while (request.start_key && seen.size() < 20);
            EXPECT_EQ(seen, forward ? "0123456789" : "9876543210");
        }
    }
}

TEST_P(Pages, FiltersCountAfterTheLimit) {
    auto request = query("Things", "pk = :p", {{":p", "p"}, {":c", "red"}});
    request.filter = "color = :c";
    request.limit = 4;
    const auto page = store().query(request);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(rows(*page), "13");
    EXPECT_EQ(page->count, 2u);
    EXPECT_EQ(page->scanned_count, 4u);
    EXPECT_EQ(page->last_key, (Item{{"pk", "p"}, {"sk", "row-3"}}));
    request.filter.clear();
    request.bind.values.pop_back();
    request.select = Select::count;
    const auto counted = store().query(request);
    EXPECT_EQ(counted->count, 4u);
    EXPECT_TRUE(counted->items.empty());
    request.select = Select::unset;
    request.projection = "color";
    EXPECT_EQ(store().query(request)->items.at(0), (Item{{"color", "blue"}}));
}

TEST_P(Pages, IndexesShowWhatTheyProject) {
    auto local = query("Things", "pk = :p AND n > :n", {{":p", "p"}, {":n", 91}});
    local.index = "ByNumber";
    const auto page = store().query(local);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(rows(*page), "630") << "n is 94, 97, 100";
    EXPECT_EQ(page->items[0], (Item{{"pk", "p"}, {"sk", "row-6"}, {"n", 94}}));
    local.select = Select::all_attributes;
    local.limit = 1;
    const auto whole = store().query(local);
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(whole->items.at(0).text("text"), "t6");
    EXPECT_EQ(whole->last_key, (Item{{"pk", "p"}, {"sk", "row-6"}, {"n", 94}}));

    auto global = query("Things", "n = :n", {{":n", 97}});
    global.index = "Numbers";
    EXPECT_EQ(store().query(global)->items.at(0),
              (Item{{"pk", "p"}, {"sk", "row-3"}, {"n", 97}, {"color", "red"}}));
    Scan scan;
    scan.table = "Things";
    scan.index = "Numbers";
    EXPECT_EQ(store().scan(scan)->count, 4u);
}

TEST_P(Pages, EndWithTheItemThatReachesOneMegabyte) {
    create(range_table("Big"));
    const std::string text(100 * 1024, 'x');
    for (char c = 'a'; c < 'a' + 15; ++c) {
        fill("Big", {{"pk", "p"}, {"sk", std::string(1, c)}, {"x", text}});
    }
    auto request = query("Big", "pk = :p", {{":p", "p"}});
    const auto first = store().query(request);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->count, 11u);
    EXPECT_EQ(first->last_key, (Item{{"pk", "p"}, {"sk", "k"}}));
    request.start_key = first->last_key;
    const auto second = store().query(request);
    EXPECT_EQ(second->count, 4u);
    EXPECT_EQ(second->last_key, std::nullopt);
}

TEST_P(Pages, SegmentsOfAScanPartitionTheTable) {
    create(hash_table("Many"));
    for (int i = 0; i < 100; ++i) fill("Many", {{"pk", "item-" + std::to_string(i)}});
    for (const int total : {1, 3, 16}) {
        SCOPED_TRACE(total);
        std::vector<std::string> seen;
        for (int segment = 0; segment < total; ++segment) {
            Scan request;
            request.table = "Many";
            request.total_segments = total;
            request.segment = segment;
            request.limit = 7;
            do {
                const auto page = store().scan(request);
                ASSERT_TRUE(page) << page.error().message;
                for (const auto& item : page->items) seen.emplace_back(*item.text("pk"));
                request.start_key = page->last_key;
            } while (request.start_key);
        }
        std::ranges::sort(seen);
        EXPECT_EQ(seen.size(), 100u);
        EXPECT_EQ(std::ranges::unique(seen).size(), 0u);
    }
}

TEST_P(Pages, ScansFilter) {
    Scan request;
    request.table = "Things";
    request.filter = "#c = :c AND begins_with(sk, :r)";
    request.projection = "sk";
    request.bind = {{{"#c", "color"}}, {{":c", "blue"}, {":r", "row"}}};
    const auto page = store().scan(request);
    ASSERT_TRUE(page) << page.error().message;
    EXPECT_EQ(page->count, 5u);
    EXPECT_EQ(page->scanned_count, 11u);
    EXPECT_EQ(page->items.at(0), (Item{{"sk", "row-0"}}));
}

TEST_P(Pages, RefusalsAreDynamoDbs) {
    struct Case {
        const char* name;
        void (*edit)(Query& request);
        const char* message;
    };
    const Case cases[] = {
        {"no such index", [](Query& q) { q.index = "Nope"; },
         "The table does not have the specified index: Nope"},
        {"consistent read of a global index",
         [](Query& q) {
             q.index = "Numbers";
             q.key_condition = "n = :p";
             q.bind.values = {{":p", 1}};
             q.consistent = true;
         },
         "Consistent reads are not supported on global secondary indexes"},
        {"filter on a key", [](Query& q) { q.filter = "sk = :p"; },
         "Filter Expression can only contain non-primary key attributes: Primary key attribute: "
         "sk"},
        {"start key of another table",
         [](Query& q) {
             q.start_key = Item{{"id", "x"}};
         },
         "The provided starting key is invalid"},
        {"start key of another partition",
         [](Query& q) {
             q.start_key = Item{{"pk", "other"}, {"sk", "row-5"}};
         },
         "The provided starting key is outside query boundaries based on provided conditions"},
        {"no such operator", [](Query& q) { q.key_condition = "pk <> :p"; },
         "Invalid operator used in KeyConditionExpression: <>"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto request = query("Things", "pk = :p", {{":p", "p"}});
        c.edit(request);
        expect_refused(store().query(request), Fault::validation, c.message);
    }
}

TEST_P(Pages, BatchesWriteAndReadManyItems) {
    create(hash_table("Batched"));
    BatchWrite write;
    write.tables.push_back({"Batched", {}});
    for (int i = 0; i < 25; ++i) {
        write.tables[0].actions.push_back(
            BatchWrite::Put{{{"pk", "k" + std::to_string(i)}, {"n", i}}});
    }
    const auto written = store().batch_write(write);
    ASSERT_TRUE(written) << written.error().message;
    EXPECT_TRUE(written->unprocessed.tables.empty());
    write.tables[0].actions = {BatchWrite::Delete{{{"pk", "k0"}}}};
    write.tables.push_back({"Things", {BatchWrite::Put{{{"pk", "p"}, {"sk", "x"}}}}});
    ASSERT_TRUE(store().batch_write(write));
    EXPECT_EQ(read("Batched", {{"pk", "k0"}}), std::nullopt);
    EXPECT_TRUE(read("Things", {{"pk", "p"}, {"sk", "x"}}));

    BatchGet request;
    request.tables.push_back(
        {"Batched", {{{"pk", "k0"}}, {{"pk", "k1"}}, {{"pk", "k24"}}}, "n", {}, true});
    request.tables.push_back({"Things", {{{"pk", "p"}, {"sk", "x"}}}, "", {}, false});
    const auto got = store().batch_get(request);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_TRUE(got->unprocessed.tables.empty());
    ASSERT_EQ(got->tables.size(), 2u);
    for (const auto& [table, items] : got->tables) {
        const auto want = table == "Batched" ? std::vector<Item>{{{"n", 1}}, {{"n", 24}}}
                                             : std::vector<Item>{{{"pk", "p"}, {"sk", "x"}}};
        EXPECT_EQ(items, want) << table;
    }
    write.tables = {
        {"Batched", {BatchWrite::Put{{{"pk", "a"}}}, BatchWrite::Delete{{{"pk", "a"}}}}}};
    expect_refused(store().batch_write(write), Fault::validation,
                   "Provided list of item keys contains duplicates");
    request.tables = {{"Nowhere", {{{"pk", "a"}}}, "", {}, false}};
    expect_refused(store().batch_get(request), Fault::resource_not_found,
                   "Requested resource not found");
}

INSTANTIATE_TEST_SUITE_P(Stores, Pages, every_store(), name_of);

}  // namespace
}  // namespace mailroom::table
