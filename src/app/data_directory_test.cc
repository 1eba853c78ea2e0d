#include "app/data_directory.h"

#include "base/scratch_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace mailroom::app {
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST(DataDirectory, IsMadeForItsOwnerAloneAndMarkedWithItsFormat) {
    const ScratchDirectory scratch;
    const auto path = scratch / "some" / "where";
    const auto opened = DataDirectory::open(path);
    ASSERT_TRUE(opened) << opened.error().message;
    struct stat made;
    ASSERT_EQ(::stat(path.c_str(), &made), 0);
    EXPECT_EQ(made.st_mode & 0777, 0700u);
    EXPECT_EQ(text_of(path / "FORMAT"), "mailroom-data 1\n");
    EXPECT_EQ(text_of(path / "LOCK"), std::to_string(::getpid()) + "\n");
    EXPECT_EQ(opened->tables(), path / "tables");
}

TEST(DataDirectory, IsNewUntilItsTablesAreThere) {
    const ScratchDirectory scratch;
    const auto path = scratch / "data";
    for (int start = 0; start < 2; ++start) {
        EXPECT_TRUE(DataDirectory::open(path)->is_new()) << "as after a crash before the tables";
    }
    {
        const auto opened = DataDirectory::open(path);
        ASSERT_TRUE(opened->mark_used());
        EXPECT_FALSE(opened->is_new());
        ASSERT_TRUE(opened->mark_used());
    }
    EXPECT_FALSE(DataDirectory::open(path)->is_new());
    // One of yesterday: it was used, whatever is left of it.
    std::filesystem::create_directories(scratch / "old");
    std::ofstream(scratch / "old" / "FORMAT") << "mailroom-data 1\n";
    EXPECT_FALSE(DataDirectory::open(scratch / "old")->is_new());
}

TEST(DataDirectory, BelongsToOneHolderUntilItIsLetGo) {
    const ScratchDirectory scratch;
    const auto path = scratch / "data";
    {
        const auto first = DataDirectory::open(path);
        ASSERT_TRUE(first);
        const auto second = DataDirectory::open(path);
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, Errc::conflict);
        EXPECT_EQ(second.error().message, "data directory " + path.string() +
                                              " is in use by another mailroom (pid " +
                                              std::to_string(::getpid()) + ")");
    }
    EXPECT_TRUE(DataDirectory::open(path)) << "and again after it was closed";
}

TEST(DataDirectory, ReadsItsOwnFormatAndRefusesOthers) {
    struct Case {
        std::string_view format;
        std::optional<Errc> refusal;
        std::string_view says;
    };
    const Case cases[] = {
        {"mailroom-data 1\n", std::nullopt, ""},
        {"mailroom-data 0\n", std::nullopt, ""},
        {"mailroom-data 2\n", Errc::invalid,
         "written by a newer mailroom (format 2; this one reads up to 1)"},
        {"mailroom-data 99999999999\n", Errc::corrupt, "not a format file"},
        {"mailroom-data 1", Errc::corrupt, "not a format file"},
        {"mailroom-data -1\n", Errc::corrupt, "not a format file"},
        {"", Errc::corrupt, "not a format file"},
        {"something else\n", Errc::corrupt, "not a format file"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.format);
        const ScratchDirectory scratch;
        std::ofstream(scratch / "FORMAT") << c.format;
        const auto opened = DataDirectory::open(scratch.path());
        ASSERT_EQ(!opened, c.refusal.has_value());
        if (opened) continue;
        EXPECT_EQ(opened.error().code, *c.refusal);
        EXPECT_NE(opened.error().message.find(c.says), std::string::npos) << opened.error().message;
    }
}

TEST(DataDirectory, RefusesWhatIsNotOne) {
    const ScratchDirectory scratch;
    std::ofstream(scratch / "file") << "x";
    const auto file = DataDirectory::open(scratch / "file");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, Errc::invalid);

    const auto full = DataDirectory::open(scratch.path());
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().message,
              "data directory " + scratch.path().string() +
                  " holds file but no FORMAT: it is not a mailroom data directory");

    const auto below_a_file = DataDirectory::open(scratch / "file" / "data");
    ASSERT_FALSE(below_a_file);
    EXPECT_EQ(below_a_file.error().code, Errc::unavailable);
}

TEST(DataDirectory, GoesOnAfterACrashBeforeTheFormatWasWritten) {
    const ScratchDirectory scratch;
    std::ofstream(scratch / "LOCK") << "123\n";
    std::ofstream(scratch / "NEW");
    std::ofstream(scratch / "FORMAT.new") << "mailr";
    std::filesystem::create_directory(scratch / "lost+found");
    EXPECT_TRUE(DataDirectory::open(scratch.path()));
    EXPECT_EQ(text_of(scratch / "FORMAT"), "mailroom-data 1\n");
}

TEST(DataDirectory, IsClosedToOthersHoweverItWasMade) {
    const ScratchDirectory scratch;
    const auto path = scratch / "made-by-somebody";
    namespace fs = std::filesystem;
    fs::create_directory(path);
    for (const auto when : {"before the first use", "between two uses"}) {
        fs::permissions(path, fs::perms(0755));
        ASSERT_TRUE(DataDirectory::open(path)) << when;
        EXPECT_EQ(fs::status(path).permissions(), fs::perms(0700)) << when;
    }
}

TEST(DataDirectory, ThatMustBeThereIsNotMade) {
    const ScratchDirectory scratch;
    const auto path = scratch / "data";
    const auto absent = DataDirectory::open(path, DataDirectory::Absent::refuse);
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().code, Errc::not_found);
    EXPECT_FALSE(std::filesystem::exists(path));
    ASSERT_TRUE(DataDirectory::open(path));
    EXPECT_TRUE(DataDirectory::open(path, DataDirectory::Absent::refuse));
}

}  // namespace
}  // namespace mailroom::app
