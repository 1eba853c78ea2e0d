// What engine tests share: an engine on a store in memory, and tables with short names.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "kv/memory_store.h"
#include "table/engine/definition.h"
#include "table/engine/engine.h"
#include "table/engine/rows.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace mailroom::table {

// Makes the first index of the table, from the next opening on, one that was made before there was
// a limit on its keys.
inline void forget_key_limits(kv::Store& kv, const std::string& table) {
    auto old = *decode_definition(**kv.get(catalog_key(table)));
    old.indexes.at(0).bounded = false;
    old.indexes[0].backfilling = true;
    kv::Batch batch;
    batch.put(catalog_key(table), encode_definition(old));
    ASSERT_TRUE(kv.commit(batch, kv::Sync::full));
}

class EngineTest : public ::testing::Test {
protected:
    void SetUp() override { reopen(); }

    // As after a restart of the process.
    void reopen() {
        engine.reset();
        auto opened = Engine::open(kv, clock, random, options);
        ASSERT_TRUE(opened) << opened.error().message;
        engine = *std::move(opened);
    }

    void create(CreateTable request) {
        auto created = engine->create_table(request);
        ASSERT_TRUE(created) << created.error().message;
    }

    // `pk` and, when `range` says so, `sk`; both strings.
    static CreateTable simple_table(const std::string& name, bool range = false) {
        CreateTable request;
        request.name = name;
        request.attributes = {{"pk", Kind::string}};
        request.keys = {"pk", ""};
        if (range) {
            request.attributes.push_back({"sk", Kind::string});
            request.keys.range = "sk";
        }
        return request;
    }

    static PutItem put(const std::string& table, Item item) {
        PutItem request;
        request.table = table;
        request.item = std::move(item);
        return request;
    }

    static UpdateItem update(const std::string& table, Item key, const std::string& expression,
                             std::vector<std::pair<std::string, Value>> values = {}) {
        UpdateItem request;
        request.table = table;
        request.key = std::move(key);
        request.update = expression;
        request.bind.values = std::move(values);
        return request;
    }

    std::optional<Item> get(const std::string& table, Item key) {
        GetItem request;
        request.table = table;
        request.key = std::move(key);
        auto got = engine->get(request);
        EXPECT_TRUE(got) << got.error().message;
        return got ? got->item : std::nullopt;
    }

    Page query(const std::string& table, const std::string& index, const std::string& condition,
               std::vector<std::pair<std::string, Value>> values) {
        Query request;
        request.table = table;
        request.index = index;
        request.key_condition = condition;
        request.bind.values = std::move(values);
        auto page = engine->query(request);
        EXPECT_TRUE(page) << page.error().message;
        return page ? *page : Page{};
    }

    kv::MemoryStore kv;
    ManualClock clock{from_unix_ms(1'760'000'000'000)};
    SeededRandom random{1};
    EngineOptions options;
    std::unique_ptr<Engine> engine;
};

}  // namespace mailroom::table
