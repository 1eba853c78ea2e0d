// What every Store promises, asked of each kind of Store.
#include "kv/store.h"

#include "base/scratch_directory.h"
#include "kv/memory_store.h"
#include "kv/rocks_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::kv {
namespace {

using namespace std::string_literals;
using Rows = std::vector<std::pair<std::string, std::string>>;

std::unique_ptr<Store> open_in(const ScratchDirectory& directory) {
    auto opened = open_rocks(directory.path(), RocksOptions{.cache_bytes = 8 * 1024 * 1024});
    if (!opened) ADD_FAILURE() << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
}

struct OnDisk {
    ScratchDirectory directory;
    std::unique_ptr<Store> store = open_in(directory);
};
struct InMemory {
    std::unique_ptr<Store> store = std::make_unique<MemoryStore>();
};

template <class Kind>
class StoreTest : public testing::Test {
protected:
    Store& store() { return *kind_.store; }

    void put(std::string_view key, std::string_view value) {
        Batch batch;
        batch.put(key, value);
        commit(batch);
    }
    void commit(const Batch& batch) {
        const auto result = store().commit(batch, Sync::full);
        ASSERT_TRUE(result) << result.error().message;
    }
    std::optional<std::string> get(std::string_view key, const Snapshot* at = nullptr) {
        auto got = store().get(key, at);
        if (!got) ADD_FAILURE() << got.error().message;
        return got ? *std::move(got) : std::nullopt;
    }
    Rows forwards(std::string_view from, std::string_view to, const Snapshot* at = nullptr) {
        Rows rows;
        const auto cursor = store().scan(from, to, at);
        for (cursor->seek(from); cursor->valid(); cursor->next()) {
            rows.emplace_back(cursor->key(), cursor->value());
        }
        EXPECT_TRUE(cursor->status());
        return rows;
    }
    Rows backwards(std::string_view from, std::string_view to) {
        Rows rows;
        const auto cursor = store().scan(from, to);
        for (cursor->seek_before(to); cursor->valid(); cursor->prev()) {
            rows.emplace_back(cursor->key(), cursor->value());
        }
        EXPECT_TRUE(cursor->status());
        return rows;
    }

private:
    Kind kind_;
};

struct KindNames {
    template <class Kind>
    static std::string GetName(int) {
        return std::is_same_v<Kind, OnDisk> ? "OnDisk" : "InMemory";
    }
};
using Kinds = testing::Types<OnDisk, InMemory>;
TYPED_TEST_SUITE(StoreTest, Kinds, KindNames);

TYPED_TEST(StoreTest, GetFindsTheNewestValueOrNone) {
    EXPECT_EQ(this->get("a"), std::nullopt);
    this->put("a", "1");
    this->put("a", "2");
    EXPECT_EQ(this->get("a"), "2");
    EXPECT_EQ(this->get("aa"), std::nullopt);
    Batch batch;
    batch.erase("a");
    batch.erase("never there");
    this->commit(batch);
    EXPECT_EQ(this->get("a"), std::nullopt);
}

TYPED_TEST(StoreTest, EmptyAndBinaryKeysAndValuesAreRowsLikeOthers) {
    const Rows want = {{"", "empty key"},      {"\0"s, ""},      {"\0\0"s, "\0"s},
                       {"\x7f", "\xff\xff"},   {"\x80", "high"}, {"\xff", std::string(70'000, 'v')},
                       {"\xff\xff", "the end"}};
    Batch batch;
    for (const auto& [key, value] : want) batch.put(key, value);
    this->commit(batch);
    for (const auto& [key, value] : want) EXPECT_EQ(this->get(key), value);
    EXPECT_EQ(this->forwards("", ""), want);
    EXPECT_EQ(this->backwards("", ""), Rows(want.rbegin(), want.rend()));
}

TYPED_TEST(StoreTest, ScanStaysInsideItsBoundsBothWays) {
    for (const auto* key : {"a", "b", "c", "d"}) this->put(key, key);
    struct Case {
        std::string from, to, want;
    };
    const Case cases[] = {
        {"", "", "abcd"}, {"b", "", "bcd"}, {"", "c", "ab"}, {"b", "d", "bc"}, {"bb", "cc", "c"},
        {"b", "b", ""},   {"d", "b", ""},   {"e", "", ""},   {"", "a", ""},    {"a", "a\0"s, "a"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.from + " to " + c.to);
        std::string seen, seen_backwards;
        for (const auto& [key, value] : this->forwards(c.from, c.to)) seen += key;
        for (const auto& [key, value] : this->backwards(c.from, c.to)) seen_backwards += key;
        EXPECT_EQ(seen, c.want);
        EXPECT_EQ(seen_backwards, std::string(c.want.rbegin(), c.want.rend()));
    }
}

TYPED_TEST(StoreTest, SeeksLandOnTheRightSideOfAKeyAndInsideTheBounds) {
    for (const auto* key : {"a", "c", "e", "g"}) this->put(key, key);
    struct Case {
        std::string key, at_or_after, before;  // In [b, f); empty: nowhere.
    };
    const Case cases[] = {
        {"a", "c", ""},  {"b", "c", ""},  {"c", "c", ""}, {"c\0"s, "e", "c"},
        {"d", "e", "c"}, {"e", "e", "c"}, {"f", "", "e"}, {"z", "", "e"},
    };
    const auto cursor = this->store().scan("b", "f");
    EXPECT_FALSE(cursor->valid());
    for (const auto& c : cases) {
        SCOPED_TRACE(c.key);
        cursor->seek(c.key);
        EXPECT_EQ(cursor->valid() ? cursor->key() : "", c.at_or_after);
        cursor->seek_before(c.key);
        EXPECT_EQ(cursor->valid() ? cursor->key() : "", c.before);
    }
    cursor->seek("");
    EXPECT_EQ(cursor->key(), "c");
    cursor->next();
    EXPECT_EQ(cursor->key(), "e");
    cursor->prev();
    EXPECT_EQ(cursor->key(), "c");
    cursor->prev();
    EXPECT_FALSE(cursor->valid());
    EXPECT_TRUE(cursor->status());
    cursor->seek_before("");
    EXPECT_EQ(cursor->key(), "e");
}

TYPED_TEST(StoreTest, ChangesOfABatchApplyInOrder) {
    for (const auto* key : {"a", "b", "c"}) this->put(key, "old");
    Batch batch;
    batch.put("b", "before");
    batch.erase_range("a", "c");
    batch.put("a", "after");
    batch.put("d", "1");
    batch.put("d", "2");
    batch.erase("c");
    batch.put("c", "back");
    batch.put("e", "gone");
    batch.erase("e");
    this->commit(batch);
    EXPECT_EQ(this->forwards("", ""), (Rows{{"a", "after"}, {"c", "back"}, {"d", "2"}}));
}

TYPED_TEST(StoreTest, EraseRangeTakesTheFirstKeyAndNotTheLast) {
    struct Case {
        std::string from, to, left;
    };
    const Case cases[] = {
        {"b", "d", "ade"},   {"bb", "dd", "abe"}, {"", "c", "cde"},   {"a", "a", "abcde"},
        {"d", "b", "abcde"}, {"b", "", "abcde"},  {"e", "z", "abcd"}, {"", "z", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.from + " to " + c.to);
        Batch batch;
        for (const auto* key : {"a", "b", "c", "d", "e"}) batch.put(key, "x");
        this->commit(batch);
        batch.clear();
        batch.erase_range(c.from, c.to);
        this->commit(batch);
        std::string left;
        for (const auto& [key, value] : this->forwards("", "")) left += key;
        EXPECT_EQ(left, c.left);
    }
}

TYPED_TEST(StoreTest, ASnapshotSeesNothingThatCameLater) {
    for (const auto* key : {"a", "b", "c"}) this->put(key, "old");
    const auto snapshot = this->store().snapshot();
    const auto cursor = this->store().scan("", "");
    const auto first = this->forwards("", "");
    Batch batch;
    batch.put("a", "new");
    batch.erase("b");
    batch.erase_range("c", "d");
    batch.put("z", "new");
    this->commit(batch);
    this->put("a", "newer");

    EXPECT_EQ(this->get("a", snapshot.get()), "old");
    EXPECT_EQ(this->get("b", snapshot.get()), "old");
    EXPECT_EQ(this->get("z", snapshot.get()), std::nullopt);
    EXPECT_EQ(this->forwards("", "", snapshot.get()), first);
    Rows through_cursor;
    for (cursor->seek(""); cursor->valid(); cursor->next()) {
        through_cursor.emplace_back(cursor->key(), cursor->value());
    }
    EXPECT_EQ(through_cursor, first);
    EXPECT_EQ(this->forwards("", ""), (Rows{{"a", "newer"}, {"z", "new"}}));
}

TYPED_TEST(StoreTest, ReclaimChangesNothingThatReadersSee) {
    Batch batch;
    for (int i = 0; i < 2'000; ++i) batch.put("k" + std::to_string(i), std::string(300, 'x'));
    this->commit(batch);
    EXPECT_GT(this->store().approximate_bytes("k", "l"), 0u);
    EXPECT_GT(this->store().approximate_bytes("", ""), 0u);
    EXPECT_EQ(this->store().approximate_bytes("x", "y"), 0u);
    const auto snapshot = this->store().snapshot();
    batch.clear();
    batch.erase_range("k1", "k2");
    this->commit(batch);
    const auto left = this->forwards("", "");
    this->store().reclaim("k1", "k2");
    this->store().reclaim("", "");
    EXPECT_EQ(this->forwards("", ""), left);
    EXPECT_EQ(this->forwards("", "", snapshot.get()).size(), 2'000u);
}

// Two rows that a writer always changes together must never be seen apart.
TYPED_TEST(StoreTest, ReadersSeeABatchWholeOrNotAtAll) {
    std::atomic<bool> stop = false;
    this->put("left", "0");
    this->put("right", "0");
    std::thread writer([&] {
        for (int i = 1; i <= 300; ++i) {
            Batch batch;
            batch.put("left", std::to_string(i));
            batch.put("right", std::to_string(i));
            EXPECT_TRUE(this->store().commit(batch, Sync::relaxed));
        }
        stop = true;
    });
    do {
        const auto rows = this->forwards("", "");
        EXPECT_EQ(rows.size(), 2u);
        EXPECT_EQ(rows.front().second, rows.back().second);
        const auto snapshot = this->store().snapshot();
        EXPECT_EQ(this->get("left", snapshot.get()), this->get("right", snapshot.get()));
    } while (!stop);
    writer.join();
}

using Model = std::map<std::string, std::string>;

void change_at_random(std::mt19937_64& random, Batch& batch, Model& model) {
    const auto key = "k" + std::to_string(random() % 500);
    const auto dice = random() % 20;
    if (dice < 13) {
        const auto value = std::to_string(random());
        batch.put(key, value);
        model[key] = value;
    } else if (dice < 19) {
        batch.erase(key);
        model.erase(key);
    } else {
        const auto to = key + "5";
        batch.erase_range(key, to);
        model.erase(model.lower_bound(key), model.lower_bound(to));
    }
}

TYPED_TEST(StoreTest, ManyRandomOperationsAgreeWithAModel) {
    std::mt19937_64 random(7);
    Model model;
    std::vector<std::pair<std::unique_ptr<Snapshot>, Model>> snapshots;
    for (int round = 0; round < 400; ++round) {
        Batch batch;
        const auto changes = 1 + random() % 10;
        for (std::size_t i = 0; i < changes; ++i) change_at_random(random, batch, model);
        ASSERT_TRUE(this->store().commit(batch, random() % 4 == 0 ? Sync::full : Sync::relaxed));
        if (random() % 10 == 0) snapshots.emplace_back(this->store().snapshot(), model);
        if (random() % 15 == 0 && !snapshots.empty()) {
            snapshots.erase(snapshots.begin() +
                            static_cast<std::ptrdiff_t>(random() % snapshots.size()));
        }
        const auto key = "k" + std::to_string(random() % 500);
        const auto found = model.find(key);
        ASSERT_EQ(this->get(key),
                  found == model.end() ? std::nullopt : std::optional(found->second));
        if (round % 20 != 0) continue;
        ASSERT_EQ(this->forwards("", ""), Rows(model.begin(), model.end()));
        ASSERT_EQ(this->backwards("k2", "k4"),
                  Rows(std::make_reverse_iterator(model.lower_bound("k4")),
                       std::make_reverse_iterator(model.lower_bound("k2"))));
        for (const auto& [snapshot, then] : snapshots) {
            ASSERT_EQ(this->forwards("", "", snapshot.get()), Rows(then.begin(), then.end()));
        }
    }
}

TYPED_TEST(StoreTest, WhatIsDeferredIsNoChange) {
    Batch batch;
    batch.put("a", "1");
    batch.defer("b", "2");
    ASSERT_TRUE(this->store().commit(batch, Sync::full));
    EXPECT_EQ(*this->store().get("a"), "1");
    EXPECT_EQ(*this->store().get("b"), std::nullopt);
}

TEST(Batch, WhatIsDeferredGoesAlongWithTheChanges) {
    Batch first, second;
    first.put("a", "1");
    first.defer("x", "one");
    second.defer("y", "two");
    EXPECT_FALSE(second.empty());
    EXPECT_EQ(second.size(), 0u);
    first.append(second);
    ASSERT_EQ(first.deferred_size(), 2u);
    EXPECT_EQ(first.size(), 1u);
    EXPECT_EQ(first.deferred(0).key, "x");
    EXPECT_EQ(first.deferred(1).value, "two");
    first.clear();
    EXPECT_TRUE(first.empty());
}

TEST(Batch, AppendKeepsOrderAndMayAppendItself) {
    Batch batch, other;
    batch.put("a", "1");
    other.erase("b");
    other.erase_range("c", "d");
    batch.append(other);
    batch.append(batch);
    ASSERT_EQ(batch.size(), 6u);
    EXPECT_EQ(batch.bytes(), 10u);
    for (const std::size_t i : {0u, 3u}) {
        EXPECT_EQ(batch.change(i).kind, Batch::Kind::put);
        EXPECT_EQ(batch.change(i).key, "a");
        EXPECT_EQ(batch.change(i).value, "1");
        EXPECT_EQ(batch.change(i + 1).kind, Batch::Kind::erase);
        EXPECT_EQ(batch.change(i + 1).key, "b");
        EXPECT_EQ(batch.change(i + 2).kind, Batch::Kind::erase_range);
        EXPECT_EQ(batch.change(i + 2).key, "c");
        EXPECT_EQ(batch.change(i + 2).value, "d");
    }
    batch.clear();
    EXPECT_TRUE(batch.empty());
    EXPECT_EQ(batch.bytes(), 0u);
}

}  // namespace
}  // namespace mailroom::kv
