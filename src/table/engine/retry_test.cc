// Work behind the requests goes on by itself after the disk has failed.
#include "table/engine/engine_fixture.h"

#include <chrono>

namespace mailroom::table {
namespace {

using namespace std::chrono_literals;

constexpr int items = 1200;  // Three pieces of work.

class RetryTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("T"));
        for (int i = 0; i < items; i += 25) {
            BatchWrite write;
            write.tables.push_back({"T", {}});
            for (int k = i; k < i + 25; ++k) {
                write.tables[0].actions.push_back(
                    BatchWrite::Put{{{"pk", std::to_string(k)}, {"g", "x"}, {"ends", expiry(k)}}});
            }
            ASSERT_TRUE(engine->batch_write(write));
        }
    }

    // Every third item has expired in the second after the start.
    int expiry(int k) const {
        return static_cast<int>(to_unix_seconds(clock.now())) + (k % 3 == 0 ? 1 : 1000);
    }

    void add_index() {
        UpdateTable change;
        change.name = "T";
        change.attributes = {{"g", Kind::string}};
        change.create_index = IndexSpec{"G", {"g", ""}, {}, {}};
        ASSERT_TRUE(engine->update_table(change));
        engine->finish_jobs();
    }
    void drop_index() {
        UpdateTable change;
        change.name = "T";
        change.delete_index = "G";
        ASSERT_TRUE(engine->update_table(change));
        engine->finish_jobs();
    }
    // What the timer of the server does every few seconds.
    void tick(std::chrono::milliseconds pause) {
        clock.advance(pause);
        EXPECT_TRUE(engine->sweep_expired(10));
        engine->finish_jobs();
    }
    void set_time_to_live(bool enabled) {
        ASSERT_TRUE(engine->set_time_to_live("T", {enabled, "ends"}));
        engine->finish_jobs();
    }
    void expect_expiry() {
        clock.advance(2s);
        ASSERT_TRUE(engine->sweep_expired(100'000));
        EXPECT_EQ(count("T", ""), static_cast<std::size_t>(items * 2 / 3));
    }
    std::size_t count(const std::string& table, const std::string& index) {
        Scan request;
        request.table = table;
        request.index = index;
        const auto page = engine->scan(request);
        return page ? page->count : 0;
    }
    // The disk fails at the nth commit after the one that the call itself waits for.
    void fail_behind(std::uint64_t nth) { kv.fail_commit(nth + 1, {Errc::unavailable, "full"}); }

    TableDescription table(const std::string& name = "T") { return *engine->describe_table(name); }
};

TEST_F(RetryTest, AnIndexIsFilledWhicheverCommitFailed) {
    for (const std::uint64_t nth : {1, 2, 3, 5}) {  // The fourth is in the next test.
        SCOPED_TRACE(nth);
        fail_behind(nth);
        add_index();
        EXPECT_EQ(table().global_indexes[0].status, IndexStatus::creating);
        EXPECT_TRUE(table().global_indexes[0].backfilling);
        ASSERT_TRUE(engine->put(put("T", {{"pk", "1"}, {"g", "y"}})));
        tick(999ms);
        EXPECT_EQ(table().global_indexes[0].status, IndexStatus::creating) << "too early";
        tick(1ms);
        EXPECT_EQ(table().global_indexes[0].status, IndexStatus::active);
        EXPECT_EQ(count("T", "G"), static_cast<std::size_t>(items));
        EXPECT_EQ(table().global_indexes[0].item_count, items);
        EXPECT_EQ(query("T", "G", "g = :g", {{":g", "y"}}).count, 1u);
        drop_index();
        EXPECT_TRUE(table().global_indexes.empty());
    }
}

TEST_F(RetryTest, AnIndexThatCouldNotBeCountedIsUsedAndCountedLater) {
    fail_behind(4);
    add_index();
    EXPECT_EQ(table().global_indexes[0].status, IndexStatus::active);
    EXPECT_EQ(count("T", "G"), static_cast<std::size_t>(items));
    EXPECT_EQ(table().global_indexes[0].item_count, 0);
    ASSERT_TRUE(engine->put(put("T", {{"pk", "one more"}, {"g", "x"}})));
    tick(1s);
    EXPECT_EQ(table().global_indexes[0].item_count, items + 1);
}

TEST_F(RetryTest, ADiskThatStaysFullIsTriedUntilThereIsRoom) {
    fail_behind(2);
    add_index();
    kv.fail_commits({Errc::unavailable, "full"});
    for (int i = 0; i < 10; ++i) tick(1min);
    EXPECT_EQ(table().global_indexes[0].status, IndexStatus::creating);
    kv.heal();
    tick(1min);
    EXPECT_EQ(table().global_indexes[0].status, IndexStatus::active);
    EXPECT_EQ(count("T", "G"), static_cast<std::size_t>(items));
}

TEST_F(RetryTest, ADroppedIndexIsErasedLater) {
    add_index();
    fail_behind(1);
    drop_index();
    ASSERT_EQ(table().global_indexes.size(), 1u);
    EXPECT_EQ(table().global_indexes[0].status, IndexStatus::deleting);
    tick(1s);
    EXPECT_TRUE(table().global_indexes.empty());
    EXPECT_EQ(table().attributes.size(), 1u);
    add_index();
    EXPECT_EQ(count("T", "G"), static_cast<std::size_t>(items)) << "and another one can be made";
}

TEST_F(RetryTest, ATableThatIsGoneIsNotWaitedFor) {
    fail_behind(2);
    add_index();
    ASSERT_TRUE(engine->delete_table("T"));
    create(simple_table("T"));
    tick(1s);
    EXPECT_TRUE(table().global_indexes.empty());
    EXPECT_EQ(table().item_count, 0);
}

TEST_F(RetryTest, ItemsExpireWhenTheirRowsWereMadeLater) {
    fail_behind(2);
    set_time_to_live(true);
    tick(1s);
    expect_expiry();
}

TEST_F(RetryTest, ItemsExpireWhenTimeToLiveWasTurnedOffAndOnWhileWorkWaited) {
    fail_behind(2);
    set_time_to_live(true);
    set_time_to_live(false);
    fail_behind(1);
    set_time_to_live(true);
    tick(1s);
    expect_expiry();
}

TEST_F(RetryTest, BackupsAndRestoresAreFinishedWhicheverCommitFailed) {
    ASSERT_TRUE(engine->backups().set_continuous("T", {true}));
    add_index();
    const auto until = clock.now();
    clock.advance(1min);
    ASSERT_TRUE(engine->put(put("T", {{"pk", "1"}, {"g", "later"}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "more"}, {"g", "later"}})));
    for (std::uint64_t nth = 1; nth <= 4; ++nth) {
        SCOPED_TRACE(nth);
        fail_behind(nth);
        const auto made = engine->backups().create({"T", "Copy" + std::to_string(nth)});
        ASSERT_TRUE(made);
        engine->finish_jobs();
        EXPECT_FALSE(engine->backups().describe(made->arn)->summary.available);
        tick(1s);
        EXPECT_TRUE(engine->backups().describe(made->arn)->summary.available);
        EXPECT_EQ(engine->backups().describe(made->arn)->source.item_count, items + 1);

        for (const bool from_backup : {true, false}) {
            SCOPED_TRACE(from_backup);
            const auto name = (from_backup ? "Backup" : "Moment") + std::to_string(nth);
            fail_behind(nth);
            if (from_backup) {
                ASSERT_TRUE(engine->backups().restore(RestoreBackup{made->arn, name, {}}));
            } else {
                ASSERT_TRUE(engine->backups().restore(RestoreToTime{"T", name, until, {}}));
            }
            engine->finish_jobs();
            EXPECT_EQ(table(name).status, TableStatus::creating);
            tick(1s);
            EXPECT_EQ(table(name).status, TableStatus::active);
            const int wanted = from_backup ? items + 1 : items;
            EXPECT_EQ(count(name, "G"), static_cast<std::size_t>(wanted));
            EXPECT_EQ(table(name).item_count, wanted);
            EXPECT_EQ(table(name).global_indexes[0].item_count, wanted);
            EXPECT_EQ(query(name, "G", "g = :g", {{":g", "later"}}).count, from_backup ? 2u : 0u);
        }
    }
}

}  // namespace
}  // namespace mailroom::table
