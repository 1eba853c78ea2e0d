#include "app/data_backup.h"

#include "app/data_directory.h"
#include "app/open_tables.h"
#include "base/clock.h"
#include "base/hex.h"
#include "base/random.h"
#include "base/scratch_directory.h"
#include "kv/rocks_store.h"
#include "table/engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <thread>

namespace mailroom::app {
namespace {

namespace fs = std::filesystem;

// A data directory with one table, as the server has it.
class Data {
public:
    explicit Data(const fs::path& path)
        : directory_(*DataDirectory::open(path)),
          rows_(*open_tables(directory_, {.cache_bytes = 8 * 1024 * 1024})),
          engine_(*table::Engine::open(*rows_, clock_, random_)) {}

    kv::Store& rows() { return *rows_; }
    void create() {
        table::CreateTable request;
        request.name = "T";
        request.attributes = {{"pk", table::Kind::string}};
        request.keys.hash = "pk";
        ASSERT_TRUE(engine_->create_table(request));
    }
    void put(int number, std::size_t more_bytes = 0) {
        table::PutItem request;
        request.table = "T";
        request.item = {{"pk", std::to_string(number)}, {"n", number}};
        // Of which nothing is gained by packing it.
        if (more_bytes > 0) {
            request.item.set("more", table::Value(hex_encode(random_bytes(random_, more_bytes))));
        }
        ASSERT_TRUE(engine_->put(request));
    }
    std::vector<table::Item> items() {
        table::Scan request;
        request.table = "T";
        auto page = engine_->scan(request);
        EXPECT_TRUE(page);
        return page ? page->items : std::vector<table::Item>();
    }

private:
    const SystemClock clock_;
    SeededRandom random_{1};
    DataDirectory directory_;
    std::unique_ptr<kv::Store> rows_;
    std::unique_ptr<table::Engine> engine_;
};

TEST(DataBackup, BringsEveryItemBackThatWasWrittenBefore) {
    const ScratchDirectory scratch;
    std::vector<table::Item> before;
    {
        Data data(scratch / "data");
        data.create();
        for (int i = 0; i < 200; ++i) data.put(i);
        before = data.items();
        // Writers go on while the copy is made; what they write later is not in it or is whole.
        std::atomic<bool> stop = false;
        std::thread writer([&] {
            for (int i = 200; !stop; ++i) data.put(i);
        });
        ASSERT_TRUE(back_up_data(data.rows(), scratch / "copy"));
        stop = true;
        writer.join();
        EXPECT_EQ(back_up_data(data.rows(), scratch / "copy").error().code, Errc::conflict);
    }
    ASSERT_TRUE(restore_data(scratch / "copy", scratch / "restored"));
    Data restored(scratch / "restored");
    const auto after = restored.items();
    EXPECT_GE(after.size(), before.size());
    for (const auto& item : before) {
        EXPECT_NE(std::ranges::find(after, item), after.end());
    }
    restored.put(1'000'000);
}

TEST(DataBackup, RefusesWhatIsNoBackupAndTargetsThatAreTaken) {
    const ScratchDirectory scratch;
    fs::create_directories(scratch / "other");
    std::ofstream(scratch / "other" / "file") << "x";
    EXPECT_EQ(restore_data(scratch / "other", scratch / "new").error().code, Errc::invalid);
    EXPECT_EQ(restore_data(scratch / "nothing", scratch / "new").error().code, Errc::invalid);
    {
        Data data(scratch / "data");
        data.create();
        ASSERT_TRUE(back_up_data(data.rows(), scratch / "copy"));
        EXPECT_EQ(restore_data(scratch / "data", scratch / "new").error().code, Errc::conflict);
    }
    EXPECT_EQ(restore_data(scratch / "copy", scratch / "other").error().code, Errc::conflict);
    EXPECT_TRUE(fs::exists(scratch / "other" / "file"));
    fs::create_directories(scratch / "empty");
    EXPECT_TRUE(restore_data(scratch / "copy", scratch / "empty"));
    fs::remove(scratch / "copy" / "tables" / "CURRENT");
    EXPECT_EQ(restore_data(scratch / "copy", scratch / "damaged").error().code, Errc::invalid);
    for (const auto& file : fs::directory_iterator(scratch / "empty" / "tables")) {
        if (file.path().extension() == ".sst") fs::remove(file.path());
    }
    EXPECT_FALSE(restore_data(scratch / "empty", scratch / "damaged"));
    EXPECT_FALSE(fs::exists(scratch / "damaged"));
}

// A data directory with tables and files of large values, closed.
void make_data(const fs::path& path) {
    Data data(path);
    data.create();
    for (int i = 0; i < 300; ++i) data.put(i, i % 30 == 0 ? 20'000 : 0);
    ASSERT_TRUE(back_up_data(data.rows(), path.string() + ".flushed"));
    for (int i = 300; i < 310; ++i) data.put(i);
}

std::vector<fs::path> files_of(const fs::path& directory) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
        const auto name = entry.path().filename();
        if (entry.is_regular_file() && name != "LOCK" && entry.file_size() > 0) {
            files.push_back(entry.path());
        }
    }
    return files;
}

// One bit, in the middle.
void damage(const fs::path& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    const auto middle = static_cast<std::streamoff>(fs::file_size(path) / 2);
    file.seekg(middle);
    const auto byte = static_cast<char>(file.get() ^ 1);
    file.seekp(middle);
    file.put(byte);
}

TEST(DataBackup, EachDamagedFileOfABackupIsNamedAndNothingIsRestored) {
    const ScratchDirectory scratch;
    ASSERT_NO_FATAL_FAILURE(make_data(scratch / "data"));
    {
        Data data(scratch / "data");
        ASSERT_TRUE(back_up_data(data.rows(), scratch / "copy"));
    }
    bool has_tables = false, has_values = false;
    for (const auto& file : files_of(scratch / "copy")) {
        SCOPED_TRACE(file);
        has_tables |= file.extension() == ".sst";
        has_values |= file.extension() == ".blob";
        damage(file);
        const auto restored = restore_data(scratch / "copy", scratch / "restored");
        ASSERT_FALSE(restored);
        EXPECT_EQ(restored.error().code, Errc::corrupt);
        EXPECT_NE(restored.error().message.find(file.filename().string()), std::string::npos)
            << restored.error().message;
        EXPECT_FALSE(fs::exists(scratch / "restored"));
        EXPECT_FALSE(fs::exists(scratch / "restored.partial"));
        damage(file);
    }
    EXPECT_TRUE(has_tables && has_values);
    const auto restored = restore_data(scratch / "copy", scratch / "restored");
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(Data(scratch / "restored").items().size(), 310u);
}

TEST(DataBackup, ACopyWithoutChecksumsIsReadWholeBeforeItIsTrusted) {
    const ScratchDirectory scratch;
    ASSERT_NO_FATAL_FAILURE(make_data(scratch / "data"));
    for (const auto* kind : {".sst", ".blob"}) {
        SCOPED_TRACE(kind);
        const auto files = files_of(scratch / "data" / "tables");
        const auto found = std::ranges::find(files, kind, &fs::path::extension);
        ASSERT_NE(found, files.end());
        damage(*found);
        EXPECT_EQ(restore_data(scratch / "data", scratch / "restored").error().code, Errc::corrupt);
        EXPECT_FALSE(fs::exists(scratch / "restored"));
        damage(*found);
    }
    EXPECT_TRUE(restore_data(scratch / "data", scratch / "restored"));
}

TEST(DataBackup, DamagedTablesAreNotBackedUp) {
    const ScratchDirectory scratch;
    ASSERT_NO_FATAL_FAILURE(make_data(scratch / "data"));
    for (const auto* kind : {".sst", ".blob"}) {
        SCOPED_TRACE(kind);
        const auto files = files_of(scratch / "data" / "tables");
        const auto found = std::ranges::find(files, kind, &fs::path::extension);
        ASSERT_NE(found, files.end());
        damage(*found);
        {
            Data data(scratch / "data");
            const auto made = back_up_data(data.rows(), scratch / "copy");
            ASSERT_FALSE(made);
            EXPECT_EQ(made.error().code, Errc::corrupt) << made.error().message;
            EXPECT_FALSE(fs::exists(scratch / "copy"));
        }
        damage(*found);
    }
}

TEST(DataBackup, ACopyThatWasServedFromCanBeRestoredAgain) {
    const ScratchDirectory scratch;
    ASSERT_NO_FATAL_FAILURE(make_data(scratch / "data"));
    {
        Data data(scratch / "data");
        ASSERT_TRUE(back_up_data(data.rows(), scratch / "copy"));
    }
    Data(scratch / "copy").put(5'000);
    ASSERT_TRUE(restore_data(scratch / "copy", scratch / "restored"));
    EXPECT_EQ(Data(scratch / "restored").items().size(), 311u);
}

TEST(DataBackup, PlacesMayBeNamedWithoutTheirDirectory) {
    const ScratchDirectory scratch;
    ASSERT_NO_FATAL_FAILURE(make_data(scratch / "data"));
    const auto before = fs::current_path();
    fs::current_path(scratch.path());
    {
        Data data("data");
        EXPECT_TRUE(back_up_data(data.rows(), "copy"));
    }
    const auto restored = restore_data("copy", "restored");
    fs::current_path(before);
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_EQ(Data(scratch / "restored").items().size(), 310u);
}

TEST(OpenTables, MakesThemInANewDirectoryOnlyAndSaysWhatIsMissing) {
    const ScratchDirectory scratch;
    const auto path = scratch / "data";
    { Data data(path); }
    fs::rename(path / "tables", scratch / "tables");
    for (int start = 0; start < 2; ++start) {
        const auto directory = DataDirectory::open(path);
        const auto opened = open_tables(*directory);
        ASSERT_FALSE(opened);
        EXPECT_EQ(opened.error().code, Errc::corrupt);
        EXPECT_NE(opened.error().message.find((path / "tables").string()), std::string::npos);
        EXPECT_NE(opened.error().message.find("docs/failures.md"), std::string::npos);
        EXPECT_FALSE(fs::exists(path / "tables"));
    }
    fs::rename(scratch / "tables", path / "tables");
    EXPECT_TRUE(open_tables(*DataDirectory::open(path)));
}

TEST(DataBackup, MovesADirectoryButNotOntoAnother) {
    const ScratchDirectory scratch;
    fs::create_directories(scratch / "from");
    std::ofstream(scratch / "from" / "file") << "x";
    EXPECT_TRUE(move_directory(scratch / "from", scratch / "deep" / "to"));
    EXPECT_TRUE(fs::exists(scratch / "deep" / "to" / "file"));
    fs::create_directories(scratch / "from");
    EXPECT_EQ(move_directory(scratch / "from", scratch / "deep" / "to").error().code,
              Errc::conflict);
}

}  // namespace
}  // namespace mailroom::app
