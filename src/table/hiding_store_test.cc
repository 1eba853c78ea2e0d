#include "table/hiding_store.h"

#include "table/engine/engine_fixture.h"

namespace mailroom::table {
namespace {

class HidingStoreTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        for (const char* name : {"Alpha", "Hidden", "Omega"}) {
            create(simple_table(name));
            ASSERT_TRUE(engine->put(put(name, {{"pk", "a"}})));
        }
        store.emplace(*engine, std::set<std::string, std::less<>>{"Hidden"});
    }
    std::optional<HidingStore> store;
};

TEST_F(HidingStoreTest, PagesOfNamesAreFullAndLeaveTheHiddenOut) {
    std::string seen;
    std::string after;
    for (int page = 0; page < 5; ++page) {
        const auto names = store->list_tables(after, 1);
        ASSERT_TRUE(names);
        for (const auto& name : names->names) seen += name + " ";
        if (!names->last) break;
        after = *names->last;
    }
    EXPECT_EQ(seen, "Alpha Omega ");
}

TEST_F(HidingStoreTest, NothingReachesAHiddenTable) {
    GetItem get_hidden;
    get_hidden.table = "Hidden";
    get_hidden.key = {{"pk", "a"}};
    EXPECT_EQ(store->get(get_hidden).error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->put(put("Hidden", {{"pk", "b"}})).error().fault, Fault::resource_not_found);
    TransactWrite mixed;
    mixed.actions = {put("Alpha", {{"pk", "b"}}), put("Hidden", {{"pk", "b"}})};
    EXPECT_EQ(store->transact(mixed).error().fault, Fault::resource_not_found);
    TransactGet gets;
    gets.gets = {get_hidden};
    EXPECT_EQ(store->transact_get(gets).error().fault, Fault::resource_not_found);
    BatchWrite batch;
    batch.tables.push_back({"Hidden", {BatchWrite::Put{{{"pk", "b"}}}}});
    EXPECT_EQ(store->batch_write(batch).error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->describe_table("Hidden").error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->delete_table("Hidden").error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->create_table(simple_table("Hidden")).error().fault, Fault::resource_in_use);
    const auto arn = engine->describe_table("Hidden")->arn;
    EXPECT_EQ(store->tag(arn, {{"a", "b"}}).error().fault, Fault::resource_not_found);
    EXPECT_FALSE(get("Hidden", {{"pk", "b"}}));
    EXPECT_FALSE(get("Alpha", {{"pk", "b"}})) << "a transaction is all or nothing";
}

TEST_F(HidingStoreTest, OtherTablesAreAsTheyWere) {
    ASSERT_TRUE(store->put(put("Alpha", {{"pk", "b"}})));
    EXPECT_TRUE(get("Alpha", {{"pk", "b"}}));
    EXPECT_EQ(store->describe_table("Omega")->name, "Omega");
}

}  // namespace
}  // namespace mailroom::table
