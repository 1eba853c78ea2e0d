#include "outbox/blobs/blob_watch.h"

#include "base/scratch_directory.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace mailroom::outbox {
namespace {

using namespace std::chrono_literals;

class FakeBlobs final : public Blobs {
public:
    Result<> add(table::write::Transaction&, const std::string&, std::string_view, Time) override {
        return Ok{};
    }
    Result<std::optional<std::string>> read(const std::string&) override {
        return std::optional<std::string>();
    }
    Result<> writable() const override {
        if (meanwhile) meanwhile();
        return state;
    }

    Result<> state = Ok{};
    std::function<void()> meanwhile;
};

class BlobWatchTest : public testing::Test {
protected:
    ManualClock clock_{from_unix_ms(1790000000000)};
    FakeBlobs blobs_;
    const ScratchDirectory scratch_;
    BlobWatch watch_{blobs_, scratch_.path(), clock_, 1};
};

TEST_F(BlobWatchTest, SaysWhatTheLastLookFoundAndNoPath) {
    EXPECT_TRUE(watch_.check()) << "before the first look the start has looked";
    watch_.look();
    EXPECT_TRUE(watch_.check());
    EXPECT_GT(watch_.room().free_bytes, 0u);
    EXPECT_GE(watch_.room().size_bytes, watch_.room().free_bytes);

    blobs_.state = Error{Errc::unavailable, "/srv/mail has lost its file"};
    watch_.look();
    const auto away = watch_.check();
    ASSERT_FALSE(away);
    EXPECT_EQ(away.error().code, Errc::unavailable);
    EXPECT_TRUE(away.error().message.starts_with("outbox.blobs: ")) << away.error().message;
    EXPECT_EQ(away.error().message.find("/srv"), std::string::npos);

    blobs_.state = Ok{};
    watch_.look();
    EXPECT_TRUE(watch_.check());
}

TEST_F(BlobWatchTest, AFullDiskCannotBeWrittenTo) {
    BlobWatch watch(blobs_, scratch_.path(), clock_, std::numeric_limits<std::uint64_t>::max());
    watch.look();
    EXPECT_FALSE(watch.check());
}

TEST_F(BlobWatchTest, AFileSystemThatDoesNotAnswerIsSaidWhileItIsWaitedFor) {
    bool before = false, after = true;
    blobs_.meanwhile = [&] {
        before = bool(watch_.check());
        clock_.advance(BlobWatch::patience + 1ms);
        after = bool(watch_.check());
    };
    watch_.look();
    EXPECT_TRUE(before);
    EXPECT_FALSE(after);
    EXPECT_TRUE(watch_.check()) << "it did answer";
}

}  // namespace
}  // namespace mailroom::outbox
