#include "table/write_builder.h"

#include "table/engine/engine_fixture.h"
#include "table/query_builder.h"

namespace mailroom::table {
namespace {

// Expectations are on items, not on expressions: what counts is what is written.
class WriteBuilderTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        create(simple_table("T"));
    }
    static Item key(const char* pk) { return {{"pk", pk}}; }
};

TEST_F(WriteBuilderTest, PutIfAbsentIsRefusedTheSecondTimeAndShowsWhy) {
    const Item item{{"pk", "a"}, {"status", "new"}};
    ASSERT_TRUE(engine->put(write::Put("T", item).if_absent("pk")));
    const auto refused = engine->put(write::Put("T", item).if_absent("pk").show_refusing_item());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::conditional_check_failed);
    EXPECT_EQ(refused.error().item, item);
    EXPECT_EQ(engine->put(write::Put("T", key("a")).return_old())->attributes, item);
}

TEST_F(WriteBuilderTest, UpdateDoesAllItsChangesAtOnce) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"},
                                      {"status", "draft"},
                                      {"old.name", 1},
                                      {"made", 5},
                                      {"tags", Value::string_set({"x", "y"})}})));
    const auto updated = engine->update(write::Update("T", key("a"))
                                            .set("status", "approved")
                                            .set_if_absent("made", 6)
                                            .set_if_absent("seen", 7)
                                            .add("count", 1)
                                            .append("log", Value::list({"one"}))
                                            .remove("old.name")
                                            .remove_from("tags", Value::string_set({"x"}))
                                            .when("status", "draft")
                                            .return_new());
    ASSERT_TRUE(updated) << updated.error().message;
    EXPECT_EQ(updated->attributes, (Item{{"pk", "a"},
                                         {"status", "approved"},
                                         {"made", 5},
                                         {"seen", 7},
                                         {"count", 1},
                                         {"log", Value::list({"one"})},
                                         {"tags", Value::string_set({"y"})}}));
    const auto more = engine->update(write::Update("T", key("a"))
                                         .add("count", 2)
                                         .append("log", Value::list({"two"}))
                                         .return_new());
    EXPECT_EQ(more->attributes->integer("count"), 3);
    EXPECT_EQ(Value(*more->attributes->find("log")), Value::list({"one", "two"}));
}

TEST_F(WriteBuilderTest, EveryConditionHoldsWhereItShould) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"size", 5}})));
    struct Case {
        const char* name;
        write::Update request;
        bool want;
    };
    const auto update = [&] { return write::Update("T", key("a")).set("x", 1); };
    const Case cases[] = {
        {"none", update(), true},
        {"equal", update().when("size", 5), true},
        {"not equal", update().when("size", 6), false},
        {"other type", update().when("size", "5"), false},
        {"unless", update().unless("size", 5), false},
        {"unless other", update().unless("size", 6), true},
        {"unless missing", update().unless("missing", 6), true},
        {"below", update().when_below("size", 5), false},
        {"at most", update().when_at_most("size", 5), true},
        {"above", update().when_above("size", 5), false},
        {"at least", update().when_at_least("size", 5), true},
        {"present", update().if_present("size"), true},
        {"absent", update().if_absent("size"), false},
        {"all", update().when("size", 5).if_present("pk").if_absent("missing"), true},
        {"all but one", update().when("size", 5).if_present("missing"), false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto done = engine->update(c.request);
        EXPECT_EQ(static_cast<bool>(done), c.want);
        if (!done) {
            EXPECT_EQ(done.error().fault, Fault::conditional_check_failed);
        }
    }
}

TEST_F(WriteBuilderTest, ATransactionIsBuiltUpAndHappensTogether) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "draft"}, {"version", 1}, {"status", "draft"}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "lock"}})));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "guard"}, {"open", true}})));
    write::Transaction together;
    EXPECT_TRUE(together.empty());
    auto& change = together.update("T", key("draft"));
    together.put("T", {{"pk", "mail"}}).if_absent("pk");
    together.erase("T", key("lock")).if_present("pk");
    together.check("T", key("guard")).when("open", true);
    change.set("status", "approved").when("version", 1).set("version", 2);
    EXPECT_EQ(together.size(), 4u);
    const auto done = engine->transact(together);
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_EQ(get("T", key("draft")),
              (Item{{"pk", "draft"}, {"version", 2}, {"status", "approved"}}));
    EXPECT_TRUE(get("T", key("mail")));
    EXPECT_FALSE(get("T", key("lock")));
    const auto refused = engine->transact(together);
    ASSERT_FALSE(refused);
    const auto& reasons = refused.error().reasons;
    ASSERT_EQ(reasons.size(), 4u);
    EXPECT_EQ(reasons[0].code, "ConditionalCheckFailed");
    EXPECT_EQ(reasons[3].code, "None");
}

TEST_F(WriteBuilderTest, ATransactionTakesWritesThatTheBuildersCannotSay) {
    const Item inner{{"phase", "new"}};
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"m", Value::map(inner)}})));
    write::Transaction together;
    auto nested = update("T", key("a"), "SET m.phase = :to", {{":to", "old"}, {":from", "new"}});
    nested.condition = "m.phase = :from";
    together.also(nested);
    together.put("T", key("b"));
    EXPECT_EQ(together.size(), 2u);
    ASSERT_TRUE(engine->transact(together));
    EXPECT_EQ(get("T", key("a"))->find("m")->map().text("phase"), "old");
    const auto refused = engine->transact(together);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().reasons[0].code, "ConditionalCheckFailed");
}

TEST_F(WriteBuilderTest, AdditionsToOneItemAreAddedUp) {
    write::Transaction together;
    EXPECT_TRUE(together.empty());
    together.add("T", key("a"), "n", 1).add("T", key("a"), "m", 5).add("T", key("a"), "n", 2);
    together.add("T", key("b"), "n", 1);
    EXPECT_EQ(together.size(), 2u) << "one for each item, as in a store that only knows updates";
    const TransactWrite request = together;
    ASSERT_EQ(request.additions.size(), 2u);
    const std::vector<std::pair<std::string, std::int64_t>> sums{{"n", 3}, {"m", 5}};
    EXPECT_EQ(request.additions[0].numbers, sums);
    EXPECT_TRUE(request.actions.empty());
}

TEST_F(WriteBuilderTest, ATokenMakesATransactionHappenOnce) {
    write::Transaction together;
    together.update("T", key("n")).add("n", 1);
    together.token("once");
    ASSERT_TRUE(engine->transact(together));
    ASSERT_TRUE(engine->transact(together));
    EXPECT_EQ(get("T", key("n"))->integer("n"), 1);
}

TEST_F(WriteBuilderTest, EraseMayReturnWhatItErased) {
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 1}})));
    EXPECT_FALSE(engine->erase(write::Erase("T", key("a")).when("n", 2)));
    const auto erased = engine->erase(write::Erase("T", key("a")).when("n", 1).return_old());
    ASSERT_TRUE(erased) << erased.error().message;
    EXPECT_EQ(erased->attributes, (Item{{"pk", "a"}, {"n", 1}}));
}

}  // namespace
}  // namespace mailroom::table
