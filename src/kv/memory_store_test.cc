#include "kv/memory_store.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace mailroom::kv {
namespace {

Batch row_batch(std::string_view key, std::string_view value) {
    Batch batch;
    batch.put(key, value);
    return batch;
}

bool has(const MemoryStore& store, std::string_view key) {
    const auto got = store.get(key);
    return got && got->has_value();
}

TEST(MemoryStore, OnlyTheNthCommitFailsAndLeavesNothing) {
    MemoryStore store;
    store.fail_commit(2, {Errc::unavailable, "disk full"});
    EXPECT_TRUE(store.commit(row_batch("a", "1"), Sync::full));
    const auto failed = store.commit(row_batch("b", "1"), Sync::full);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, Errc::unavailable);
    EXPECT_EQ(failed.error().message, "disk full");
    EXPECT_TRUE(store.commit(row_batch("c", "1"), Sync::full));
    EXPECT_TRUE(has(store, "a"));
    EXPECT_FALSE(has(store, "b"));
    EXPECT_TRUE(has(store, "c"));
    EXPECT_EQ(store.commits(), 2u);
}

TEST(MemoryStore, EveryCommitFailsUntilHealed) {
    MemoryStore store;
    store.fail_commits({Errc::corrupt, "broken"});
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(store.commit(row_batch("a", "1"), Sync::full));
    EXPECT_FALSE(store.recover());
    store.fail_commit(1, {Errc::corrupt, "forgotten by heal"});
    store.heal();
    EXPECT_TRUE(store.recover());
    EXPECT_TRUE(store.commit(row_batch("a", "1"), Sync::full));
    EXPECT_EQ(store.commits(), 1u);
    EXPECT_EQ(store.recoveries(), 2u);
}

TEST(MemoryStore, ACrashLosesWhatWasNotSyncedAndNothingElse) {
    MemoryStore store;
    Batch first;
    for (const auto* key : {"kept", "overwritten", "erased", "in range"}) first.put(key, "old");
    ASSERT_TRUE(store.commit(row_batch("swept along", "old"), Sync::relaxed));
    ASSERT_TRUE(store.commit(first, Sync::full));
    Batch lost;
    lost.put("overwritten", "new");
    lost.erase("erased");
    lost.erase_range("in", "io");
    ASSERT_TRUE(store.commit(lost, Sync::relaxed));
    ASSERT_TRUE(store.commit(row_batch("overwritten", "newer"), Sync::relaxed));
    ASSERT_TRUE(store.commit(row_batch("added", "new"), Sync::relaxed));
    store.crash();
    store.restart();
    for (const auto* key : {"kept", "overwritten", "erased", "in range", "swept along"}) {
        SCOPED_TRACE(key);
        const auto got = store.get(key);
        ASSERT_TRUE(got && got->has_value());
        EXPECT_EQ(**got, "old");
    }
    EXPECT_FALSE(has(store, "added"));
    EXPECT_TRUE(store.commit(row_batch("added", "again"), Sync::full));
    EXPECT_TRUE(has(store, "added"));
}

TEST(MemoryStore, AfterACrashEveryCallFailsUntilRestart) {
    MemoryStore store;
    ASSERT_TRUE(store.commit(row_batch("a", "1"), Sync::full));
    const auto open_cursor = store.scan("", "");
    open_cursor->seek("");
    ASSERT_TRUE(open_cursor->valid());
    store.crash();
    open_cursor->next();
    EXPECT_FALSE(open_cursor->valid());
    EXPECT_FALSE(open_cursor->status());
    const auto cursor = store.scan("", "");
    cursor->seek_before("");
    EXPECT_FALSE(cursor->valid());
    EXPECT_FALSE(cursor->status());
    EXPECT_FALSE(store.get("a"));
    EXPECT_FALSE(store.commit(row_batch("b", "1"), Sync::full));
    EXPECT_FALSE(store.recover());
    EXPECT_EQ(store.approximate_bytes("", ""), 0u);
    store.restart();
    EXPECT_TRUE(has(store, "a"));
    EXPECT_FALSE(has(store, "b"));
}

TEST(MemoryStore, OldVersionsGoWithTheLastReaderThatNeededThem) {
    MemoryStore store;
    auto write_all = [&](std::string_view value, Sync sync) {
        Batch batch;
        for (int i = 0; i < 10; ++i) batch.put(std::to_string(i), value);
        ASSERT_TRUE(store.commit(batch, sync));
    };
    write_all("1", Sync::full);
    EXPECT_EQ(store.versions(), 10u);
    auto snapshot = store.snapshot();
    for (int i = 0; i < 5; ++i) write_all("2", Sync::full);
    EXPECT_EQ(store.versions(), 20u);
    snapshot.reset();
    EXPECT_EQ(store.versions(), 10u);
    // The state that a crash would fall back to is kept once, however many commits are not synced.
    for (int i = 0; i < 5; ++i) write_all("3", Sync::relaxed);
    EXPECT_EQ(store.versions(), 20u);
    write_all("4", Sync::full);
    EXPECT_EQ(store.versions(), 10u);
    Batch batch;
    batch.erase_range("0", "99");
    ASSERT_TRUE(store.commit(batch, Sync::full));
    EXPECT_EQ(store.versions(), 0u);
}

TEST(MemoryStore, ThreadsMayDoEverythingAtOnce) {
    MemoryStore store;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&store, t] {
            for (int i = 0; i < 100; ++i) {
                const auto key = std::to_string(t) + "/" + std::to_string(i);
                EXPECT_TRUE(store.commit(row_batch(key, "x"), i % 2 ? Sync::full : Sync::relaxed));
                const auto snapshot = store.snapshot();
                const auto cursor = store.scan("", "", snapshot.get());
                for (cursor->seek_before(""); cursor->valid(); cursor->prev()) {
                    EXPECT_EQ(cursor->value(), "x");
                }
                EXPECT_TRUE(has(store, key));
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(store.commits(), 400u);
    EXPECT_EQ(store.versions(), 400u);
}

}  // namespace
}  // namespace mailroom::kv
