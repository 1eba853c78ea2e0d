#include "app/data_backup.h"

#include "app/data_directory.h"
#include "base/clock.h"
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
          rows_(*kv::open_rocks(directory_.tables(), {.cache_bytes = 8 * 1024 * 1024})),
          engine_(*table::Engine::open(*rows_, clock_, random_)) {}

    kv::Store& rows() { return *rows_; }
    void create() {
        table::CreateTable request;
        request.name = "T";
        request.attributes = {{"pk", table::Kind::string}};
        request.keys.hash = "pk";
        ASSERT_TRUE(engine_->create_table(request));
    }
    void put(int number) {
        table::PutItem request;
        request.table = "T";
        request.item = {{"pk", std::to_string(number)}, {"n", number}};
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
