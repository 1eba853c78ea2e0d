#include "kv/key.h"
#include "table/engine/engine_fixture.h"
#include "table/engine/rows.h"

namespace mailroom::table {
namespace {

using std::chrono::seconds;

class ExpiryTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        auto request = simple_table("T");
        request.attributes.push_back({"g", Kind::string});
        request.global_indexes.push_back({"G", {"g", ""}, {}, {}});
        create(request);
    }
    std::int64_t in(int seconds_from_now) {
        return to_unix_seconds(clock.now()) + seconds_from_now;
    }
    std::size_t sweep(std::size_t limit = 1000) {
        const auto swept = engine->sweep_expired(limit);
        EXPECT_TRUE(swept) << swept.error().message;
        return swept ? *swept : 0;
    }
};

TEST_F(ExpiryTest, ItemsGoAfterTheirTimeWithTheirIndexEntries) {
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "soon"}, {"g", "x"}, {"ttl", in(10)}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "later"}, {"g", "x"}, {"ttl", in(1000)}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "never"}, {"g", "x"}})));
    EXPECT_EQ(sweep(), 0u);
    clock.advance(seconds(11));
    EXPECT_EQ(sweep(), 1u);
    EXPECT_EQ(get("T", {{"pk", "soon"}}), std::nullopt);
    EXPECT_EQ(query("T", "G", "g = :g", {{":g", "x"}}).count, 2u);
    EXPECT_EQ(sweep(), 0u);
}

TEST_F(ExpiryTest, AnExpiredItemIsNotThereForConditionsEither) {
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"ttl", in(10)}})));
    clock.advance(seconds(11));
    ASSERT_EQ(sweep(), 1u);
    auto again = put("T", {{"pk", "a"}});
    again.condition = "attribute_exists(pk)";
    EXPECT_FALSE(engine->put(again));
    again.condition = "attribute_not_exists(pk)";
    EXPECT_TRUE(engine->put(again));
}

class GroupExpiryTest : public ExpiryTest {
protected:
    void SetUp() override {
        ExpiryTest::SetUp();
        create(simple_table("U"));
        ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
        ASSERT_TRUE(engine->set_time_to_live("U", {true, "ttl"}));
        engine->finish_jobs();  // They give items that are there a row each.
        write_new();
    }
    // Three items that expire together, one that does not, one later.
    void write_new() {
        TransactWrite write;
        write.actions = {put("T", {{"pk", "a"}, {"g", "x"}, {"ttl", in(10)}}),
                         put("T", {{"pk", "b"}, {"g", "x"}, {"ttl", in(10)}}),
                         put("U", {{"pk", "c"}, {"ttl", in(10)}}), put("T", {{"pk", "never"}}),
                         put("T", {{"pk", "later"}, {"ttl", in(1000)}})};
        write.new_puts_end = write.actions.size();
        ASSERT_TRUE(engine->transact(write));
    }
    // Rows that say when something expires.
    std::size_t expiry_rows() {
        std::size_t count = 0;
        for (const char* space : {"e", "E"}) {
            const auto cursor = kv.scan(space, kv::after_prefix(space));
            for (cursor->seek(space); cursor->valid(); cursor->next()) ++count;
        }
        return count;
    }
    Outcome<WriteResult> set_time(const std::string& pk, std::int64_t second) {
        auto request = update("T", {{"pk", pk}}, "SET #t = :t", {{":t", second}});
        request.bind.names = {{"#t", "ttl"}};
        return engine->update(request);
    }
};

TEST_F(GroupExpiryTest, NewItemsOfOneSecondShareARowAndGoTogether) {
    EXPECT_EQ(expiry_rows(), 2u);
    EXPECT_EQ(sweep(), 0u);
    clock.advance(seconds(11));
    EXPECT_EQ(sweep(), 3u);
    EXPECT_FALSE(get("T", {{"pk", "a"}}));
    EXPECT_FALSE(get("T", {{"pk", "b"}}));
    EXPECT_FALSE(get("U", {{"pk", "c"}}));
    EXPECT_TRUE(get("T", {{"pk", "never"}}));
    EXPECT_EQ(query("T", "G", "g = :g", {{":g", "x"}}).count, 0u);
    EXPECT_EQ(expiry_rows(), 1u);
    clock.advance(seconds(1000));
    EXPECT_EQ(sweep(), 1u);
    EXPECT_EQ(expiry_rows(), 0u);
}

TEST_F(GroupExpiryTest, AnItemThatChangedOrWentLeavesTheOthersAlone) {
    ASSERT_TRUE(set_time("a", in(500)));
    DeleteItem gone;
    gone.table = "T";
    gone.key = {{"pk", "b"}};
    ASSERT_TRUE(engine->erase(gone));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "b"}})));
    clock.advance(seconds(11));
    EXPECT_EQ(sweep(), 1u);
    EXPECT_TRUE(get("T", {{"pk", "a"}}));
    EXPECT_TRUE(get("T", {{"pk", "b"}}));
    EXPECT_FALSE(get("U", {{"pk", "c"}}));
    clock.advance(seconds(500));
    EXPECT_EQ(sweep(), 1u);
    EXPECT_FALSE(get("T", {{"pk", "a"}}));
    EXPECT_EQ(expiry_rows(), 1u) << "that of the one that is later";
}

TEST_F(GroupExpiryTest, TablesThatAreGoneOrKeepTheirItemsAreLeftOut) {
    ASSERT_TRUE(engine->delete_table("U"));
    ASSERT_TRUE(engine->set_time_to_live("T", {false, "ttl"}));
    engine->finish_jobs();
    clock.advance(seconds(11));
    EXPECT_EQ(sweep(), 0u);
    EXPECT_TRUE(get("T", {{"pk", "a"}}));
    EXPECT_EQ(expiry_rows(), 0u);
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    engine->finish_jobs();
    EXPECT_EQ(sweep(), 2u) << "items are found again when it is turned on";
}

TEST_F(GroupExpiryTest, AGroupIsFoundAgainWhenItsRowCouldNotBeErased) {
    clock.advance(seconds(11));
    kv.fail_commit(2, {Errc::unavailable, "the disk is full"});
    EXPECT_FALSE(engine->sweep_expired(1000));
    EXPECT_FALSE(get("T", {{"pk", "a"}}));
    EXPECT_EQ(expiry_rows(), 2u);
    EXPECT_EQ(sweep(), 0u);
    EXPECT_EQ(expiry_rows(), 1u);
}

TEST_F(GroupExpiryTest, ADamagedGroupIsDroppedAndTheNextIsSwept) {
    kv::Batch damage;
    damage.put(expiry_group_key(static_cast<std::uint64_t>(in(1)), "i"), "\xff\xff\xff\xff");
    ASSERT_TRUE(kv.commit(damage, kv::Sync::full));
    clock.advance(seconds(11));
    EXPECT_EQ(sweep(), 3u);
    EXPECT_EQ(expiry_rows(), 1u);
}

TEST_F(ExpiryTest, AChangedTimeCounts) {
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"ttl", in(10)}})));
    auto request = update("T", {{"pk", "a"}}, "SET #t = :t", {{":t", in(100)}});
    request.bind.names = {{"#t", "ttl"}};
    ASSERT_TRUE(engine->update(request));
    clock.advance(seconds(50));
    EXPECT_EQ(sweep(), 0u);
    clock.advance(seconds(51));
    EXPECT_EQ(sweep(), 1u);
}

TEST_F(ExpiryTest, OnlyWholePositiveNumbersOfTheLastFiveYearsCount) {
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    struct Case {
        const char* name;
        Value ttl;
    };
    const Case cases[] = {
        {"text", Value("12")},
        {"zero", Value(0)},
        {"negative", Value(-5)},
        {"six years ago", Value(in(-6 * 365 * 86400))},
        {"milliseconds", Value(to_unix_ms(clock.now()))},
    };
    for (const auto& c : cases)
        ASSERT_TRUE(engine->put(put("T", {{"pk", c.name}, {"ttl", c.ttl}})));
    clock.advance(seconds(5));
    EXPECT_EQ(sweep(), 0u);
}

TEST_F(ExpiryTest, ItemsWrittenBeforeItWasTurnedOnExpireToo) {
    for (int i = 0; i < 1200; ++i) {
        ASSERT_TRUE(engine->put(put("T", {{"pk", "k" + std::to_string(i)}, {"ttl", in(5)}})));
    }
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    engine->finish_jobs();
    clock.advance(seconds(6));
    EXPECT_EQ(sweep(500), 500u) << "a sweep takes no more than it was told";
    EXPECT_EQ(sweep(), 700u);
    EXPECT_EQ(engine->describe_table("T")->item_count, 0);
}

TEST_F(ExpiryTest, NothingExpiresAfterItWasTurnedOff) {
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    EXPECT_EQ(engine->set_time_to_live("T", {true, "ttl"}).error().message,
              "TimeToLive is already enabled");
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"ttl", in(5)}})));
    ASSERT_TRUE(engine->set_time_to_live("T", {false, "ttl"}));
    clock.advance(seconds(6));
    EXPECT_EQ(sweep(), 0u);
    EXPECT_EQ(engine->set_time_to_live("T", {false, "ttl"}).error().message,
              "TimeToLive is already disabled");
}

}  // namespace
}  // namespace mailroom::table
