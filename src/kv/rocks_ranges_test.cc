// Erasing a range of rows among others of its kind, as trimming does.
#include "base/scratch_directory.h"
#include "kv/key.h"
#include "kv/rocks_store.h"
#include "kv/rocks_tuning.h"

#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>

namespace mailroom::kv {
namespace {

const RocksOptions small = {.cache_bytes = 8 * 1024 * 1024};

// Rows of two families, as the records of two streams are.
std::string record(char stream, std::uint64_t sequence) {
    std::string key = "R___";
    key += stream;
    append_u64(key, sequence);
    return key;
}

std::uint64_t count(const Store& store, char stream) {
    const auto from = record(stream, 0), to = record(stream, ~std::uint64_t{0});
    const auto cursor = store.scan(from, to);
    std::uint64_t rows = 0;
    for (cursor->seek(from); cursor->valid(); cursor->next()) ++rows;
    EXPECT_TRUE(cursor->status());
    return rows;
}

TEST(RocksRanges, AreErasedAgainAndAgainWhileRowsOfTheirKindAreAdded) {
    const ScratchDirectory directory;
    std::uint64_t next = 1, trimmed = 0;
    for (int life = 0; life < 3; ++life) {
        auto opened = open_rocks(directory.path(), small);
        ASSERT_TRUE(opened) << opened.error().message;
        auto& store = **opened;
        ASSERT_EQ(count(store, 'a'), next - 1 - trimmed);
        for (int round = 0; round < 200; ++round) {
            Batch rows;
            for (int i = 0; i < 20; ++i, ++next) {
                rows.put(record('a', next), "change");
                rows.put(record('b', next), "change");
            }
            ASSERT_TRUE(store.commit(rows, Sync::relaxed));
            if (round % 3 != 2) continue;
            const auto last = next - 10;
            Batch trim;
            trim.erase_range(record('a', trimmed + 1), record('a', last + 1));
            trim.put(record('c', 0), std::to_string(last));
            ASSERT_TRUE(store.commit(trim, Sync::relaxed));
            trimmed = last;
            ASSERT_EQ(count(store, 'a'), next - 1 - trimmed);
        }
        ASSERT_EQ(count(store, 'b'), next - 1);
    }
}

// What this store was set up as once: RocksDB remembers for each family where its last row went in
// the memtable, takes that place for the next range to erase as well, which is in another list, and
// ends the process; also when it reads the log again.
void trim_with_shared_hints(const std::string& directory) {
    auto options = tuned_for(small);
    options.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(7));
    rocksdb::DB* db = nullptr;
    if (!rocksdb::DB::Open(options, directory, &db).ok()) _exit(2);
    rocksdb::WriteOptions synced;
    synced.sync = true;
    for (std::uint64_t round = 0; round < 100; ++round) {
        rocksdb::WriteBatch batch;
        for (auto i = round * 20; i < round * 20 + 20; ++i) {
            if (!batch.Put(record('a', i), "change").ok()) _exit(2);
        }
        if (!db->Write(synced, &batch).ok()) _exit(2);
        rocksdb::WriteBatch trim;
        if (!trim.DeleteRange(record('a', 0), record('a', round * 20 + 10)).ok()) _exit(2);
        if (!db->Write(synced, &trim).ok()) _exit(2);
    }
    _exit(0);
}

// By the number of the process that has the test, which the one that is to end knows as well.
class BrokenDirectory {
public:
    explicit BrokenDirectory(pid_t owner)
        : path_(std::filesystem::temp_directory_path() /
                ("mailroom-broken-" + std::to_string(owner))) {}
    ~BrokenDirectory() { std::filesystem::remove_all(path_); }
    BrokenDirectory(const BrokenDirectory&) = delete;
    BrokenDirectory& operator=(const BrokenDirectory&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    const std::filesystem::path path_;
};

TEST(RocksRanges, ADirectoryThatEndedTheProcessAtEachStartOpensAgain) {
    // The process that is to end is a new one: RocksDB's threads would not be in a mere copy of
    // this one.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const BrokenDirectory directory(getpid());
    for (const auto* when : {"while it works", "at the next start"}) {
        SCOPED_TRACE(when);
        ASSERT_EXIT(trim_with_shared_hints(BrokenDirectory(getppid()).path().string()),
                    testing::KilledBySignal(SIGABRT), "");
    }

    auto opened = open_rocks(directory.path(), small);
    ASSERT_TRUE(opened) << opened.error().message;
    const auto rows = count(**opened, 'a');
    EXPECT_GT(rows, 0u);
    Batch batch;
    batch.put(record('a', 1'000'000), "change");
    batch.erase_range(record('a', 0), record('a', 1'000'000));
    ASSERT_TRUE((*opened)->commit(batch, Sync::full));
    EXPECT_EQ(count(**opened, 'a'), 1u);
}

}  // namespace
}  // namespace mailroom::kv
