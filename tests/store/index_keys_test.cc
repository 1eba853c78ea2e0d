#include "store_contract.h"

#include <string>

namespace mailroom::table {
namespace {

class IndexKeys : public StoreContract {
protected:
    static IndexSpec by_region() {
        return {
            "ByRegion", {"cup", "round", {"land"}, {"pk"}}, {ProjectionKind::keys_only, {}}, {}};
    }
    static std::vector<AttributeDefinition> key_attributes() {
        return {{"pk", Kind::string},
                {"cup", Kind::string},
                {"land", Kind::binary},
                {"round", Kind::number}};
    }
    void fill_some(const std::string& table) {
        for (int i = 0; i < 12; ++i) {
            Item item{{"pk", "m" + std::to_string(10 + i)},
                      {"cup", "w"},
                      {"land", Value::binary(i % 2 ? "e" : "f")},
                      {"round", i / 4 - 1},
                      {"score", i}};
            if (i == 11) item.erase("round");
            fill(table, item);
        }
    }
    // Of all pages, each of two items.
    std::string keys(Query request) {
        std::string text;
        request.index = "ByRegion";
        request.limit = 2;
        for (;;) {
            const auto page = store().query(request);
            EXPECT_TRUE(page) << page.error().message;
            if (!page) return text;
            for (const auto& item : page->items) text += std::string(*item.text("pk")) + " ";
            if (!page->last_key) return text;
            EXPECT_EQ(page->last_key->view().count(), 4u);
            request.start_key = page->last_key;
        }
    }
};

TEST_P(IndexKeys, OfSeveralAttributesAreDescribedFilledAndRead) {
    auto request = hash_table("New");
    request.attributes = key_attributes();
    request.global_indexes.push_back(by_region());
    create(request);
    fill_some("New");

    create(hash_table("Old"));
    fill_some("Old");
    UpdateTable change;
    change.name = "Old";
    change.attributes = key_attributes();
    change.create_index = by_region();
    const auto changed = store().update_table(change);
    ASSERT_TRUE(changed) << changed.error().message;
    backend->finish_jobs();

    for (const std::string table : {"New", "Old"}) {
        SCOPED_TRACE(table);
        const auto description = store().describe_table(table);
        ASSERT_TRUE(description) << description.error().message;
        EXPECT_EQ(description->global_indexes.at(0).spec.keys, by_region().keys);
        EXPECT_EQ(description->global_indexes[0].item_count, 11);
        const Values values{{":c", "w"}, {":l", Value::binary("e")}, {":r", 0}};
        auto all = query(table, "cup = :c AND land = :l", {values[0], values[1]});
        EXPECT_EQ(keys(all), "m11 m13 m15 m17 m19 ");
        all.forward = false;
        EXPECT_EQ(keys(all), "m19 m17 m15 m13 m11 ");
        EXPECT_EQ(keys(query(table, "cup = :c AND land = :l AND round < :r", values)), "m11 m13 ");
        EXPECT_EQ(keys(query(table, "cup = :c AND land = :l AND round = :r AND pk > :p",
                             {values[0], values[1], values[2], {":p", "m15"}})),
                  "m17 ");
        auto skipping = query(table, "cup = :c AND land = :l AND pk = :r",
                              {values[0], values[1], {":r", "m15"}});
        skipping.index = "ByRegion";
        EXPECT_EQ(store().query(skipping).error().message,
                  "RANGE key attributes round must have equality conditions specified in the query "
                  "because a condition is present on key attribute pk");
    }
}

INSTANTIATE_TEST_SUITE_P(Stores, IndexKeys, every_store(), name_of);

}  // namespace
}  // namespace mailroom::table
