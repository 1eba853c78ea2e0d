#include "outbox/blobs/shared_files.h"

#include "base/scratch_directory.h"
#include "outbox/blobs/table_blobs.h"
#include "table/engine/engine_fixture.h"

#include <filesystem>
#include <fstream>

namespace mailroom::outbox {
namespace {

namespace fs = std::filesystem;

class SharedFilesTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        write(directory, "there");
        use(directory);
    }
    void use(const fs::path& shared) {
        auto own = TableBlobs::open(*engine);
        ASSERT_TRUE(own);
        files.emplace(std::make_unique<TableBlobs>(*std::move(own)), shared);
    }
    static void write(const fs::path& where, const std::string& name) {
        fs::create_directories(where);
        std::ofstream(where / name) << "text";
    }
    // "text", "none", or what is wrong.
    std::string read(const std::string& name) {
        const auto found = files->read((directory / name).string());
        if (!found) return found.error().code == Errc::unavailable ? "unavailable" : "invalid";
        return *found ? **found : "none";
    }

    ScratchDirectory scratch;
    fs::path directory = scratch / "shared";
    std::optional<SharedFiles> files;
};

TEST_F(SharedFilesTest, AFileIsThereOrNot) {
    EXPECT_EQ(read("there"), "text");
    EXPECT_EQ(read("absent"), "none");
    EXPECT_EQ(read("no/such/directory"), "none");
    EXPECT_EQ(read("../outside"), "invalid");
}

TEST_F(SharedFilesTest, WhileItsFileSystemIsAwayNothingIsTakenForMissing) {
    fs::rename(directory, scratch / "away");
    EXPECT_EQ(read("there"), "unavailable");
    fs::create_directory(directory);  // As an empty mount point.
    EXPECT_EQ(read("there"), "unavailable");
    EXPECT_EQ(read("absent"), "unavailable");
    fs::remove(directory);
    fs::rename(scratch / "away", directory);
    EXPECT_EQ(read("there"), "text");
    EXPECT_EQ(read("absent"), "none");
}

TEST_F(SharedFilesTest, AnotherFileSystemInItsPlaceIsNotItUntilAFileIsReadFromIt) {
    const auto link = scratch / "link";
    fs::create_directory_symlink("/proc", link);
    use(link);
    fs::remove(link);
    fs::create_directory_symlink(directory, link);
    const auto before = files->read((link / "absent").string());
    ASSERT_FALSE(before);
    EXPECT_EQ(before.error().code, Errc::unavailable);
    EXPECT_EQ(**files->read((link / "there").string()), "text");
    const auto after = files->read((link / "absent").string());
    EXPECT_TRUE(after && !*after);
}

}  // namespace
}  // namespace mailroom::outbox
