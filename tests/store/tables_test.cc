#include "store_contract.h"

#include <algorithm>

namespace mailroom::table {
namespace {

class Tables : public StoreContract {
protected:
    // With a local and a global index, tags, protection and provisioned throughput.
    static CreateTable elaborate_table() {
        auto request = range_table("Elaborate");
        request.attributes.push_back({"n", Kind::number});
        request.attributes.push_back({"b", Kind::binary});
        request.local_indexes.push_back(
            {"Local", {"pk", "n"}, {ProjectionKind::include, {"x", "y"}}, {}});
        request.global_indexes.push_back(
            {"Global", {"b", "n"}, {ProjectionKind::keys_only, {}}, {3, 4}});
        request.billing = BillingMode::provisioned;
        request.throughput = {5, 6};
        request.deletion_protection = true;
        request.tags = {{"team", "mail"}};
        return request;
    }
    static UpdateTable add_index(const std::string& name, const std::string& hash) {
        UpdateTable change;
        change.name = "Things";
        change.attributes = {{"pk", Kind::string}, {hash, Kind::string}};
        change.create_index = IndexSpec{name, {hash, ""}, {}, {}};
        return change;
    }
    std::size_t count_in(const std::string& index, const std::string& value) {
        auto request = query("Things", "g = :g", {{":g", value}});
        request.index = index;
        const auto page = store().query(request);
        EXPECT_TRUE(page) << page.error().message;
        return page ? page->count : 0;
    }
};

TEST_P(Tables, AreDescribedAsTheyWereCreated) {
    const auto request = elaborate_table();
    create(request);
    fill("Elaborate", {{"pk", "a"}, {"sk", "1"}, {"n", 1}});
    const auto got = store().describe_table("Elaborate");
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(got->name, "Elaborate");
    EXPECT_EQ(got->status, TableStatus::active);
    EXPECT_EQ(got->keys, request.keys);
    EXPECT_EQ(got->billing, BillingMode::provisioned);
    EXPECT_EQ(got->throughput, request.throughput);
    EXPECT_TRUE(got->deletion_protection);
    EXPECT_TRUE(got->arn.ends_with(":table/Elaborate")) << got->arn;
    EXPECT_EQ(got->id.size(), 36u);
    EXPECT_EQ(got->created, from_unix_ms(1'794'721'884'000));
    EXPECT_TRUE(std::ranges::is_permutation(got->attributes, request.attributes));
    ASSERT_EQ(got->local_indexes.size(), 1u);
    EXPECT_EQ(got->local_indexes[0].spec.keys, request.local_indexes[0].keys);
    EXPECT_EQ(got->local_indexes[0].spec.projection, request.local_indexes[0].projection);
    ASSERT_EQ(got->global_indexes.size(), 1u);
    const auto& global = got->global_indexes[0];
    EXPECT_EQ(global.spec.name, "Global");
    EXPECT_EQ(global.spec.keys, request.global_indexes[0].keys);
    EXPECT_EQ(global.spec.projection, request.global_indexes[0].projection);
    EXPECT_EQ(global.spec.throughput, request.global_indexes[0].throughput);
    EXPECT_EQ(global.status, IndexStatus::active);
    EXPECT_EQ(*store().tags(got->arn), request.tags);
}

TEST_P(Tables, RefusalsAreDynamoDbs) {
    create(hash_table("Things"));
    expect_refused(store().create_table(hash_table("Things")), Fault::resource_in_use,
                   "Table already exists: Things");
    expect_refused(store().describe_table("Nowhere"), Fault::resource_not_found,
                   "Requested resource not found: Table: Nowhere not found");
    expect_refused(store().delete_table("Nowhere"), Fault::resource_not_found,
                   "Requested resource not found: Table: Nowhere not found");
}

TEST_P(Tables, AreListedInOrderPageByPage) {
    for (const char* name : {"bbb", "aaa", "Ccc", "ddd"}) create(hash_table(name));
    const auto first = store().list_tables("", 3);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ(first->names, (std::vector<std::string>{"Ccc", "aaa", "bbb"}));
    EXPECT_EQ(first->last, "bbb");
    const auto second = store().list_tables("bbb", 100);
    EXPECT_EQ(second->names, (std::vector<std::string>{"ddd"}));
    EXPECT_EQ(second->last, std::nullopt);
}

TEST_P(Tables, AProtectedOneCannotBeDeletedUntilItIsReleased) {
    create(elaborate_table());
    const auto refused = store().delete_table("Elaborate");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::validation);
    UpdateTable change;
    change.name = "Elaborate";
    change.deletion_protection = false;
    const auto changed = store().update_table(change);
    ASSERT_TRUE(changed) << changed.error().message;
    ASSERT_TRUE(store().delete_table("Elaborate"));
    backend->finish_jobs();
    EXPECT_FALSE(store().describe_table("Elaborate"));
    create(elaborate_table());
    EXPECT_EQ(read("Elaborate", {{"pk", "a"}, {"sk", "1"}}), std::nullopt);
}

TEST_P(Tables, ChangeTheirBilling) {
    create(hash_table("Things"));
    UpdateTable change;
    change.name = "Things";
    change.billing = BillingMode::provisioned;
    change.throughput = Throughput{7, 8};
    const auto changed = store().update_table(change);
    ASSERT_TRUE(changed) << changed.error().message;
    backend->finish_jobs();
    EXPECT_EQ(store().describe_table("Things")->billing, BillingMode::provisioned);
    EXPECT_EQ(store().describe_table("Things")->throughput, (Throughput{7, 8}));
}

TEST_P(Tables, GetAndLoseIndexesLater) {
    create(hash_table("Things"));
    for (int i = 0; i < 30; ++i) {
        Item item{{"pk", "k" + std::to_string(i)}};
        if (i % 3 == 0) item.set("g", Value("x"));
        fill("Things", item);
    }
    const auto added = store().update_table(add_index("ByG", "g"));
    ASSERT_TRUE(added) << added.error().message;
    backend->finish_jobs();
    EXPECT_EQ(store().describe_table("Things")->global_indexes.at(0).status, IndexStatus::active);
    EXPECT_EQ(count_in("ByG", "x"), 10u);
    ASSERT_TRUE(store().update(update("Things", {{"pk", "k0"}}, "SET g = :y", {{":y", "y"}})));
    EXPECT_EQ(count_in("ByG", "x"), 9u);
    EXPECT_EQ(count_in("ByG", "y"), 1u);

    UpdateTable drop;
    drop.name = "Things";
    drop.delete_index = "ByG";
    ASSERT_TRUE(store().update_table(drop));
    backend->finish_jobs();
    EXPECT_TRUE(store().describe_table("Things")->global_indexes.empty());
    EXPECT_EQ(store().describe_table("Things")->attributes.size(), 1u);
    const auto again = store().update_table(drop);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().fault, Fault::resource_not_found);
}

TEST_P(Tables, KeepTheirTimeToLiveSetting) {
    create(hash_table("Things"));
    EXPECT_FALSE(store().time_to_live("Things")->enabled);
    const auto set = store().set_time_to_live("Things", {true, "expires"});
    ASSERT_TRUE(set) << set.error().message;
    EXPECT_EQ(set->attribute, "expires");
    const auto got = store().time_to_live("Things");
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_TRUE(got->enabled);
    EXPECT_EQ(got->attribute, "expires");
    expect_refused(store().set_time_to_live("Things", {true, "expires"}), Fault::validation,
                   "TimeToLive is already enabled");
    ASSERT_TRUE(store().set_time_to_live("Things", {false, "expires"}));
    EXPECT_FALSE(store().time_to_live("Things")->enabled);
    const auto nowhere = store().time_to_live("Nowhere");
    ASSERT_FALSE(nowhere);
    EXPECT_EQ(nowhere.error().fault, Fault::resource_not_found);
}

TEST_P(Tables, KeepTheirTags) {
    create(hash_table("Things"));
    const auto arn = store().describe_table("Things")->arn;
    EXPECT_EQ(*store().tags(arn), Tags{});
    ASSERT_TRUE(store().tag(arn, {{"team", "mail"}, {"stage", "test"}}));
    ASSERT_TRUE(store().tag(arn, {{"stage", "live ünd well"}}));
    ASSERT_TRUE(store().untag(arn, {"team", "unknown"}));
    EXPECT_EQ(*store().tags(arn), (Tags{{"stage", "live ünd well"}}));
}

INSTANTIATE_TEST_SUITE_P(Stores, Tables, every_store(), name_of);

}  // namespace
}  // namespace mailroom::table
