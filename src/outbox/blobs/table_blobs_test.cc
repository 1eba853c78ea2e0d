#include "outbox/blobs/table_blobs.h"

#include "table/engine/engine_fixture.h"

namespace mailroom::outbox {
namespace {

// Bytes that differ from place to place, so that parts in a wrong order show.
std::string bytes_of(std::size_t size, char first = 'a') {
    std::string bytes(size, first);
    for (std::size_t i = 1; i < size; ++i) bytes[i] = static_cast<char>(i * 31 + i / 4096);
    return bytes;
}

class TableBlobsTest : public table::EngineTest {
protected:
    static constexpr const char* path = "eml/2026/November/a.EML";

    void SetUp() override {
        EngineTest::SetUp();
        auto opened = TableBlobs::open(*engine);
        ASSERT_TRUE(opened) << opened.error().message;
        blobs.emplace(*std::move(opened));
        engine->finish_jobs();  // A commit that is made to fail is the test's own.
    }

    Time expires() const { return clock.now() + std::chrono::days(30); }

    void keep(const std::string& bytes) {
        table::write::Transaction transaction;
        const auto added = blobs->add(transaction, path, bytes, expires());
        ASSERT_TRUE(added) << added.error().message;
        EXPECT_EQ(transaction.size(), 1u);
        const auto done = engine->transact(transaction);
        ASSERT_TRUE(done) << done.error().message;
    }

    std::optional<std::string> read() {
        auto found = blobs->read(path);
        EXPECT_TRUE(found) << found.error().message;
        return found ? *found : std::nullopt;
    }

    std::size_t rows() { return engine->scan(scan())->count; }
    static table::Scan scan() {
        table::Scan request;
        request.table = "MailroomBlobs";
        request.select = table::Select::count;
        return request;
    }

    std::optional<TableBlobs> blobs;
};

TEST_F(TableBlobsTest, BlobsOfAnySizeComeBackAsTheyWere) {
    const std::size_t sizes[] = {0,
                                 1,
                                 TableBlobs::small_bytes_max,
                                 TableBlobs::small_bytes_max + 1,
                                 TableBlobs::part_bytes_max,
                                 TableBlobs::part_bytes_max + 1,
                                 8 * TableBlobs::part_bytes_max,
                                 12 * 1024 * 1024};
    for (const auto size : sizes) {
        SCOPED_TRACE(size);
        const auto bytes = bytes_of(size);
        keep(bytes);
        EXPECT_TRUE(read() == bytes);
    }
    EXPECT_EQ(*blobs->read("eml/none"), std::nullopt);
}

TEST_F(TableBlobsTest, ASmallOneIsOneRowOfTheTransaction) {
    keep("hello");
    const table::Item want{{"Path", path},
                           {"Part", 0},
                           {"Parts", 1},
                           {"Data", table::Value::binary("hello")},
                           {"TTL", to_unix_seconds(expires())}};
    EXPECT_EQ(get("MailroomBlobs", {{"Path", path}, {"Part", 0}}), want);
}

TEST_F(TableBlobsTest, WhatIsAddedQuicklyAsksTheStoreForNothing) {
    for (const auto bytes : {TableBlobs::small_bytes_max, TableBlobs::small_bytes_max + 1}) {
        const auto commits = kv.commits();
        table::write::Transaction transaction;
        ASSERT_TRUE(blobs->add(transaction, path, std::string(bytes, 'x'), expires()));
        EXPECT_EQ(kv.commits() == commits, blobs->adds_quickly(bytes)) << bytes;
    }
    EXPECT_TRUE(blobs->adds_quickly(TableBlobs::small_bytes_max));
    EXPECT_FALSE(blobs->adds_quickly(TableBlobs::small_bytes_max + 1));
}

TEST_F(TableBlobsTest, WhatIsNotCommittedCannotBeReadAndHarmsNothing) {
    for (const std::size_t size : {std::size_t{10}, std::size_t{1024 * 1024}}) {
        for (const std::size_t earlier : {std::size_t{20}, std::size_t{900 * 1024}}) {
            SCOPED_TRACE(std::to_string(size) + " over " + std::to_string(earlier));
            const auto first = bytes_of(earlier, 'f');
            keep(first);
            table::write::Transaction refused;
            ASSERT_TRUE(blobs->add(refused, path, bytes_of(size, 's'), expires()));
            refused.check("MailroomBlobs", {{"Path", "none"}, {"Part", 0}}).if_present("Path");
            EXPECT_FALSE(engine->transact(refused));
            EXPECT_TRUE(read() == first);
        }
    }
}

TEST_F(TableBlobsTest, ALaterOneReplacesAnEarlier) {
    for (const std::size_t size :
         {std::size_t{1024 * 1024}, std::size_t{5}, std::size_t{400'000}}) {
        keep(bytes_of(size, 'x'));
        EXPECT_TRUE(read() == bytes_of(size, 'x'));
    }
}

TEST_F(TableBlobsTest, PartsThatNobodyNamesExpire) {
    table::write::Transaction dropped;
    ASSERT_TRUE(blobs->add(dropped, path, bytes_of(800 * 1024), expires()));
    EXPECT_EQ(rows(), 3u);
    table::write::Transaction again;
    ASSERT_TRUE(blobs->add(again, path, bytes_of(800 * 1024), expires()));
    EXPECT_EQ(rows(), 3u) << "the same content again takes no more room";
    clock.advance(std::chrono::days(31));
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_EQ(rows(), 0u);
}

TEST_F(TableBlobsTest, AMissingPartIsCorrupt) {
    keep(bytes_of(1024 * 1024));
    const auto content =
        std::string(*get("MailroomBlobs", {{"Path", path}, {"Part", 0}})->text("Content"));
    table::DeleteItem request;
    request.table = "MailroomBlobs";
    request.key = {{"Path", path + std::string("#") + content}, {"Part", 2}};
    ASSERT_TRUE(engine->erase(request));
    const auto broken = blobs->read(path);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, Errc::corrupt);
}

TEST_F(TableBlobsTest, AFullDiskIsToldAndNothingIsAdded) {
    kv.fail_commits({Errc::unavailable, "no space left on device"});
    table::write::Transaction transaction;
    EXPECT_FALSE(blobs->add(transaction, path, bytes_of(1024 * 1024), expires()));
    EXPECT_TRUE(transaction.empty());
    kv.heal();
}

}  // namespace
}  // namespace mailroom::outbox
