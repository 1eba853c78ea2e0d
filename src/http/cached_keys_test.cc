#include "http/cached_keys.h"

#include "http/memory_keys.h"

#include <gtest/gtest.h>

#include <functional>

namespace mailroom::http {
namespace {

// Counts the reads, and lets something happen in the middle of one.
class WatchedKeys final : public KeyRepository {
public:
    Result<> put(const ApiKey& key) override { return keys_.put(key); }
    Result<std::vector<ApiKey>> list() override { return keys_.list(); }
    Result<std::optional<ApiKey>> find(const std::string& hash) override {
        ++reads;
        auto found = keys_.find(hash);
        if (after_read) after_read();
        return found;
    }
    Result<> erase(const std::string& hash) override { return keys_.erase(hash); }
    Result<> erase_beside(const std::string& hash, const std::string& other) override {
        return keys_.erase_beside(hash, other);
    }

    int reads = 0;
    std::function<void()> after_read;

private:
    MemoryKeys keys_;
};

class CachedKeysTest : public testing::Test {
protected:
    void SetUp() override {
        ApiKey key;
        key.id = "01A";
        key.hash = "aa";
        ASSERT_TRUE(below_.put(key));
    }
    bool finds(const std::string& hash) {
        const auto found = keys_.find(hash);
        EXPECT_TRUE(found);
        return found && found->has_value();
    }

    ManualClock clock_{from_unix_ms(1'794'721'884'123)};
    WatchedKeys below_;
    CachedKeys keys_{below_, clock_};
};

TEST_F(CachedKeysTest, AKeyIsReadOnceUntilItsAgeIsReached) {
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(finds("aa"));
    EXPECT_EQ(below_.reads, 1);
    clock_.advance(CachedKeys::age_max - std::chrono::milliseconds(1));
    EXPECT_TRUE(finds("aa"));
    EXPECT_EQ(below_.reads, 1);
    clock_.advance(std::chrono::milliseconds(1));
    EXPECT_TRUE(finds("aa"));
    EXPECT_EQ(below_.reads, 2);
}

TEST_F(CachedKeysTest, UnknownKeysAreAskedForEachTime) {
    EXPECT_FALSE(finds("bb"));
    EXPECT_FALSE(finds("bb"));
    EXPECT_EQ(below_.reads, 2);
}

TEST_F(CachedKeysTest, ARevokedKeyIsGoneAtOnceAndOneRevokedElsewhereSoon) {
    ASSERT_TRUE(finds("aa"));
    ASSERT_TRUE(keys_.erase("aa"));
    EXPECT_FALSE(finds("aa"));

    SetUp();
    ASSERT_TRUE(finds("aa"));
    ASSERT_TRUE(below_.erase("aa"));
    clock_.advance(CachedKeys::age_max);
    EXPECT_FALSE(finds("aa"));
}

TEST_F(CachedKeysTest, AnAdminKeyRevokedBesideAnotherIsGoneAtOnce) {
    ApiKey other;
    other.id = "01B";
    other.hash = "bb";
    ASSERT_TRUE(keys_.put(other));
    EXPECT_TRUE(finds("aa"));
    ASSERT_TRUE(keys_.erase_beside("aa", "bb"));
    EXPECT_FALSE(finds("aa"));
    EXPECT_TRUE(finds("bb"));
}

TEST_F(CachedKeysTest, ALookupThatARevocationOvertakesIsNotKept) {
    below_.after_read = [this] {
        below_.after_read = nullptr;
        ASSERT_TRUE(keys_.erase("aa"));
    };
    EXPECT_TRUE(finds("aa")) << "it was asked before";
    EXPECT_FALSE(finds("aa"));
}

TEST_F(CachedKeysTest, AClockSetBackDoesNotKeepAKeyAlive) {
    ASSERT_TRUE(finds("aa"));
    ASSERT_TRUE(below_.erase("aa"));
    clock_.advance(-std::chrono::hours(1));
    EXPECT_FALSE(finds("aa"));
}

}  // namespace
}  // namespace mailroom::http
