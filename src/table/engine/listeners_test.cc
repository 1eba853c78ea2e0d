#include "table/engine/engine_fixture.h"
#include "table/write_builder.h"

#include <mutex>
#include <thread>

namespace mailroom::table {
namespace {

class Hearing final : public ChangeListener {
public:
    void changed(const RowChange& change) override {
        const std::lock_guard lock(mutex_);
        const auto key = std::string(*change.item.text("pk"));
        if (change.what == RowChange::What::there) {
            items[key] = Item(change.item);
        } else {
            items.erase(key);
        }
        ++heard;
    }
    void replaced(std::string_view) override {
        items.clear();
        ++replacements;
    }

    std::map<std::string, Item> items;
    int heard = 0, replacements = 0;

private:
    std::mutex mutex_;
};

class ListenersTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("T"));
        create(simple_table("Other"));
        ASSERT_TRUE(engine->put(put("T", {{"pk", "early"}})));
        ASSERT_TRUE(engine->listen("T", hearing));
    }
    std::map<std::string, Item> in_table() {
        std::map<std::string, Item> all;
        Scan scan;
        scan.table = "T";
        const auto page = *engine->scan(scan);
        for (const auto& item : page.items) all[std::string(*item.text("pk"))] = item;
        return all;
    }

    Hearing hearing;
};

TEST_F(ListenersTest, EveryKindOfWriteIsHeardOf) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 1}})));
    ASSERT_TRUE(engine->update(update("T", {{"pk", "a"}}, "SET n = :n", {{":n", 2}})));
    EXPECT_EQ(hearing.items.at("a"), (Item{{"pk", "a"}, {"n", 2}}));
    BatchWrite batch;
    batch.tables = {{"T", {BatchWrite::Put{{{"pk", "b"}}}, BatchWrite::Delete{{{"pk", "a"}}}}}};
    ASSERT_TRUE(engine->batch_write(batch));
    write::Transaction together;
    together.put("T", {{"pk", "c"}});
    together.erase("T", {{"pk", "early"}});
    together.put("Other", {{"pk", "x"}});
    ASSERT_TRUE(engine->transact(together));
    EXPECT_EQ(hearing.items, in_table());
    EXPECT_EQ(hearing.items.size(), 2U);
    EXPECT_EQ(hearing.heard, 6);
}

TEST_F(ListenersTest, WhatIsRefusedOrChangesNothingIsNotHeardOf) {
    EXPECT_FALSE(engine->put(write::Put("T", {{"pk", "early"}}).if_absent("pk")));
    ASSERT_TRUE(engine->erase(write::Erase("T", {{"pk", "nobody"}})));
    write::Transaction together;
    together.put("T", {{"pk", "c"}});
    together.check("T", {{"pk", "nobody"}}).if_present("pk");
    EXPECT_FALSE(engine->transact(together));
    EXPECT_EQ(hearing.heard, 0);
}

TEST_F(ListenersTest, WhatExpiresIsHeardOf) {
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    const auto soon = to_unix_seconds(clock.now()) + 60;
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"ttl", soon}})));
    EXPECT_TRUE(hearing.items.contains("a"));
    clock.advance(std::chrono::hours(1));
    ASSERT_EQ(*engine->sweep_expired(100), 1U);
    EXPECT_FALSE(hearing.items.contains("a"));
}

TEST_F(ListenersTest, ATableThatIsDeletedAndMadeAgainIsToldAsAnother) {
    ASSERT_TRUE(engine->delete_table("T"));
    EXPECT_EQ(hearing.replacements, 1);
    create(simple_table("T"));
    EXPECT_EQ(hearing.replacements, 2);
    ASSERT_TRUE(engine->put(put("T", {{"pk", "new"}})));
    EXPECT_EQ(hearing.items, in_table());
}

TEST_F(ListenersTest, WhoStoppedListeningHearsNothing) {
    engine->stop_listening(hearing);
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}})));
    EXPECT_EQ(hearing.heard, 0);
}

TEST_F(ListenersTest, OfManyWritersAtOnceTheLastStateOfEachItemIsHeardLast) {
    const auto write = [&](int writer) {
        for (int i = 0; i < 200; ++i) {
            const auto key = "k" + std::to_string(i % 7);
            const auto n = writer * 1000 + i;
            if (i % 11 == 0) {
                EXPECT_TRUE(engine->erase(write::Erase("T", {{"pk", key}})));
            } else {
                EXPECT_TRUE(engine->put(put("T", {{"pk", key}, {"n", n}})));
            }
        }
    };
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i) writers.emplace_back(write, i);
    for (auto& writer : writers) writer.join();
    engine->stop_listening(hearing);
    auto want = in_table();
    want.erase("early");
    EXPECT_EQ(hearing.items, want);
}

}  // namespace
}  // namespace mailroom::table
