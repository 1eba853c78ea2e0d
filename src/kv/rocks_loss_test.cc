// What is missing from a directory is told, and nothing that was acknowledged goes without a word.
#include "base/scratch_directory.h"
#include "kv/acknowledged.h"
#include "kv/rocks_store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace mailroom::kv {
namespace {

namespace fs = std::filesystem;

const RocksOptions small = {.cache_bytes = 8 * 1024 * 1024};

std::string row_key(int i) { return "row " + std::to_string(1'000 + i); }

void put_rows(Store& store, int from, int to, Sync sync = Sync::full) {
    for (int i = from; i < to; ++i) {
        Batch batch;
        batch.put(row_key(i), std::string(300, 'x'));
        ASSERT_TRUE(store.commit(batch, sync));
    }
}

int count_rows(const Store& store) {
    int count = 0;
    const auto cursor = store.scan("", "");
    for (cursor->seek(""); cursor->valid(); cursor->next()) ++count;
    return count;
}

void make(const fs::path& directory, int rows, Sync sync = Sync::full) {
    const auto store = open_rocks(directory, small);
    ASSERT_TRUE(store) << store.error().message;
    put_rows(**store, 0, rows, sync);
}

fs::path log_of(const fs::path& directory) {
    fs::path found;
    for (const auto& file : fs::directory_iterator(directory)) {
        if (file.path().extension() != ".log") continue;
        if (found.empty() || file.file_size() > fs::file_size(found)) found = file.path();
    }
    return found;
}

TEST(RocksLoss, AcknowledgedChangesThatAreMissingAreToldAndTheRestOpensOnRequest) {
    struct Case {
        const char* name;
        std::function<void(const fs::path& log)> inflict;
        int left;
        const char* says;
    };
    const auto cut = [](std::uintmax_t bytes) {
        return [bytes](const fs::path& log) { fs::resize_file(log, fs::file_size(log) - bytes); };
    };
    const Case cases[] = {
        {"last byte", cut(1), 99, "1 changes of rows that were acknowledged, numbers 100 to 100"},
        {"header", cut(330), 99, "numbers 100 to 100"},
        {"3,000 bytes", cut(3'000), 90, "numbers 91 to 100"},
        {"empty", [](const fs::path& log) { fs::resize_file(log, 0); }, 0, "numbers 1 to 100"},
        {"gone", [](const fs::path& log) { fs::remove(log); }, 0, "numbers 1 to 100"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const ScratchDirectory directory;
        ASSERT_NO_FATAL_FAILURE(make(directory.path(), 100));
        c.inflict(log_of(directory.path()));
        for (const auto* start : {"first", "second"}) {
            SCOPED_TRACE(start);
            const auto opened = open_rocks(directory.path(), small);
            ASSERT_FALSE(opened);
            EXPECT_EQ(opened.error().code, Errc::corrupt);
            EXPECT_NE(opened.error().message.find(c.says), std::string::npos)
                << opened.error().message;
        }
        auto accepting = small;
        accepting.damaged_log = DamagedLog::cut_off;
        for (const auto& options : {accepting, small}) {
            const auto opened = open_rocks(directory.path(), options);
            ASSERT_TRUE(opened) << opened.error().message;
            EXPECT_EQ(count_rows(**opened), c.left);
        }
        {
            const auto opened = open_rocks(directory.path(), small);
            put_rows(**opened, c.left, 120);
        }
        EXPECT_EQ(count_rows(**open_rocks(directory.path(), small)), 120);
    }
}

TEST(RocksLoss, WhatNobodyWasToldOfMayBeMissing) {
    const ScratchDirectory directory;
    ASSERT_NO_FATAL_FAILURE(make(directory.path(), 50));
    const auto whole = fs::file_size(log_of(directory.path()));
    {
        // As if the process died within commit(): the log has a part of the record.
        std::ofstream log(log_of(directory.path()), std::ios::binary | std::ios::app);
        log << "\x12\x34\x56\x78\x40\x01\x01 a part";
    }
    ASSERT_GT(fs::file_size(log_of(directory.path())), whole);
    EXPECT_EQ(count_rows(**open_rocks(directory.path(), small)), 50);

    const ScratchDirectory relaxed;
    ASSERT_NO_FATAL_FAILURE(make(relaxed.path(), 50, Sync::relaxed));
    const auto log = log_of(relaxed.path());
    fs::resize_file(log, fs::file_size(log) / 2);
    const auto opened = open_rocks(relaxed.path(), small);
    ASSERT_TRUE(opened) << "nothing of it was promised: " << opened.error().message;
    EXPECT_EQ(count_rows(**opened), 25);
}

TEST(RocksLoss, TablesThatMustBeThereAreNotMadeAnew) {
    auto existing = small;
    existing.missing_tables = MissingTables::refuse;
    const ScratchDirectory scratch;
    const auto directory = scratch / "tables";
    const auto refused = [&] {
        const auto opened = open_rocks(directory, existing);
        EXPECT_FALSE(opened);
        if (opened) return;
        EXPECT_EQ(opened.error().code, Errc::corrupt);
        EXPECT_NE(opened.error().message.find((directory / "CURRENT").string()), std::string::npos);
    };
    refused();
    EXPECT_FALSE(fs::exists(directory)) << "and nothing is made";
    ASSERT_NO_FATAL_FAILURE(make(directory, 10));
    {
        const auto opened = open_rocks(directory, existing);
        ASSERT_TRUE(opened) << opened.error().message;
        EXPECT_EQ(count_rows(**opened), 10);
    }
    fs::rename(directory / "CURRENT", scratch / "CURRENT");
    refused();
    fs::rename(scratch / "CURRENT", directory / "CURRENT");
    EXPECT_TRUE(open_rocks(directory, existing));
}

TEST(RocksLoss, RowsThatCannotBeReadAreToldOnceWithTheirFile) {
    const ScratchDirectory scratch;
    std::vector<std::string> told;
    auto options = small;
    options.on_warning = [&](std::string_view line) { told.emplace_back(line); };
    ASSERT_NO_FATAL_FAILURE(make(scratch / "tables", 200));
    // A copy has them in tables, not in the log.
    ASSERT_TRUE(rocks_checkpoint(**open_rocks(scratch / "tables", small), scratch / "copy"));
    fs::path table;
    for (const auto& file : fs::directory_iterator(scratch / "copy")) {
        if (file.path().extension() == ".sst") table = file.path();
    }
    ASSERT_FALSE(table.empty());
    {
        std::fstream file(table, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(20);
        file << "damage";
    }
    const auto store = open_rocks(scratch / "copy", options);
    ASSERT_TRUE(store) << store.error().message;
    told.clear();
    for (int look = 0; look < 3; ++look) {
        EXPECT_EQ((*store)->get(row_key(0)).error().code, Errc::corrupt);
    }
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find(table.filename().string()), std::string::npos) << told[0];
    EXPECT_EQ(verify_rocks(scratch / "tables").error().code, Errc::corrupt) << "linked, not copied";
    const auto verified = verify_rocks(scratch / "copy");
    ASSERT_FALSE(verified);
    EXPECT_NE(verified.error().message.find(table.filename().string()), std::string::npos);
}

TEST(RocksLoss, DirectoriesOfYesterdayAndCopiesHaveNoNumberAndOpen) {
    const ScratchDirectory scratch;
    ASSERT_NO_FATAL_FAILURE(make(scratch / "tables", 10));
    fs::remove(scratch / "tables" / "ACKNOWLEDGED");
    {
        const auto opened = open_rocks(scratch / "tables", small);
        ASSERT_TRUE(opened) << opened.error().message;
        put_rows(**opened, 10, 20);
        ASSERT_TRUE(rocks_checkpoint(**opened, scratch / "copy"));
        put_rows(**opened, 20, 30);
    }
    EXPECT_EQ(Acknowledged::read(scratch / "tables"), 30u);
    EXPECT_EQ(Acknowledged::read(scratch / "copy"), std::nullopt);
    EXPECT_EQ(count_rows(**open_rocks(scratch / "copy", small)), 20);
    std::ofstream(scratch / "tables" / "ACKNOWLEDGED") << "sixteen letters!";
    EXPECT_EQ(count_rows(**open_rocks(scratch / "tables", small)), 30) << "a damaged one is none";
}

}  // namespace
}  // namespace mailroom::kv
