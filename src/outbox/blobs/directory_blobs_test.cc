#include "outbox/blobs/directory_blobs.h"

#include "base/scratch_directory.h"
#include "outbox/blobs/blob_files.h"
#include "table/engine/engine_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

namespace mailroom::outbox {
namespace {

namespace fs = std::filesystem;

class DirectoryBlobsTest : public table::EngineTest {
protected:
    static constexpr const char* path = "eml/2026/November/a.EML";

    void SetUp() override {
        EngineTest::SetUp();
        auto opened = DirectoryBlobs::open(base, *engine, random);
        ASSERT_TRUE(opened) << opened.error().message;
        blobs.emplace(*std::move(opened));
    }

    void keep(const std::string& bytes, std::chrono::days longer = {}) {
        table::write::Transaction transaction;
        const auto added = blobs->add(transaction, path, bytes, clock.now() + longer);
        ASSERT_TRUE(added) << added.error().message;
        if (transaction.empty()) return;
        const auto done = engine->transact(transaction);
        ASSERT_TRUE(done) << done.error().message;
    }

    std::string content(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::size_t files() {
        std::size_t count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(base)) {
            if (entry.path().filename() == mark_file_name) continue;
            count += entry.is_regular_file() ? 1 : 0;
        }
        return count;
    }

    ScratchDirectory scratch;
    fs::path base = scratch / "blobs";
    std::optional<DirectoryBlobs> blobs;
};

TEST_F(DirectoryBlobsTest, ABlobIsAFileOfThatPathForItsOwnerOnly) {
    keep("hello");
    EXPECT_EQ(content(base / path), "hello");
    EXPECT_EQ(**blobs->read(path), "hello");
    struct stat status {};
    ASSERT_EQ(::stat((base / path).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0600u);
    ASSERT_EQ(::stat((base / "eml").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0700u);
    ASSERT_EQ(::stat(base.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777u, 0700u);
    EXPECT_EQ(files(), 1u) << "nothing temporary is left";
    EXPECT_EQ(*blobs->read("eml/2026/November/none"), std::nullopt);
    EXPECT_EQ(*blobs->read("no/such/directory"), std::nullopt);
}

TEST_F(DirectoryBlobsTest, BlobsOfAnySizeComeBackAsTheyWere) {
    for (const std::size_t size : {0, 1, 12 * 1024 * 1024}) {
        const std::string bytes(size, 'x');
        keep(bytes);
        EXPECT_TRUE(*blobs->read(path) == bytes) << size;
    }
}

// Of any file: one is removed by a rule of the operator's when it was not changed for 30 days.
TEST_F(DirectoryBlobsTest, AFileIsAsOldAsTheTimeThatItIsKeptLeavesIt) {
    const auto changed_days_ago = [&](const std::string& bytes) {
        for (const auto& entry : fs::recursive_directory_iterator(base)) {
            struct stat status {};
            if (!entry.is_regular_file() || content(entry.path()) != bytes) continue;
            EXPECT_EQ(::stat(entry.path().c_str(), &status), 0);
            return (to_unix_seconds(clock.now()) - status.st_mtim.tv_sec) / (24 * 3600);
        }
        return std::int64_t{-1};
    };
    using std::chrono::days;
    for (const std::string bytes : {"first", "second"}) {
        SCOPED_TRACE(bytes);
        keep(bytes, days(40));
        EXPECT_EQ(changed_days_ago(bytes), -10) << "for a mail that is sent in ten days";
        clock.advance(days(35));
        keep(bytes, days(30));
        EXPECT_EQ(changed_days_ago(bytes), 0) << "it still waits";
        clock.advance(days(5));
        keep(bytes, days(1));
        EXPECT_EQ(changed_days_ago(bytes), 5) << "somebody keeps it for longer";
    }
}

TEST_F(DirectoryBlobsTest, ATransactionThatIsRefusedHarmsNoFileInUse) {
    keep("first");
    table::write::Transaction refused;
    ASSERT_TRUE(blobs->add(refused, path, "second", clock.now()));
    refused.check("MailroomBlobs", {{"Path", "none"}, {"Part", 0}}).if_present("Path");
    EXPECT_FALSE(engine->transact(refused));
    EXPECT_EQ(**blobs->read(path), "first");
    EXPECT_EQ(content(base / path), "first");
}

TEST_F(DirectoryBlobsTest, ALaterOneReplacesAnEarlierAndTheEarlierThat) {
    for (const auto* bytes : {"first", "second", "third", "first", "first", "second"}) {
        keep(bytes);
        EXPECT_EQ(**blobs->read(path), bytes);
    }
    EXPECT_EQ(files(), 3u);
}

TEST_F(DirectoryBlobsTest, HostilePathsAreRefused) {
    const std::string paths[] = {"",
                                 "/etc/passwd",
                                 "../a",
                                 "eml/../../a",
                                 "eml/..",
                                 ".",
                                 "./a",
                                 "eml/./a",
                                 "eml//a",
                                 "eml/",
                                 "eml/.hidden",
                                 std::string("eml/a\0b", 7),
                                 std::string(2000, 'x')};
    for (const auto& bad : paths) {
        SCOPED_TRACE(bad);
        EXPECT_FALSE(is_blob_path(bad));
        table::write::Transaction transaction;
        const auto added = blobs->add(transaction, bad, "x", clock.now());
        ASSERT_FALSE(added);
        EXPECT_EQ(added.error().code, Errc::invalid);
        const auto read = blobs->read(bad);
        ASSERT_FALSE(read);
        EXPECT_EQ(read.error().code, Errc::invalid);
    }
    EXPECT_EQ(files(), 0u);
}

TEST_F(DirectoryBlobsTest, SymbolicLinksAreNotFollowed) {
    fs::create_directories(scratch / "outside");
    std::ofstream(scratch / "outside/secret") << "secret";
    fs::create_directory_symlink(scratch / "outside", base / "eml");
    fs::create_symlink(scratch / "outside/secret", base / "link");
    EXPECT_FALSE(blobs->read("eml/secret"));
    EXPECT_FALSE(blobs->read("link"));
    table::write::Transaction transaction;
    EXPECT_FALSE(blobs->add(transaction, path, "x", clock.now()));
    EXPECT_FALSE(blobs->add(transaction, "link", "x", clock.now()));
    EXPECT_TRUE(transaction.empty());
    EXPECT_EQ(content(scratch / "outside/secret"), "secret");
}

TEST_F(DirectoryBlobsTest, OfManyWhoWriteOnePathAtOnceEachReadsAWholeFile) {
    std::vector<std::jthread> threads;
    std::atomic<int> new_files = 0;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            const std::string bytes(100'000, char('0' + i));
            const auto written = write_blob_file(base, "a/b", bytes, clock.now(), random);
            ASSERT_TRUE(written) << written.error().message;
            new_files += *written == Written::new_file ? 1 : 0;
        });
    }
    threads.clear();
    EXPECT_EQ(new_files, 1);
    const auto bytes = content(base / "a/b");
    EXPECT_EQ(bytes, std::string(100'000, bytes.at(0)));
}

TEST_F(DirectoryBlobsTest, WhileItsFileSystemIsNotMountedNothingIsTakenForLost) {
    keep("hello");
    fs::rename(base, scratch / "away");
    fs::create_directory(base);  // As an empty mount point.
    const auto not_found = blobs->read(path);
    ASSERT_FALSE(not_found);
    EXPECT_EQ(not_found.error().code, Errc::unavailable);
    table::write::Transaction transaction;
    EXPECT_FALSE(blobs->add(transaction, path, "other", clock.now()));
    EXPECT_EQ(files(), 0u);
    const auto refused = DirectoryBlobs::open(base, *engine, random);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("is its file system mounted?"), std::string::npos);
    const auto writable = blobs->writable();
    ASSERT_FALSE(writable);
    EXPECT_EQ(writable.error().code, Errc::unavailable);

    fs::remove(base);
    EXPECT_FALSE(blobs->writable());
    fs::rename(scratch / "away", base);
    EXPECT_TRUE(blobs->writable());
    EXPECT_EQ(**blobs->read(path), "hello");
    EXPECT_TRUE(DirectoryBlobs::open(base, *engine, random));
}

TEST_F(DirectoryBlobsTest, ADirectoryThatMayNotBeWrittenToSaysSo) {
    constexpr uid_t nobody = 65534;
    const bool is_root = ::geteuid() == 0;
    for (const auto& owned : {fs::path(scratch.path()), base, base / mark_file_name}) {
        const int changed = is_root ? ::chown(owned.c_str(), nobody, nobody) : 0;
        EXPECT_EQ(changed, 0);
    }
    fs::permissions(base, fs::perms::owner_read | fs::perms::owner_exec);
    const bool is_other = !is_root || ::seteuid(nobody) == 0;
    const auto locked = blobs->writable();
    const bool is_back = !is_root || ::seteuid(0) == 0;
    fs::permissions(base, fs::perms::owner_all);
    ASSERT_TRUE(is_other && is_back);
    ASSERT_FALSE(locked);
    EXPECT_EQ(locked.error().code, Errc::unavailable);
    EXPECT_NE(locked.error().message.find(base.string()), std::string::npos);
}

TEST_F(DirectoryBlobsTest, APersonMayDeclareTheFilesLost) {
    const auto mark = content(base / mark_file_name);
    fs::remove_all(base);
    ASSERT_FALSE(DirectoryBlobs::open(base, *engine, random));
    std::ofstream(base / mark_file_name) << mark;
    const auto opened = DirectoryBlobs::open(base, *engine, random);
    EXPECT_TRUE(opened) << opened.error().message;
}

TEST_F(DirectoryBlobsTest, TheFilesMayMoveAndOthersMayShareThem) {
    keep("hello");
    const auto mark = content(base / mark_file_name);
    fs::rename(base, scratch / "moved");
    auto moved = DirectoryBlobs::open(scratch / "moved", *engine, random);
    ASSERT_TRUE(moved) << moved.error().message;
    EXPECT_EQ(**moved->read(path), "hello");
    auto empty = DirectoryBlobs::open(scratch / "new", *engine, random);
    ASSERT_TRUE(empty) << empty.error().message;
    EXPECT_EQ(content(scratch / "new" / mark_file_name), mark);

    auto shared = DirectoryBlobs::open(scratch / "moved", *engine, random, "OtherBlobs");
    ASSERT_TRUE(shared) << shared.error().message;
    EXPECT_EQ(**shared->read(path), "hello");
    EXPECT_EQ(content(scratch / "moved" / mark_file_name), mark);
}

TEST_F(DirectoryBlobsTest, AFileInPlaceOfTheDirectoryIsToldAtOpening) {
    std::ofstream(scratch / "file") << "x";
    const auto refused = DirectoryBlobs::open(scratch / "file", *engine, random);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::unavailable);
}

}  // namespace
}  // namespace mailroom::outbox
