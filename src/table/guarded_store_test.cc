#include "table/guarded_store.h"

#include "table/engine/engine_fixture.h"

namespace mailroom::table {
namespace {

class GuardedStoreTest : public EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        for (const char* name : {"Alpha", "MailroomHidden", "Omega"}) {
            create(simple_table(name));
            ASSERT_TRUE(engine->put(put(name, {{"pk", "a"}})));
        }
        store.emplace(*engine, TableGuard(own, nullptr));
    }
    const OwnTables own{std::vector<OwnTable>{{simple_table("Alpha"), "", Outside::shared},
                                              {simple_table("Kept"), "", Outside::hidden}}};
    std::optional<GuardedStore> store;
};

TEST_F(GuardedStoreTest, PagesOfNamesAreFullAndLeaveTheHiddenOut) {
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

TEST_F(GuardedStoreTest, AServerThatKeepsTablesForOthersHidesNone) {
    const auto none = OwnTables::none();
    GuardedStore open(*engine, TableGuard(none, nullptr));
    EXPECT_TRUE(open.put(put("MailroomHidden", {{"pk", "b"}})));
    EXPECT_TRUE(open.create_table(simple_table("MailroomOfAnother")));
    EXPECT_EQ(open.list_tables("", 10)->names,
              (std::vector<std::string>{"Alpha", "MailroomHidden", "MailroomOfAnother", "Omega"}));
    EXPECT_EQ(store->create_table(simple_table("MailroomOfAnother")).error().fault,
              Fault::access_denied);
}

TEST_F(GuardedStoreTest, NothingReachesAHiddenTable) {
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
        EXPECT_EQ(store->guard().check_new_name(name).error().fault, Fault::access_denied);
    }
    EXPECT_FALSE(engine->describe_table("MailroomOfALaterYear"));
    const auto arn = engine->describe_table("MailroomHidden")->arn;
    EXPECT_EQ(store->tag(arn, {{"a", "b"}}).error().fault, Fault::resource_not_found);
    EXPECT_FALSE(get("MailroomHidden", {{"pk", "b"}}));
    EXPECT_FALSE(get("Alpha", {{"pk", "b"}})) << "a transaction is all or nothing";
}

TEST_F(GuardedStoreTest, PagesOfNamesGoOnBehindMoreHiddenTablesThanTheyHold) {
    for (const char* name : {"Mailroom1", "Mailroom2", "Mailroom3"}) create(simple_table(name));
    const auto names = store->list_tables("Alpha", 1);
    EXPECT_EQ(names->names, std::vector<std::string>{"Omega"});
    EXPECT_FALSE(names->last);
}

TEST_F(GuardedStoreTest, ASharedTableIsChangedAsAWholeOnlyByThoseWhoMayManage) {
    UpdateTable change;
    change.name = "Alpha";
    change.deletion_protection = false;
    const auto refused = [&](GuardedStore& by) {
        for (const auto& answer : {by.update_table(change), by.delete_table("Alpha")}) {
            EXPECT_EQ(answer.error().fault, Fault::access_denied) << answer.error().message;
        }
        EXPECT_EQ(by.set_time_to_live("Alpha", {true, "ttl"}).error().fault, Fault::access_denied);
        EXPECT_EQ(by.guard().check_new_name("Alpha").error().fault, Fault::access_denied);
        EXPECT_TRUE(by.put(put("Alpha", {{"pk", "b"}}))) << "its items are everybody's";
        EXPECT_TRUE(by.tag(engine->describe_table("Alpha")->arn, {{"a", "b"}}));
    };
    refused(*store);
    for (const TableScope& scope :
         {TableScope{}, TableScope{TableAccess::write, {"Alpha", "Omega"}}}) {
        GuardedStore writer(*engine, TableGuard(own, &scope));
        refused(writer);
        EXPECT_TRUE(writer.set_time_to_live("Omega", {true, "ttl"}));
        EXPECT_TRUE(writer.set_time_to_live("Omega", {false, "ttl"}));
    }
    const TableScope elsewhere{TableAccess::manage, {"Omega"}};
    GuardedStore stranger(*engine, TableGuard(own, &elsewhere));
    EXPECT_EQ(stranger.delete_table("Alpha").error().fault, Fault::access_denied);

    const TableScope managing{TableAccess::manage, {"Alpha"}};
    GuardedStore manager(*engine, TableGuard(own, &managing));
    EXPECT_TRUE(manager.set_time_to_live("Alpha", {true, "ttl"}));
    EXPECT_TRUE(manager.update_table(change));
    EXPECT_TRUE(manager.delete_table("Alpha"));
    EXPECT_TRUE(manager.create_table(simple_table("Alpha")));
    EXPECT_EQ(manager.delete_table("MailroomHidden").error().fault, Fault::access_denied);
}

TEST_F(GuardedStoreTest, WhoMayWriteASharedTableAndMakesItIsToldThatItIsThere) {
    const auto fault = [&](GuardedStore& by, const char* table) {
        return by.create_table(simple_table(table)).error().fault;
    };
    EXPECT_EQ(fault(*store, "Alpha"), Fault::resource_in_use);
    EXPECT_EQ(store->create_table(simple_table("Alpha")).error().message,
              engine->create_table(simple_table("Alpha")).error().message);
    const TableScope writing{TableAccess::write, {"Alpha"}}, reading{TableAccess::read, {}},
        elsewhere{TableAccess::write, {"Omega"}};
    GuardedStore writer(*engine, TableGuard(own, &writing)),
        reader(*engine, TableGuard(own, &reading)), stranger(*engine, TableGuard(own, &elsewhere));
    EXPECT_EQ(fault(writer, "Alpha"), Fault::resource_in_use);
    EXPECT_EQ(fault(reader, "Alpha"), Fault::access_denied);
    EXPECT_EQ(fault(stranger, "Alpha"), Fault::access_denied);
    EXPECT_EQ(fault(*store, "MailroomHidden"), Fault::access_denied) << "nobody sees hidden ones";
    EXPECT_EQ(store->guard().check_new_name("Alpha").error().fault, Fault::access_denied)
        << "a restore is refused as before";
    ASSERT_TRUE(engine->delete_table("Alpha"));
    EXPECT_EQ(fault(*store, "Alpha"), Fault::access_denied);
    EXPECT_EQ(fault(writer, "Alpha"), Fault::access_denied);
    EXPECT_FALSE(engine->describe_table("Alpha"));
}

TEST_F(GuardedStoreTest, WhatIsDeclaredCountsMoreThanTheName) {
    create(simple_table("Kept"));
    EXPECT_EQ(store->describe_table("Kept").error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->put(put("Kept", {{"pk", "b"}})).error().fault, Fault::resource_not_found);
    EXPECT_EQ(store->create_table(simple_table("Kept")).error().fault, Fault::access_denied);
    EXPECT_EQ(store->list_tables("", 10)->names, (std::vector<std::string>{"Alpha", "Omega"}));

    const OwnTables shown{{{simple_table("MailroomHidden"), "", Outside::shared}}};
    GuardedStore other(*engine, TableGuard(shown, nullptr));
    EXPECT_TRUE(other.describe_table("MailroomHidden"));
    EXPECT_EQ(other.delete_table("MailroomHidden").error().fault, Fault::access_denied);
}

TEST_F(GuardedStoreTest, OtherTablesAreAsTheyWere) {
    ASSERT_TRUE(store->put(put("Alpha", {{"pk", "b"}})));
    EXPECT_TRUE(get("Alpha", {{"pk", "b"}}));
    EXPECT_EQ(store->describe_table("Omega")->name, "Omega");
}

TEST_F(GuardedStoreTest, AScopeBoundsTheTablesAndWhatIsDoneWithThem) {
    const TableScope reading{TableAccess::read, {"Alpha", "MailroomHidden", "Missing"}};
    GuardedStore scoped(*engine, TableGuard(own, &reading));
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
    GuardedStore writer(*engine, TableGuard(own, &writing));
    EXPECT_TRUE(writer.put(put("Alpha", {{"pk", "b"}})));
    mixed.actions.emplace_back(put("Omega", {{"pk", "c"}}));
    EXPECT_EQ(writer.transact(mixed).error().fault, Fault::access_denied);
    EXPECT_EQ(writer.create_table(simple_table("Beta")).error().fault, Fault::access_denied);

    const TableScope everywhere{TableAccess::read, {}};
    GuardedStore reader(*engine, TableGuard(own, &everywhere));
    EXPECT_EQ(reader.list_tables("", 10)->names.size(), 2u);
    EXPECT_EQ(reader.create_table(simple_table("Beta")).error().fault, Fault::access_denied);
}

}  // namespace
}  // namespace mailroom::table
