#include "kv/rocks_store.h"

#include "base/scratch_directory.h"
#include "kv/memory_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace mailroom::kv {
namespace {

namespace fs = std::filesystem;

const RocksOptions small = {.cache_bytes = 8 * 1024 * 1024};

std::unique_ptr<Store> must_open(const fs::path& directory, const RocksOptions& options = small) {
    auto opened = open_rocks(directory, options);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
}

std::string row_key(int i) { return "row " + std::to_string(1'000 + i); }

// One commit per row, so that each row is a record of the log.
void put_rows(Store& store, int from, int to, std::size_t value_bytes = 300) {
    for (int i = from; i < to; ++i) {
        Batch batch;
        batch.put(row_key(i), std::string(value_bytes, 'x'));
        const auto result = store.commit(batch, Sync::full);
        ASSERT_TRUE(result) << result.error().message;
    }
}

// How many rows there are, which must be the first ones without a gap.
int count_rows(const Store& store) {
    int count = 0;
    const auto cursor = store.scan("", "");
    for (cursor->seek(""); cursor->valid(); cursor->next()) {
        EXPECT_EQ(cursor->key(), row_key(count));
        ++count;
    }
    EXPECT_TRUE(cursor->status());
    return count;
}

fs::path log_of(const fs::path& directory) {
    fs::path found;
    for (const auto& file : fs::directory_iterator(directory)) {
        if (file.path().extension() != ".log") continue;
        if (found.empty() || file.file_size() > fs::file_size(found)) found = file.path();
    }
    EXPECT_FALSE(found.empty());
    return found;
}

TEST(RocksStore, WhatWasCommittedIsThereAfterReopening) {
    const ScratchDirectory directory;
    for (int round = 0; round < 4; ++round) {
        const auto store = must_open(directory.path());
        EXPECT_EQ(count_rows(*store), round * 50);
        put_rows(*store, round * 50, (round + 1) * 50);
    }
}

TEST(RocksStore, WhatWasCommittedIsOnDiskWhenCommitReturns) {
    const ScratchDirectory directory, image;
    const auto store = must_open(directory.path());
    // Enough for several memtables of a small cache, so that tables are written meanwhile.
    put_rows(*store, 0, 400, 20'000);
    const auto copy = image.path() / "copy";
    fs::copy(directory.path(), copy, fs::copy_options::recursive);
    EXPECT_EQ(count_rows(*must_open(copy)), 400);
}

TEST(RocksStore, ASecondOpenIsRefusedWithTheNameOfTheDirectory) {
    const ScratchDirectory directory;
    auto first = must_open(directory.path());
    for (int attempt = 0; attempt < 2; ++attempt) {
        const auto second = open_rocks(directory.path(), small);
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, Errc::conflict);
        EXPECT_NE(second.error().message.find(directory.path().string()), std::string::npos);
    }
    put_rows(*first, 0, 1);
    first.reset();
    EXPECT_EQ(count_rows(*must_open(directory.path())), 1);
}

// Holds the lock of a directory from another process until destroyed.
class OtherProcess {
public:
    explicit OtherProcess(const fs::path& directory) {
        const auto file = (directory / "LOCK").string();
        EXPECT_EQ(pipe(ready_), 0);
        child_ = fork();
        if (child_ == 0) {
            const int descriptor = open(file.c_str(), O_RDWR | O_CREAT, 0644);
            struct flock lock = {};
            lock.l_type = F_WRLCK;
            if (fcntl(descriptor, F_SETLK, &lock) != 0) _exit(1);
            if (write(ready_[1], "x", 1) != 1) _exit(1);
            pause();
            _exit(0);
        }
        char byte = 0;
        EXPECT_EQ(read(ready_[0], &byte, 1), 1);
    }
    ~OtherProcess() {
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
        close(ready_[0]);
        close(ready_[1]);
    }
    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;

private:
    int ready_[2] = {-1, -1};
    pid_t child_ = -1;
};

TEST(RocksStore, ADirectoryInUseByAnotherProcessIsAConflict) {
    const ScratchDirectory directory;
    must_open(directory.path()).reset();
    {
        const OtherProcess other(directory.path());
        const auto opened = open_rocks(directory.path(), small);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, Errc::conflict);
    }
    EXPECT_TRUE(open_rocks(directory.path(), small));
}

TEST(RocksStore, APathThatCannotBeADirectoryIsUnavailable) {
    const ScratchDirectory directory;
    std::ofstream(directory.path() / "file") << "not a directory";
    const auto opened = open_rocks(directory.path() / "file", small);
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code, Errc::unavailable);
}

void overwrite(const fs::path& file, std::uint64_t at, std::string_view bytes) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(at));
    stream << bytes;
}

struct Damage {
    std::string name;
    std::function<void(const fs::path& log)> inflict;
    int left;  // Rows of 100 that are there after opening; -1: refused as corrupt.
    int left_when_cut_off;
};

TEST(RocksStore, ATornEndOfTheLogIsDroppedButDamageBeforeItIsRefused) {
    const auto size = [](const fs::path& log) { return fs::file_size(log); };
    const Damage damages[] = {
        {"whole", [](const fs::path&) {}, 100, 100},
        {"zeros behind", [&](auto& log) { fs::resize_file(log, size(log) + 40'000); }, 100, 100},
        {"a record begun", [&](auto& log) { overwrite(log, size(log), "\1\2\3\4\5"); }, 100, 100},
        {"byte in the middle", [&](auto& log) { overwrite(log, size(log) / 2, "?"); }, -1, 50},
        {"first byte", [&](auto& log) { overwrite(log, 0, "?"); }, -1, 0},
    };
    for (const auto& damage : damages) {
        SCOPED_TRACE(damage.name);
        const ScratchDirectory directory;
        put_rows(*must_open(directory.path()), 0, 100);
        damage.inflict(log_of(directory.path()));

        auto opened = open_rocks(directory.path(), small);
        if (damage.left >= 0) {
            ASSERT_TRUE(opened) << opened.error().message;
            EXPECT_EQ(count_rows(**opened), damage.left);
            put_rows(**opened, damage.left, damage.left + 1);
            opened->reset();
            EXPECT_EQ(count_rows(*must_open(directory.path())), damage.left + 1);
            continue;
        }
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, Errc::corrupt) << opened.error().message;
        auto cut = small;
        cut.damaged_log = DamagedLog::cut_off;
        EXPECT_NEAR(count_rows(*must_open(directory.path(), cut)), damage.left_when_cut_off, 1);
        EXPECT_NEAR(count_rows(*must_open(directory.path())), damage.left_when_cut_off, 1);
    }
}

// No file of this process may grow beyond `bytes` while this lives.
class FileSizeLimit {
public:
    explicit FileSizeLimit(std::uint64_t bytes) {
        previous_handler_ = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &previous_);
        const rlimit limit = {bytes, previous_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &previous_);
        std::signal(SIGXFSZ, previous_handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit previous_ = {};
    void (*previous_handler_)(int) = nullptr;
};

TEST(RocksStore, ACommitThatTheDiskRefusesLeavesNothingVisible) {
    const ScratchDirectory directory;
    {
        const auto store = must_open(directory.path());
        put_rows(*store, 0, 10);
        Batch batch;
        for (int i = 0; i < 100; ++i) batch.put("lost " + std::to_string(i), "x");
        {
            const FileSizeLimit full(fs::file_size(log_of(directory.path())) + 500);
            const auto failed = store->commit(batch, Sync::full);
            ASSERT_FALSE(failed);
            EXPECT_EQ(failed.error().code, Errc::unavailable);
            EXPECT_EQ(count_rows(*store), 10);
            const auto next = store->commit(batch, Sync::full);
            EXPECT_FALSE(next);
        }
        static_cast<void>(store->recover());
        EXPECT_EQ(count_rows(*store), 10);
    }
    const auto reopened = must_open(directory.path());
    EXPECT_EQ(count_rows(*reopened), 10);
    put_rows(*reopened, 10, 11);
}

TEST(RocksStore, UsageIsKnownForStoresOnDiskOnly) {
    const ScratchDirectory directory;
    const auto store = must_open(directory.path());
    put_rows(*store, 0, 10);
    const auto usage = rocks_usage(*store);
    ASSERT_TRUE(usage);
    EXPECT_GT(usage->memory_bytes, 0u);
    EXPECT_EQ(usage->table_bytes, 0u);
    EXPECT_FALSE(rocks_usage(MemoryStore()));
}

TEST(RocksStore, ClosingDoesNotWaitForSpaceToBeReclaimed) {
    const ScratchDirectory directory;
    const auto store = must_open(directory.path());
    put_rows(*store, 0, 100, 20'000);
    for (int i = 0; i < 300; ++i) store->reclaim(row_key(i), "");
}

// Of a generator, so that nothing is gained by packing them.
std::string large_value(std::uint64_t seed) {
    std::string value(40'000, '\0');
    std::uint64_t state = seed + 1;
    for (auto& byte : value) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        byte = static_cast<char>(state >> 56);
    }
    return value;
}

void put_large(Store& store, int from, int to, std::uint64_t seed) {
    for (int i = from; i < to; ++i) {
        Batch batch;
        batch.put(row_key(i), large_value(seed + static_cast<std::uint64_t>(i)));
        const auto result = store.commit(batch, Sync::relaxed);
        ASSERT_TRUE(result) << result.error().message;
    }
}

void expect_large(const Store& store, int from, int to, std::uint64_t seed) {
    for (int i = from; i < to; ++i) {
        const auto found = store.get(row_key(i));
        ASSERT_TRUE(found && *found) << i;
        EXPECT_TRUE(**found == large_value(seed + static_cast<std::uint64_t>(i))) << i;
    }
}

// RocksDB gives room back in the background, and tells nobody when.
bool shrinks_below(const Store& store, std::uint64_t bytes) {
    for (int waited_ms = 0; waited_ms < 60'000; waited_ms += 20) {
        if (rocks_usage(store)->table_bytes < bytes) return true;
        ::poll(nullptr, 0, 20);
    }
    return false;
}

TEST(RocksStore, LargeValuesAreThereAfterReopeningAndInACopy) {
    const ScratchDirectory directory, copies;
    // Many memtables of a small cache: most of them are in files by then.
    put_large(*must_open(directory.path()), 0, 600, 7);
    const auto store = must_open(directory.path());
    expect_large(*store, 0, 600, 7);
    ASSERT_TRUE(rocks_checkpoint(*store, copies / "copy"));
    put_large(*store, 0, 600, 8);
    expect_large(*must_open(copies / "copy"), 0, 600, 7);
    expect_large(*store, 0, 600, 8);
}

TEST(RocksStore, RoomOfLargeValuesThatWereReplacedIsGivenBack) {
    const ScratchDirectory directory;
    const auto store = must_open(directory.path());
    constexpr int rows = 100;
    // 160 MB altogether, of which 4 MB are in use at the end.
    for (std::uint64_t round = 0; round < 40; ++round) put_large(*store, 0, rows, round);
    expect_large(*store, 0, rows, 39);
    EXPECT_TRUE(shrinks_below(*store, 80'000'000));
}

TEST(RocksStore, RoomOfLargeValuesIsReclaimedWithTheirRows) {
    const ScratchDirectory directory;
    const auto store = must_open(directory.path());
    put_large(*store, 0, 1'000, 1);
    EXPECT_GT(rocks_usage(*store)->table_bytes, 20'000'000u);
    Batch batch;
    batch.erase_range(row_key(0), row_key(900));
    ASSERT_TRUE(store->commit(batch, Sync::full));
    store->reclaim(row_key(0), row_key(900));
    EXPECT_TRUE(shrinks_below(*store, 15'000'000));
    expect_large(*store, 900, 1'000, 1);
}

TEST(RocksStore, ACopyHoldsWhatWasCommittedAndNothingLater) {
    const ScratchDirectory directory, copies;
    const auto store = must_open(directory.path());
    put_rows(*store, 0, 50);
    ASSERT_TRUE(rocks_checkpoint(*store, copies / "copy"));
    put_rows(*store, 50, 80);
    EXPECT_FALSE(rocks_checkpoint(*store, copies / "copy"));
    const auto copy = must_open(copies / "copy");
    EXPECT_EQ(count_rows(*copy), 50);
    put_rows(*copy, 50, 60);
    EXPECT_EQ(count_rows(*store), 80);
    EXPECT_EQ(rocks_checkpoint(MemoryStore(), copies / "other").error().code, Errc::invalid);
}

}  // namespace
}  // namespace mailroom::kv
