#include "table/engine/engine_fixture.h"

namespace mailroom::table {
namespace {

class TransactionTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("T"));
    }
    static ConditionCheck check(const std::string& pk, const std::string& condition) {
        ConditionCheck request;
        request.table = "T";
        request.key = {{"pk", pk}};
        request.condition = condition;
        return request;
    }
    static DeleteItem erase(const std::string& pk) {
        DeleteItem request;
        request.table = "T";
        request.key = {{"pk", pk}};
        return request;
    }
};

TEST_F(TransactionTest, AllFourActionsHappenTogether) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "old"}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "guard"}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "count"}, {"n", 1}})));
    TransactWrite write;
    write.actions = {put("T", {{"pk", "new"}}), erase("old"),
                     check("guard", "attribute_exists(pk)"),
                     update("T", {{"pk", "count"}}, "SET n = n + :one", {{":one", 1}})};
    const auto done = engine->transact(write);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(get("T", {{"pk", "new"}}));
    EXPECT_FALSE(get("T", {{"pk", "old"}}));
    EXPECT_EQ(get("T", {{"pk", "count"}})->integer("n"), 2);
}

TEST_F(TransactionTest, ItemsPutAsNewAreWrittenAndReplacedLikeOthers) {
    TransactWrite write;
    write.new_puts_end = 3;
    auto guarded = put("T", {{"pk", "new"}, {"n", 1}});
    guarded.condition = "attribute_not_exists(pk)";
    write.actions = {guarded, put("T", {{"pk", "too"}}),
                     update("T", {{"pk", "count"}}, "ADD n :one", {{":one", 1}})};
    ASSERT_TRUE(engine->transact(write));
    EXPECT_EQ(get("T", {{"pk", "new"}})->integer("n"), 1);
    EXPECT_EQ(engine->describe_table("T")->item_count, 3);
    write.actions = {update("T", {{"pk", "count"}}, "ADD n :one", {{":one", 1}}),
                     put("T", {{"pk", "third"}})};
    ASSERT_TRUE(engine->transact(write));
    EXPECT_EQ(get("T", {{"pk", "count"}})->integer("n"), 2) << "updates are looked for";
    ASSERT_TRUE(engine->put(put("T", {{"pk", "new"}, {"n", 2}})));
    EXPECT_EQ(engine->describe_table("T")->item_count, 4);

    // Behind the end an item is looked for.
    guarded.item.set("pk", Value("third"));
    write.actions = {put("T", {{"pk", "fourth"}}), guarded};
    write.new_puts_end = 1;
    EXPECT_FALSE(engine->transact(write));
    EXPECT_FALSE(get("T", {{"pk", "fourth"}}));
}

TEST_F(TransactionTest, OneRefusalCancelsAllAndSaysWhich) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "b"}, {"n", 7}})));
    auto refused_put = put("T", {{"pk", "b"}});
    refused_put.condition = "attribute_not_exists(pk)";
    refused_put.on_failure = OnConditionFailure::all_old;
    TransactWrite write;
    write.actions = {put("T", {{"pk", "a"}}), refused_put,
                     update("T", {{"pk", "c"}}, "SET n = absent + :one", {{":one", 1}})};
    const auto before = engine->describe_table("T")->item_count;
    const auto cancelled = engine->transact(write);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().fault, Fault::transaction_canceled);
    EXPECT_EQ(
        cancelled.error().message,
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
        "ConditionalCheckFailed, ValidationError]");
    const auto& reasons = cancelled.error().reasons;
    ASSERT_EQ(reasons.size(), 3u);
    EXPECT_EQ(reasons[0].code, "None");
    EXPECT_EQ(reasons[1].item, (Item{{"pk", "b"}, {"n", 7}}));
    EXPECT_FALSE(get("T", {{"pk", "a"}}));
    EXPECT_EQ(engine->describe_table("T")->item_count, before);
}

TEST_F(TransactionTest, OneItemMayOccurOnlyOnce) {
    TransactWrite write;
    write.actions = {put("T", {{"pk", "a"}}), check("a", "attribute_exists(pk)")};
    EXPECT_EQ(engine->transact(write).error().message,
              "Transaction request cannot include multiple operations on one item");
}

TEST_F(TransactionTest, ATokenMakesItHappenOnceForTenMinutes) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "n"}, {"n", 0}})));
    TransactWrite write;
    write.actions = {update("T", {{"pk", "n"}}, "SET n = n + :one", {{":one", 1}})};
    write.token = "token-1";
    ASSERT_TRUE(engine->transact(write));
    ASSERT_TRUE(engine->transact(write));
    EXPECT_EQ(get("T", {{"pk", "n"}})->integer("n"), 1);
    reopen();
    ASSERT_TRUE(engine->transact(write)) << "also after a restart";
    EXPECT_EQ(get("T", {{"pk", "n"}})->integer("n"), 1);

    auto other = write;
    other.actions = {update("T", {{"pk", "n"}}, "SET n = n + :one", {{":one", 2}})};
    EXPECT_EQ(engine->transact(other).error().fault, Fault::idempotent_parameter_mismatch);

    clock.advance(std::chrono::minutes(11));
    ASSERT_TRUE(engine->sweep_expired(100));
    ASSERT_TRUE(engine->transact(write));
    EXPECT_EQ(get("T", {{"pk", "n"}})->integer("n"), 2);
}

TEST_F(TransactionTest, AFailedTransactionDoesNotUseUpItsToken) {
    TransactWrite write;
    write.actions = {check("a", "attribute_exists(pk)"), put("T", {{"pk", "b"}})};
    write.token = "token-2";
    EXPECT_FALSE(engine->transact(write));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}})));
    EXPECT_TRUE(engine->transact(write));
    EXPECT_TRUE(get("T", {{"pk", "b"}}));
}

TEST_F(TransactionTest, ReadsAreOfOneMoment) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 1}})));
    TransactGet request;
    for (const char* pk : {"a", "none"}) {
        GetItem get_one;
        get_one.table = "T";
        get_one.key = {{"pk", pk}};
        request.gets.push_back(get_one);
    }
    const auto got = engine->transact_get(request);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->items.at(0), (Item{{"pk", "a"}, {"n", 1}}));
    EXPECT_EQ(got->items.at(1), std::nullopt);
}

TEST_F(TransactionTest, BatchesWriteAndReadManyItems) {
    BatchWrite write;
    write.tables.push_back({"T", {}});
    for (int i = 0; i < 25; ++i) {
        write.tables[0].actions.push_back(BatchWrite::Put{{{"pk", "k" + std::to_string(i)}}});
    }
    ASSERT_TRUE(engine->batch_write(write));
    write.tables[0].actions = {BatchWrite::Delete{{{"pk", "k0"}}}, BatchWrite::Put{{{"pk", "k0"}}}};
    EXPECT_EQ(engine->batch_write(write).error().message,
              "Provided list of item keys contains duplicates");
    BatchGet read;
    read.tables.push_back(
        {"T", {{{"pk", "k1"}}, {{"pk", "k24"}}, {{"pk", "none"}}}, "", {}, false});
    const auto got = engine->batch_get(read);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->tables.at(0).items.size(), 2u);
    EXPECT_TRUE(got->unprocessed.tables.empty());
}

}  // namespace
}  // namespace mailroom::table
