#include "table/engine/sums.h"

#include "table/engine/engine_fixture.h"
#include "table/write_builder.h"

#include <atomic>
#include <thread>
#include <vector>

namespace mailroom::table {
namespace {

class SumsTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("Sums"));
        create(simple_table("T"));
    }
    static Item key(const std::string& pk) { return {{"pk", pk}}; }
    // An item "one more" that is counted with it.
    static TransactWrite counted(const std::string& pk, std::int64_t by = 1) {
        write::Transaction together;
        together.put("T", key(pk)).if_absent("pk");
        together.add("Sums", key("all"), "n", by);
        return together;
    }
    std::int64_t sum(const std::string& name = "n") {
        const auto item = get("Sums", key("all"));
        return item ? item->integer(name).value_or(0) : 0;
    }
};

TEST_F(SumsTest, AnAdditionMakesTheItemAndThenAddsToIt) {
    ASSERT_TRUE(engine->transact(counted("a", 5)));
    EXPECT_EQ(get("Sums", key("all")), (Item{{"pk", "all"}, {"n", 5}}));
    write::Transaction two;
    two.add("Sums", key("all"), "n", -7).add("Sums", key("all"), "m", 2);
    two.add("Sums", key("other"), "n", 1);
    ASSERT_TRUE(engine->transact(two));
    EXPECT_EQ(get("Sums", key("all")), (Item{{"pk", "all"}, {"m", 2}, {"n", -2}}));
    EXPECT_EQ(get("Sums", key("other")), (Item{{"pk", "other"}, {"n", 1}}));
    const auto table = engine->describe_table("Sums");
    EXPECT_EQ(table->item_count, 2u);
    EXPECT_EQ(table->size_bytes, get("Sums", key("all"))->view().size_in_item() +
                                     get("Sums", key("other"))->view().size_in_item());
}

TEST_F(SumsTest, ARefusedTransactionAddsNothing) {
    ASSERT_TRUE(engine->transact(counted("a")));
    const auto refused = engine->transact(counted("a"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::transaction_canceled);
    EXPECT_EQ(sum(), 1);
}

TEST_F(SumsTest, ATokenMakesAnAdditionHappenOnceAndKnowsAnotherOne) {
    auto once = counted("a");
    once.token = "once";
    ASSERT_TRUE(engine->transact(once));
    ASSERT_TRUE(engine->transact(once));
    EXPECT_EQ(sum(), 1);
    once.additions[0].numbers[0].second = 2;
    const auto other = engine->transact(once);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().fault, Fault::idempotent_parameter_mismatch);
}

TEST_F(SumsTest, WhatManyThreadsAddAtOnceIsAddedUp) {
    constexpr int threads = 8, each = 200;
    std::vector<std::thread> all;
    for (int thread = 0; thread < threads; ++thread) {
        all.emplace_back([&, thread] {
            for (int i = 0; i < each; ++i) {
                const auto pk = std::to_string(thread) + "-" + std::to_string(i);
                EXPECT_TRUE(engine->transact(counted(pk, thread)));
            }
        });
    }
    for (auto& thread : all) thread.join();
    EXPECT_EQ(sum(), each * threads * (threads - 1) / 2);
}

TEST_F(SumsTest, ASumIsThatOfAllThatWasAcknowledgedThoughCommitsFail) {
    for (std::uint64_t nth = 3; nth < 300; nth += 7) {
        kv.fail_commit(nth, {Errc::unavailable, "full"});
    }
    std::atomic<std::int64_t> acknowledged = 0, failed = 0;
    std::vector<std::thread> all;
    for (int thread = 0; thread < 4; ++thread) {
        all.emplace_back([&, thread] {
            for (int i = 0; i < 60; ++i) {
                const auto pk = std::to_string(thread) + "-" + std::to_string(i);
                ++(engine->transact(counted(pk)) ? acknowledged : failed);
            }
        });
    }
    for (auto& thread : all) thread.join();
    EXPECT_GT(failed, 0);
    kv.heal();
    kv.crash();
    engine.reset();
    kv.restart();
    reopen();
    EXPECT_EQ(sum(), acknowledged);
    ASSERT_TRUE(engine->transact(counted("after the restart")));
    EXPECT_EQ(sum(), acknowledged + 1);
}

TEST_F(SumsTest, WorksWhereCommitsAreImmediate) {
    options.commit_mode = kv::Committer::Mode::immediate;
    reopen();
    ASSERT_TRUE(engine->transact(counted("a")));
    ASSERT_TRUE(engine->transact(counted("b")));
    EXPECT_EQ(sum(), 2);
}

TEST_F(SumsTest, SumsThatWereUpdatedLikeOtherItemsBeforeARestartGoOn) {
    ASSERT_TRUE(engine->update(update("Sums", key("all"), "ADD n :by", {{":by", 40}})));
    reopen();
    ASSERT_TRUE(engine->transact(counted("a", 2)));
    EXPECT_EQ(sum(), 42);
}

TEST_F(SumsTest, RefusesTablesWhoseOtherRowsWouldNotFollow) {
    auto indexed = simple_table("Indexed");
    indexed.attributes.push_back({"g", Kind::string});
    indexed.global_indexes = {{"G", {"g", ""}, {}, {}}};
    create(indexed);
    ASSERT_TRUE(engine->set_time_to_live("Sums", {true, "expires"}));
    const auto refusal = [&](const std::string& table, const std::string& attribute) {
        write::Transaction together;
        together.put("T", key("beside"));
        together.add(table, key("all"), attribute, 1);
        const auto done = engine->transact(together);
        return done ? std::string() : done.error().message;
    };
    EXPECT_EQ(refusal("Indexed", "n"),
              "Nothing is added to items of the table Indexed: it has indexes, a stream or a "
              "history");
    EXPECT_EQ(refusal("Sums", "expires"),
              "Nothing is added to the attribute expires of the table Sums: it is part of the key, "
              "or the time to live");
    EXPECT_NE(refusal("Sums", "pk"), "");
    EXPECT_EQ(refusal("Nowhere", "n"), "Requested resource not found");
    EXPECT_FALSE(get("T", key("beside")));
}

}  // namespace
}  // namespace mailroom::table
