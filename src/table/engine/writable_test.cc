// Whether the engine says that it cannot write, and that it can again.
#include "table/engine/engine_fixture.h"

namespace mailroom::table {
namespace {

class WritableTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("T"));
    }
    bool put_one() { return static_cast<bool>(engine->put(put("T", {{"pk", "a"}}))); }
};

TEST_F(WritableTest, IsKnownFromTheLastCommit) {
    EXPECT_TRUE(engine->writable());
    kv.fail_commit(1, {Errc::unavailable, "the disk is full"});
    EXPECT_FALSE(put_one());
    const auto refused = engine->writable();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::unavailable);
    EXPECT_EQ(refused.error().message, "the disk is full");
    EXPECT_TRUE(put_one());
    EXPECT_TRUE(engine->writable());
}

TEST_F(WritableTest, IsTriedAgainWithoutAnybodysWriting) {
    kv.fail_commits({Errc::unavailable, "the disk is full"});
    EXPECT_FALSE(put_one());
    for (int look = 0; look < 3; ++look) {
        static_cast<void>(engine->sweep_expired(100));
        EXPECT_FALSE(engine->writable());
    }
    kv.heal();
    ASSERT_TRUE(engine->sweep_expired(100));
    EXPECT_TRUE(engine->writable());
    reopen();
    EXPECT_TRUE(engine->describe_table("T")) << "the attempt left nothing that is in the way";
}

TEST_F(WritableTest, DamageIsNotTakenForMendedUntilAWriteSucceeds) {
    kv.fail_commit(1, {Errc::corrupt, "block checksum mismatch"});
    EXPECT_FALSE(put_one());
    ASSERT_TRUE(engine->sweep_expired(100));
    ASSERT_FALSE(engine->writable());
    EXPECT_EQ(engine->writable().error().code, Errc::corrupt);
    EXPECT_TRUE(put_one());
    EXPECT_TRUE(engine->writable());
}

}  // namespace
}  // namespace mailroom::table
