#include "table/engine/engine_fixture.h"

namespace mailroom::table {
namespace {

class TransactionChecksTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("T"));
    }
    static GetItem get_of(const std::string& table, Item key) {
        GetItem request;
        request.table = table;
        request.key = std::move(key);
        return request;
    }
};

TEST_F(TransactionChecksTest, WhatDoesNotFitItsTableCancelsWithAReasonPerAction) {
    struct Case {
        const char* name;
        Item item;
        const char* message;
    };
    const Case cases[] = {
        {"no key",
         {{"other", "x"}},
         "One or more parameter values were invalid: Missing the key pk in the item"},
        {"another type",
         {{"pk", 1}},
         "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: "
         "N"},
        {"too large",
         {{"pk", "x"}, {"data", std::string(410 * 1024, 'x')}},
         "Item size has exceeded the maximum allowed size"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        TransactWrite request;
        request.actions.emplace_back(put("T", {{"pk", "fine"}}));
        request.actions.emplace_back(put("T", c.item));
        const auto done = engine->transact(request);
        ASSERT_FALSE(done);
        EXPECT_EQ(done.error().fault, Fault::transaction_canceled);
        EXPECT_EQ(done.error().message,
                  "Transaction cancelled, please refer cancellation reasons for specific reasons "
                  "[None, ValidationError]");
        ASSERT_EQ(done.error().reasons.size(), 2u);
        EXPECT_EQ(done.error().reasons[1].message, c.message);
        // To our own code it is a request that must not be tried again.
        EXPECT_EQ(Error(done.error()).code, Errc::invalid);
        EXPECT_FALSE(get("T", {{"pk", "fine"}}));
    }
}

TEST_F(TransactionChecksTest, ReadsAreCancelledInTheSameWay) {
    TransactGet request;
    request.gets = {get_of("T", {{"pk", "a"}}), get_of("T", {})};
    const auto got = engine->transact_get(request);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().fault, Fault::transaction_canceled);
    ASSERT_EQ(got.error().reasons.size(), 2u);
    EXPECT_EQ(got.error().reasons[0].code, "None");
    EXPECT_EQ(got.error().reasons[1].message, "The provided key element does not match the schema");
}

TEST_F(TransactionChecksTest, OtherMistakesAreTheRequests) {
    TransactWrite unknown;
    unknown.actions.emplace_back(put("Nowhere", {{"pk", "a"}}));
    EXPECT_EQ(engine->transact(unknown).error().fault, Fault::resource_not_found);

    TransactWrite syntax;
    auto broken = put("T", {{"pk", "a"}});
    broken.condition = "pk =";
    syntax.actions.emplace_back(broken);
    EXPECT_EQ(engine->transact(syntax).error().fault, Fault::validation);

    TransactWrite large;
    for (int i = 0; i < 12; ++i) {
        large.actions.emplace_back(
            put("T", {{"pk", std::to_string(i)}, {"data", std::string(350'000, 'x')}}));
    }
    EXPECT_EQ(engine->transact(large).error().message,
              "The aggregate size of the items in the transaction cannot exceed 4 MB");

    TransactGet much;
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(engine->put(
            put("T", {{"pk", std::to_string(i)}, {"data", std::string(390'000, 'x')}})));
        much.gets.push_back(get_of("T", {{"pk", std::to_string(i)}}));
    }
    EXPECT_EQ(engine->transact_get(much).error().fault, Fault::validation);
    much.gets.pop_back();
    much.gets.pop_back();
    EXPECT_TRUE(engine->transact_get(much));
}

}  // namespace
}  // namespace mailroom::table
