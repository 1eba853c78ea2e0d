#include "store_contract.h"

namespace mailroom::table {
namespace {

class Transactions : public StoreContract {
protected:
    void SetUp() override {
        StoreContract::SetUp();
        create(hash_table("Things"));
        create(range_table("Ranged"));
    }
    static ConditionCheck check(const std::string& pk, const std::string& condition) {
        ConditionCheck request;
        request.table = "Things";
        request.key = {{"pk", pk}};
        request.condition = condition;
        return request;
    }
    static TransactWrite raise_counter(int by, const std::string& token) {
        TransactWrite write;
        write.actions = {update("Things", {{"pk", "n"}}, "ADD n :by", {{":by", by}})};
        write.token = token;
        return write;
    }
};

TEST_P(Transactions, AllFourActionsHappenTogetherAcrossTables) {
    fill("Things", {{"pk", "guard"}});
    fill("Things", {{"pk", "count"}, {"n", 1}});
    fill("Ranged", {{"pk", "old"}, {"sk", "1"}});
    TransactWrite write;
    write.actions = {put("Things", {{"pk", "new"}}), erase("Ranged", {{"pk", "old"}, {"sk", "1"}}),
                     check("guard", "attribute_exists(pk)"),
                     update("Things", {{"pk", "count"}}, "SET n = n + :one", {{":one", 1}})};
    const auto done = store().transact(write);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(done->consumed.size(), 2u) << "one per table";
    EXPECT_TRUE(read("Things", {{"pk", "new"}}));
    EXPECT_FALSE(read("Ranged", {{"pk", "old"}, {"sk", "1"}}));
    EXPECT_EQ(read("Things", {{"pk", "count"}})->integer("n"), 2);
}

TEST_P(Transactions, AdditionsHappenWithTheirActionsOrNotAtAll) {
    auto put_once = put("Things", {{"pk", "mail"}});
    put_once.condition = "attribute_not_exists(pk)";
    TransactWrite write;
    write.actions = {put_once};
    write.additions = {{"Things", {{"pk", "sums"}}, {{"sent", 1}, {"waiting", -1}}}};
    ASSERT_TRUE(store().transact(write));
    const auto refused = store().transact(write);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::transaction_canceled);
    write.actions = {put("Things", {{"pk", "another"}})};
    ASSERT_TRUE(store().transact(write));
    EXPECT_EQ(read("Things", {{"pk", "sums"}}),
              (Item{{"pk", "sums"}, {"sent", 2}, {"waiting", -2}}));
}

TEST_P(Transactions, OneRefusalCancelsAllAndSaysWhich) {
    const Item there{{"pk", "b"}, {"n", 7}};
    fill("Things", there);
    auto refused = put("Things", {{"pk", "b"}});
    refused.condition = "attribute_not_exists(pk)";
    refused.on_failure = OnConditionFailure::all_old;
    TransactWrite write;
    write.actions = {put("Things", {{"pk", "a"}}), refused,
                     update("Things", {{"pk", "c"}}, "SET n = lacking + :one", {{":one", 1}}),
                     check("d", "attribute_exists(pk)")};
    const auto cancelled = store().transact(write);
    expect_refused(cancelled, Fault::transaction_canceled,
                   "Transaction cancelled, please refer cancellation reasons for specific reasons "
                   "[None, ConditionalCheckFailed, ValidationError, ConditionalCheckFailed]");
    const auto& reasons = cancelled.error().reasons;
    ASSERT_EQ(reasons.size(), 4u);
    EXPECT_EQ(reasons[0].code, "None");
    EXPECT_EQ(reasons[0].message, "");
    EXPECT_EQ(reasons[1].code, "ConditionalCheckFailed");
    EXPECT_EQ(reasons[1].message, "The conditional request failed");
    EXPECT_EQ(reasons[1].item, there);
    EXPECT_EQ(reasons[2].code, "ValidationError");
    EXPECT_NE(reasons[2].message, "");
    EXPECT_EQ(reasons[3].item, std::nullopt) << "not asked for";
    EXPECT_FALSE(read("Things", {{"pk", "a"}}));
    EXPECT_EQ(Error(cancelled.error()).code, Errc::conflict);
}

TEST_P(Transactions, ATokenMakesItHappenOnce) {
    ASSERT_TRUE(store().transact(raise_counter(1, "token")));
    ASSERT_TRUE(store().transact(raise_counter(1, "token")));
    EXPECT_EQ(read("Things", {{"pk", "n"}})->integer("n"), 1);
    const auto other = store().transact(raise_counter(2, "token"));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().fault, Fault::idempotent_parameter_mismatch);
    ASSERT_TRUE(store().transact(raise_counter(1, "another")));
    EXPECT_EQ(read("Things", {{"pk", "n"}})->integer("n"), 2);
}

TEST_P(Transactions, WithoutATokenEachOneHappens) {
    ASSERT_TRUE(store().transact(raise_counter(1, "")));
    ASSERT_TRUE(store().transact(raise_counter(1, "")));
    EXPECT_EQ(read("Things", {{"pk", "n"}})->integer("n"), 2);
}

TEST_P(Transactions, AFailedOneDoesNotUseUpItsToken) {
    TransactWrite write;
    write.actions = {check("a", "attribute_exists(pk)"), put("Things", {{"pk", "b"}})};
    write.token = "token";
    EXPECT_FALSE(store().transact(write));
    fill("Things", {{"pk", "a"}});
    EXPECT_TRUE(store().transact(write));
    EXPECT_TRUE(read("Things", {{"pk", "b"}}));
}

TEST_P(Transactions, OneItemMayOccurOnlyOnce) {
    TransactWrite write;
    write.actions = {put("Things", {{"pk", "a"}}), check("a", "attribute_exists(pk)")};
    expect_refused(store().transact(write), Fault::validation,
                   "Transaction request cannot include multiple operations on one item");
    write.actions = {put("Nowhere", {{"pk", "a"}})};
    expect_refused(store().transact(write), Fault::resource_not_found,
                   "Requested resource not found");
}

TEST_P(Transactions, ReadsAreInTheOrderAskedAndMayFindNothing) {
    fill("Things", {{"pk", "a"}, {"n", 1}, {"m", 2}});
    fill("Ranged", {{"pk", "r"}, {"sk", "1"}});
    TransactGet request;
    request.gets = {get("Ranged", {{"pk", "r"}, {"sk", "1"}}), get("Things", {{"pk", "none"}}),
                    get("Things", {{"pk", "a"}})};
    request.gets[2].projection = "n";
    const auto got = store().transact_get(request);
    ASSERT_TRUE(got) << got.error().message;
    ASSERT_EQ(got->items.size(), 3u);
    EXPECT_EQ(got->items[0], (Item{{"pk", "r"}, {"sk", "1"}}));
    EXPECT_EQ(got->items[1], std::nullopt);
    EXPECT_EQ(got->items[2], (Item{{"n", 1}}));
}

INSTANTIATE_TEST_SUITE_P(Stores, Transactions, every_store(), name_of);

}  // namespace
}  // namespace mailroom::table
