#include "table/hiding_store.h"

#include "table/engine/engine_fixture.h"

namespace mailroom::table {
namespace {

class HidingStoreTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        for (const char* name : {"Alpha", "MailroomHidden", "Omega"}) {
            create(simple_table(name));
            ASSERT_TRUE(engine->put(put(name, {{"pk", "a"}})));
        }
        store.emplace(*engine, own);
    }
    const OwnTables own{{"Alpha"}};
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
    get_hidden.table = "MailroomHidden";
    get_hidden.key = {{"pk", "a"}};
    EXPECT_EQ(store->get(get_hidden).error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->put(put("MailroomHidden", {{"pk", "b"}})).error().fault,
              Fault::resource_not_found);
    TransactWrite mixed;
    mixed.actions = {put("Alpha", {{"pk", "b"}}), put("MailroomHidden", {{"pk", "b"}})};
    EXPECT_EQ(store->transact(mixed).error().fault, Fault::resource_not_found);
    TransactGet gets;
    gets.gets = {get_hidden};
    EXPECT_EQ(store->transact_get(gets).error().fault, Fault::resource_not_found);
    BatchWrite batch;
    batch.tables.push_back({"MailroomHidden", {BatchWrite::Put{{{"pk", "b"}}}}});
    EXPECT_EQ(store->batch_write(batch).error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->describe_table("MailroomHidden").error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->delete_table("MailroomHidden").error().fault, Fault::resource_not_found);
    for (const char* name : {"MailroomHidden", "MailroomOfALaterYear"}) {
        EXPECT_EQ(store->create_table(simple_table(name)).error().fault, Fault::access_denied);
        EXPECT_EQ(store->check_new_name(name).error().fault, Fault::access_denied);
    }
    EXPECT_FALSE(engine->describe_table("MailroomOfALaterYear"));
    const auto arn = engine->describe_table("MailroomHidden")->arn;
    EXPECT_EQ(store->tag(arn, {{"a", "b"}}).error().fault, Fault::resource_not_found);
    EXPECT_FALSE(get("MailroomHidden", {{"pk", "b"}}));
    EXPECT_FALSE(get("Alpha", {{"pk", "b"}})) << "a transaction is all or nothing";
}

TEST_F(HidingStoreTest, PagesOfNamesGoOnBehindMoreHiddenTablesThanTheyHold) {
    for (const char* name : {"Mailroom1", "Mailroom2", "Mailroom3"}) create(simple_table(name));
    const auto names = store->list_tables("Alpha", 1);
    EXPECT_EQ(names->names, std::vector<std::string>{"Omega"});
    EXPECT_FALSE(names->last);
}

TEST_F(HidingStoreTest, ASharedTableIsChangedAsAWholeOnlyByThoseWhoMayManage) {
    UpdateTable change;
    change.name = "Alpha";
    change.deletion_protection = false;
    const auto refused = [&](HidingStore& by) {
        for (const auto& answer : {by.update_table(change), by.delete_table("Alpha"),
                                   by.create_table(simple_table("Alpha"))}) {
            EXPECT_EQ(answer.error().fault, Fault::access_denied) << answer.error().message;
        }
        EXPECT_EQ(by.set_time_to_live("Alpha", {true, "ttl"}).error().fault, Fault::access_denied);
        EXPECT_EQ(by.check_new_name("Alpha").error().fault, Fault::access_denied);
        EXPECT_TRUE(by.put(put("Alpha", {{"pk", "b"}}))) << "its items are everybody's";
        EXPECT_TRUE(by.tag(engine->describe_table("Alpha")->arn, {{"a", "b"}}));
    };
    refused(*store);
    for (const TableScope& scope :
         {TableScope{}, TableScope{TableAccess::write, {"Alpha", "Omega"}}}) {
        HidingStore writer(*engine, own, &scope);
        refused(writer);
        EXPECT_TRUE(writer.set_time_to_live("Omega", {true, "ttl"}));
        EXPECT_TRUE(writer.set_time_to_live("Omega", {false, "ttl"}));
    }
    const TableScope elsewhere{TableAccess::manage, {"Omega"}};
    HidingStore stranger(*engine, own, &elsewhere);
    EXPECT_EQ(stranger.delete_table("Alpha").error().fault, Fault::access_denied);

    const TableScope managing{TableAccess::manage, {"Alpha"}};
    HidingStore manager(*engine, own, &managing);
    EXPECT_TRUE(manager.set_time_to_live("Alpha", {true, "ttl"}));
    EXPECT_TRUE(manager.update_table(change));
    EXPECT_TRUE(manager.delete_table("Alpha"));
    EXPECT_TRUE(manager.create_table(simple_table("Alpha")));
    EXPECT_EQ(manager.delete_table("MailroomHidden").error().fault, Fault::access_denied);
}

TEST_F(HidingStoreTest, OtherTablesAreAsTheyWere) {
    ASSERT_TRUE(store->put(put("Alpha", {{"pk", "b"}})));
    EXPECT_TRUE(get("Alpha", {{"pk", "b"}}));
    EXPECT_EQ(store->describe_table("Omega")->name, "Omega");
}

TEST_F(HidingStoreTest, AScopeBoundsTheTablesAndWhatIsDoneWithThem) {
    const TableScope reading{TableAccess::read, {"Alpha", "MailroomHidden", "Missing"}};
    HidingStore scoped(*engine, own, &reading);
    GetItem get_item;
    get_item.table = "Alpha";
    get_item.key = {{"pk", "a"}};
    EXPECT_TRUE(scoped.get(get_item));
    EXPECT_TRUE(scoped.describe_table("Alpha"));
    EXPECT_EQ(scoped.list_tables("", 10)->names, std::vector<std::string>{"Alpha"});
    get_item.table = "Omega";
    EXPECT_EQ(scoped.get(get_item).error().fault, Fault::access_denied);
    get_item.table = "MailroomHidden";
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
    HidingStore writer(*engine, own, &writing);
    EXPECT_TRUE(writer.put(put("Alpha", {{"pk", "b"}})));
    mixed.actions.emplace_back(put("Omega", {{"pk", "c"}}));
    EXPECT_EQ(writer.transact(mixed).error().fault, Fault::access_denied);
    EXPECT_EQ(writer.create_table(simple_table("Beta")).error().fault, Fault::access_denied);

    const TableScope everywhere{TableAccess::read, {}};
    HidingStore reader(*engine, own, &everywhere);
    EXPECT_EQ(reader.list_tables("", 10)->names.size(), 2u);
    EXPECT_EQ(reader.create_table(simple_table("Beta")).error().fault, Fault::access_denied);
}

}  // namespace
}  // namespace mailroom::table
