#include "schedule/position.h"

#include "schedule/places.h"

#include <gtest/gtest.h>

namespace mailroom::schedule {
namespace {

TEST(Position, IsQueueShardDueAndKeyAsWrittenOnDisk) {
    const auto position = position_of("outbox.send", "mail-1", from_unix_ms(1'760'000'000'123));
    EXPECT_EQ(position.partition, "outbox.send#" + std::to_string(shard_of("mail-1")));
    EXPECT_EQ(position.place, "001760000000123#mail-1");
    EXPECT_EQ(position.queue(), "outbox.send");
    EXPECT_EQ(position.key(), "mail-1");
    EXPECT_EQ(position.due(), from_unix_ms(1'760'000'000'123));
}

TEST(Position, ShardsOfKeysNeverChange) {
    // FNV-1a of 64 bits: published values for "" and "a" are cbf29ce484222325, af63dc4c8601ec8c.
    EXPECT_EQ(shard_of(""), 0xcbf29ce484222325u % 8);
    EXPECT_EQ(shard_of("a"), 0xaf63dc4c8601ec8cu % 8);
    EXPECT_EQ(shard_of("foobar"), 0x85944171f73967e8u % 8);
}

TEST(Position, TextIsReadBack) {
    const std::string keys[] = {"plain", "a#b", "a/b#c/d", "#", "/", std::string(512, 'k')};
    for (const auto& key : keys) {
        SCOPED_TRACE(key);
        const auto position = position_of("a.b-c_9", key, from_unix_ms(5));
        const auto parsed = Position::parse(position.text());
        ASSERT_TRUE(parsed);
        EXPECT_EQ(*parsed, position);
        EXPECT_EQ(parsed->key(), key);
    }
}

TEST(Position, ParseRefusesAllElse) {
    const auto shard = std::to_string(shard_of("k"));
    const auto wrong_shard = std::to_string((shard_of("k") + 1) % 8);
    ASSERT_TRUE(Position::parse("q#" + shard + "/000000000000001#k"));
    const std::string cases[] = {
        "",
        "q",
        "/",
        "#/",
        "q#" + shard,
        "q#" + shard + "/",
        "q#" + wrong_shard + "/000000000000001#k",
        "q#dead/000000000000001#k",
        "q#8/000000000000001#k",
        "Q#" + shard + "/000000000000001#k",
        "q..q#" + shard + "/000000000000001#k",
        ".q#" + shard + "/000000000000001#k",
        "q.#" + shard + "/000000000000001#k",
        "#" + shard + "/000000000000001#k",
        "q#" + shard + "/00000000000001#k",
        "q#" + shard + "/00000000000000x#k",
        "q#" + shard + "/000000000000001k",
        "q#" + shard + "/000000000000001#",
        "q#" + shard + "/-00000000000001#k",
        "q#" + shard + "/000000000000001#" + std::string(513, 'k'),
    };
    for (const auto& text : cases) {
        SCOPED_TRACE(text);
        const auto parsed = Position::parse(text);
        ASSERT_FALSE(parsed);
        EXPECT_EQ(parsed.error().code, Errc::invalid);
    }
}

TEST(Position, PlacesAreInOrderOfDueTimeThenKey) {
    EXPECT_LT(place_of(from_unix_ms(9), "z"), place_of(from_unix_ms(10), "a"));
    EXPECT_LT(place_of(from_unix_ms(10), "a"), place_of(from_unix_ms(10), "b"));
    EXPECT_LT(place_of(from_unix_ms(10), "\xff"), end_of(from_unix_ms(10)));
    EXPECT_LT(end_of(from_unix_ms(10)), place_of(from_unix_ms(11), "\x01"));
    EXPECT_LT(first_place, place_of(from_unix_ms(0), "\x01"));
}

TEST(Position, TimesThatDoNotFitBecomeTheNearest) {
    EXPECT_EQ(place_of(from_unix_ms(-1), "k"), "000000000000000#k");
    EXPECT_EQ(place_of(Time::max(), "k"), "999999999999999#k");
}

}  // namespace
}  // namespace mailroom::schedule
