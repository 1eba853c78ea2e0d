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
        store.emplace(*engine, hidden);
    }
    const TableSet hidden{"Hidden"};
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

TEST_F(HidingStoreTest, AScopeBoundsTheTablesAndWhatIsDoneWithThem) {
    const TableScope reading{TableAccess::read, {"Alpha", "Hidden", "Missing"}};
    HidingStore scoped(*engine, hidden, &reading);
    GetItem get_item;
    get_item.table = "Alpha";
    get_item.key = {{"pk", "a"}};
    EXPECT_TRUE(scoped.get(get_item));
    EXPECT_TRUE(scoped.describe_table("Alpha"));
    EXPECT_EQ(scoped.list_tables("", 10)->names, std::vector<std::string>{"Alpha"});
    get_item.table = "Omega";
    EXPECT_EQ(scoped.get(get_item).error().fault, Fault::access_denied);
    get_item.table = "Hidden";
    EXPECT_EQ(scoped.get(get_item).error().fault, Fault::resource_not_found);
    EXPECT_EQ(scoped.put(put("Alpha", {{"pk", "b"}})).error().fault, Fault::access_denied);
    EXPECT_EQ(scoped.delete_table("Alpha").error().fault, Fault::access_denied);
    EXPECT_EQ(scoped.set_time_to_live("Alpha", {true, "ttl"}).error().fault, Fault::access_denied);
    const auto arn = engine->describe_table("Alpha")->arn;
    EXPECT_TRUE(scoped.tags(arn));
    EXPECT_EQ(scoped.tag(arn, {{"a", "b"}}).error().fault, Fault::access_denied);
    TransactWrite mixed;
    mixed.actions.emplace_back(put("Alpha", {{"pk", "c"}}));
    EXPECT_EQ(scoped.transact(mixed).error().fault, Fault::access_denied);

    const TableScope writing{TableAccess::write, {"Alpha"}};
    HidingStore writer(*engine, hidden, &writing);
    EXPECT_TRUE(writer.put(put("Alpha", {{"pk", "b"}})));
    mixed.actions.emplace_back(put("Omega", {{"pk", "c"}}));
    EXPECT_EQ(writer.transact(mixed).error().fault, Fault::access_denied);
    EXPECT_EQ(writer.create_table(simple_table("Beta")).error().fault, Fault::access_denied);

    const TableScope everywhere{TableAccess::read, {}};
    HidingStore reader(*engine, hidden, &everywhere);
    EXPECT_EQ(reader.list_tables("", 10)->names.size(), 2u);
    EXPECT_EQ(reader.create_table(simple_table("Beta")).error().fault, Fault::access_denied);
}

}  // namespace
}  // namespace mailroom::table
