#include "dynamodb/access_keys.h"

#include "kv/memory_store.h"
#include "table/engine/engine.h"

#include <gtest/gtest.h>

namespace mailroom::dynamodb {
namespace {

TEST(AccessKeys, AreKeptFoundListedAndRevoked) {
    kv::MemoryStore kv;
    ManualClock clock{from_unix_ms(1'763'186'844'000)};
    SeededRandom random{1};
    const auto engine = *table::Engine::open(kv, clock, random);
    auto keys = AccessKeys::open(*engine, clock, random);
    ASSERT_TRUE(keys);
    const auto all = keys->create("everything", {});
    ASSERT_TRUE(all);
    EXPECT_TRUE(is_access_key_id(all->id)) << all->id;
    EXPECT_EQ(all->secret.size(), 43u);
    clock.advance(std::chrono::seconds(1));
    const auto some = keys->create("reports", {table::TableAccess::read, {"Orders", "People"}});
    ASSERT_TRUE(some);
    EXPECT_NE(all->id, some->id);
    EXPECT_NE(all->secret, some->secret);

    auto again = AccessKeys::open(*engine, clock, random);
    const auto found = again->find(some->id);
    ASSERT_TRUE(found && *found);
    EXPECT_EQ((*found)->secret, some->secret);
    EXPECT_EQ((*found)->scope, some->scope);
    EXPECT_EQ((*found)->name, "reports");
    EXPECT_EQ((*found)->created, clock.now());
    const auto listed = again->list();
    ASSERT_EQ(listed->size(), 2u);
    EXPECT_EQ((*listed)[0].id, all->id);
    EXPECT_EQ((*listed)[0].scope, table::TableScope{});

    EXPECT_TRUE(again->revoke(some->id));
    EXPECT_EQ(again->revoke(some->id).error().code, Errc::not_found);
    EXPECT_FALSE(*again->find(some->id));
    for (const auto* name : {"", "two\nlines"}) {
        EXPECT_EQ(again->create(name, {}).error().code, Errc::invalid);
    }
}

}  // namespace
}  // namespace mailroom::dynamodb
