#include "table/engine/engine_fixture.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace mailroom::table {
namespace {

class IndexTest : public EngineTest {
protected:
    static UpdateTable add_index(const std::string& name, const std::string& hash) {
        UpdateTable change;
        change.name = "T";
        change.attributes = {{hash, Kind::string}};
        change.create_index = IndexSpec{name, {hash, ""}, {}, {}};
        return change;
    }

    std::set<std::string> scan_keys(const std::string& index) {
        std::set<std::string> keys;
        Scan request;
        request.table = "T";
        request.index = index;
        for (;;) {
            const auto page = engine->scan(request);
            EXPECT_TRUE(page) << page.error().message;
            if (!page) return keys;
            for (const auto& item : page->items) {
                if (item.has("g")) keys.emplace(*item.text("pk"));
            }
            if (!page->last_key) return keys;
            request.start_key = page->last_key;
        }
    }
};

TEST_F(IndexTest, EntriesFollowTheirItems) {
    auto request = simple_table("T");
    request.attributes.push_back({"g", Kind::string});
    request.global_indexes.push_back({"G", {"g", ""}, {}, {}});
    create(request);
    const auto in = [&](const char* value) {
        return query("T", "G", "g = :g", {{":g", value}}).count;
    };
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"g", "x"}})));
    EXPECT_EQ(in("x"), 1u);
    ASSERT_TRUE(engine->update(update("T", {{"pk", "a"}}, "SET g = :v", {{":v", "y"}})));
    EXPECT_EQ(in("x"), 0u);
    EXPECT_EQ(in("y"), 1u);
    ASSERT_TRUE(engine->update(update("T", {{"pk", "a"}}, "REMOVE g")));
    EXPECT_EQ(in("y"), 0u) << "an item without the key is not in the index";
    EXPECT_EQ(get("T", {{"pk", "a"}}), (Item{{"pk", "a"}}));
}

TEST_F(IndexTest, RandomWritesLeaveTheIndexEqualToItsTable) {
    auto request = simple_table("T");
    request.attributes.push_back({"g", Kind::string});
    request.global_indexes.push_back({"G", {"g", ""}, {ProjectionKind::keys_only, {}}, {}});
    create(request);
    std::mt19937 chance(11);
    std::map<std::string, std::string> model;  // pk to g.
    for (int i = 0; i < 2000; ++i) {
        const auto pk = "k" + std::to_string(chance() % 50);
        const auto g = "g" + std::to_string(chance() % 5);
        if (chance() % 4 == 0) {
            DeleteItem erase;
            erase.table = "T";
            erase.key = {{"pk", pk}};
            ASSERT_TRUE(engine->erase(erase));
            model.erase(pk);
        } else {
            ASSERT_TRUE(engine->put(put("T", {{"pk", pk}, {"g", g}, {"i", i}})));
            model[pk] = g;
        }
    }
    for (int g = 0; g < 5; ++g) {
        std::set<std::string> want, got;
        for (const auto& [pk, value] : model) {
            if (value == "g" + std::to_string(g)) want.insert(pk);
        }
        const auto page = query("T", "G", "g = :g", {{":g", "g" + std::to_string(g)}});
        for (const auto& item : page.items) got.emplace(*item.text("pk"));
        EXPECT_EQ(got, want);
    }
    const auto description = engine->describe_table("T");
    EXPECT_EQ(description->item_count, static_cast<std::int64_t>(model.size()));
    EXPECT_EQ(description->global_indexes[0].item_count, static_cast<std::int64_t>(model.size()));
}

TEST_F(IndexTest, AnIndexAddedLaterIsFilledWhileWritesGoOn) {
    create(simple_table("T"));
    for (int i = 0; i < 3000; ++i) {
        Item item{{"pk", "k" + std::to_string(i)}};
        if (i % 2) item.set("g", Value("x"));
        ASSERT_TRUE(engine->put(put("T", item)));
    }
    std::thread writer([&] {
        for (int i = 0; i < 600; ++i) {
            const auto pk = "k" + std::to_string(i * 5);
            if (i % 3 == 0) {
                EXPECT_TRUE(engine->update(update("T", {{"pk", pk}}, "REMOVE g")));
            } else {
                EXPECT_TRUE(
                    engine->put(put("T", {{"pk", pk}, {"g", "y" + std::to_string(i % 2)}})));
            }
        }
    });
    ASSERT_TRUE(engine->update_table(add_index("G", "g")));
    writer.join();
    engine->finish_jobs();
    const auto description = engine->describe_table("T");
    ASSERT_EQ(description->global_indexes.size(), 1u);
    EXPECT_EQ(description->global_indexes[0].status, IndexStatus::active);
    const auto wanted = scan_keys("");
    EXPECT_EQ(scan_keys("G"), wanted);
    EXPECT_EQ(description->global_indexes[0].item_count, static_cast<std::int64_t>(wanted.size()));
}

TEST_F(IndexTest, FillingGoesOnAfterACrash) {
    create(simple_table("T"));
    for (int i = 0; i < 2000; ++i) {
        ASSERT_TRUE(engine->put(put("T", {{"pk", "k" + std::to_string(i)}, {"g", "x"}})));
    }
    ASSERT_TRUE(engine->update_table(add_index("G", "g")));
    kv.crash();
    engine.reset();
    kv.restart();
    reopen();
    engine->finish_jobs();
    EXPECT_EQ(scan_keys("G").size(), 2000u);
    EXPECT_EQ(engine->describe_table("T")->global_indexes[0].backfilling, false);
}

TEST_F(IndexTest, ADroppedIndexIsGoneWithItsAttributes) {
    create(simple_table("T"));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"g", "x"}})));
    ASSERT_TRUE(engine->update_table(add_index("G", "g")));
    engine->finish_jobs();
    UpdateTable drop;
    drop.name = "T";
    drop.delete_index = "G";
    ASSERT_TRUE(engine->update_table(drop));
    engine->finish_jobs();
    const auto description = engine->describe_table("T");
    EXPECT_TRUE(description->global_indexes.empty());
    EXPECT_EQ(description->attributes.size(), 1u);
    EXPECT_TRUE(engine->put(put("T", {{"pk", "a"}, {"g", 5}})))
        << "no index minds the type any more";
    EXPECT_EQ(engine->update_table(drop).error().fault, Fault::resource_not_found);
}

TEST_F(IndexTest, AnIndexCannotGiveAKeyAttributeAnotherType) {
    auto request = simple_table("Typed");
    request.attributes.push_back({"mail", Kind::string});
    request.global_indexes = {{"ByMail", {"mail", ""}, {ProjectionKind::all, {}}, {}}};
    create(request);
    UpdateTable change;
    change.name = "Typed";
    change.create_index = IndexSpec{"Second", {"mail", ""}, {ProjectionKind::all, {}}, {}};
    change.attributes = {{"mail", Kind::number}};
    const auto refused = engine->update_table(change);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::validation);
    EXPECT_NE(refused.error().message.find("Attributes cannot be redefined"), std::string::npos);
    EXPECT_EQ(engine->describe_table("Typed")->global_indexes.size(), 1u);

    // An attribute that no index has any more is free again.
    UpdateTable removal;
    removal.name = "Typed";
    removal.delete_index = "ByMail";
    ASSERT_TRUE(engine->update_table(removal));
    engine->finish_jobs();
    EXPECT_TRUE(engine->update_table(change));
}

TEST_F(IndexTest, AnIndexIsExchangedForOneThatHasMore) {
    auto request = simple_table("Mails");
    request.attributes.push_back({"state", Kind::string});
    request.global_indexes = {{"ByState", {"state", ""}, {ProjectionKind::keys_only, {}}, {}}};
    create(request);
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(engine->put(
            put("Mails", {{"pk", std::to_string(i)}, {"state", "open"}, {"ttl", i}, {"x", "y"}})));
    }
    UpdateTable change;
    change.name = "Mails";
    change.attributes = {{"state", Kind::string}};
    change.create_index =
        IndexSpec{"ByState", {"state", ""}, {ProjectionKind::include, {"ttl"}}, {}};
    change.delete_index = "ByState";
    ASSERT_TRUE(engine->update_table(change));
    ASSERT_TRUE(engine->put(put("Mails", {{"pk", "late"}, {"state", "open"}, {"ttl", 7}})));
    engine->finish_jobs();
    const auto by_state = [&] {
        Query query;
        query.table = "Mails";
        query.index = "ByState";
        query.key_condition = "#s = :s";
        query.bind = {{{"#s", "state"}}, {{":s", "open"}}};
        auto page = engine->query(query);
        EXPECT_TRUE(page) << page.error().message;
        return page ? *page : Page{};
    };
    for (const bool restarted : {false, true}) {
        if (restarted) reopen();
        const auto page = by_state();
        ASSERT_EQ(page.count, 51u);
        for (const auto& item : page.items) {
            EXPECT_TRUE(item.has("ttl"));
            EXPECT_FALSE(item.has("x"));
        }
        const auto described = engine->describe_table("Mails");
        ASSERT_EQ(described->global_indexes.size(), 1u);
        EXPECT_EQ(described->global_indexes[0].item_count, 51);
    }
    change.delete_index = "Missing";
    EXPECT_FALSE(engine->update_table(change));
}

}  // namespace
}  // namespace mailroom::table
