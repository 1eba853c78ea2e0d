#include "http/key_table.h"

#include "kv/memory_store.h"
#include "table/engine/engine.h"

#include <gtest/gtest.h>

namespace mailroom::http {
namespace {

ApiKey key_named(const std::string& id, const std::string& hash) {
    return {.id = id,
            .name = "billing",
            .scopes = {"outbox:read", "outbox:write"},
            .created = from_unix_ms(1'794'721'884'123),
            .last_four = "wxyz",
            .hash = hash,
            .person = id == "01B" ? "ann" : ""};
}

class KeyTableTest : public testing::Test {
protected:
    void SetUp() override {
        auto engine = table::Engine::open(rows_, clock_, random_);
        ASSERT_TRUE(engine) << engine.error().message;
        engine_ = *std::move(engine);
        auto keys = KeyTable::open(*engine_);
        ASSERT_TRUE(keys) << keys.error().message;
        keys_.emplace(*std::move(keys));
    }

    ManualClock clock_{from_unix_ms(1'794'721'884'123)};
    SeededRandom random_{1};
    kv::MemoryStore rows_;
    std::unique_ptr<table::Engine> engine_;
    std::optional<KeyTable> keys_;
};

TEST_F(KeyTableTest, GivesBackWhatWasPutOldestFirst) {
    const auto older = key_named("01A", "ff"), newer = key_named("01B", "00");
    ASSERT_TRUE(keys_->put(newer));
    ASSERT_TRUE(keys_->put(older));
    const auto listed = keys_->list();
    ASSERT_TRUE(listed);
    EXPECT_EQ(*listed, (std::vector{older, newer}));
    const auto found = keys_->find("ff");
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, older);
    const auto absent = keys_->find("aa");
    ASSERT_TRUE(absent);
    EXPECT_EQ(*absent, std::nullopt);
}

TEST_F(KeyTableTest, RefusesAHashThatIsThereAndErasesOnce) {
    ASSERT_TRUE(keys_->put(key_named("01A", "ff")));
    const auto again = keys_->put(key_named("01B", "ff"));
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, Errc::conflict);
    EXPECT_TRUE(keys_->erase("ff"));
    const auto gone = keys_->erase("ff");
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code, Errc::not_found);
}

TEST_F(KeyTableTest, ErasesBesideAnotherOnlyIfBothAreThere) {
    ASSERT_TRUE(keys_->put(key_named("01A", "aa")));
    for (const auto& [hash, other] : {std::pair("aa", "bb"), std::pair("bb", "aa")}) {
        const auto refused = keys_->erase_beside(hash, other);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::conflict);
    }
    ASSERT_TRUE(keys_->put(key_named("01B", "bb")));
    EXPECT_TRUE(keys_->erase_beside("aa", "bb"));
    EXPECT_EQ(keys_->list()->size(), 1u);
}

TEST_F(KeyTableTest, OpensATableThatIsThereAlready) {
    ASSERT_TRUE(keys_->put(key_named("01A", "ff")));
    auto again = KeyTable::open(*engine_);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->list()->size(), 1u);
}

}  // namespace
}  // namespace mailroom::http
