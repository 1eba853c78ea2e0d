#include "table/engine/engine.h"

#include "table/engine/engine_fixture.h"

#include <algorithm>

namespace mailroom::table {
namespace {

CreateTable with_index(CreateTable request, const std::string& name, const std::string& hash,
                       const std::string& range, Projection projection = {}) {
    for (const auto& attribute : {hash, range}) {
        if (attribute.empty()) continue;
        const auto& known = request.attributes;
        if (std::ranges::find(known, attribute, &AttributeDefinition::name) == known.end()) {
            request.attributes.push_back({attribute, Kind::string});
        }
    }
    request.global_indexes.push_back({name, {hash, range}, std::move(projection), {}});
    return request;
}

TEST_F(EngineTest, AnItemIsThereAfterPutAndGoneAfterDelete) {
    create(simple_table("T"));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 1}})));
    EXPECT_EQ(get("T", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", 1}}));
    DeleteItem erase;
    erase.table = "T";
    erase.key = {{"pk", "a"}};
    erase.returns = ReturnValues::all_old;
    const auto erased = engine->erase(erase);
    ASSERT_TRUE(erased);
    EXPECT_EQ(erased->attributes, (Item{{"pk", "a"}, {"n", 1}}));
    EXPECT_EQ(get("T", {{"pk", "a"}}), std::nullopt);
}

TEST_F(EngineTest, EverythingIsThereAfterARestart) {
    create(with_index(simple_table("T", true), "ByPhase", "phase", "sk"));
    ASSERT_TRUE(engine->set_time_to_live("T", {true, "ttl"}));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"sk", "1"}, {"phase", "open"}})));
    kv.crash();
    engine.reset();
    kv.restart();
    reopen();
    EXPECT_EQ(get("T", {{"pk", "a"}, {"sk", "1"}})->text("phase"), "open");
    EXPECT_EQ(query("T", "ByPhase", "phase = :s", {{":s", "open"}}).count, 1u);
    const auto description = engine->describe_table("T");
    ASSERT_TRUE(description);
    EXPECT_EQ(description->global_indexes.size(), 1u);
    EXPECT_EQ(description->item_count, 1);
    EXPECT_EQ(engine->time_to_live("T")->attribute, "ttl");
}

TEST_F(EngineTest, ARefusedConditionChangesNothingAndShowsTheItemWhenAsked) {
    create(simple_table("T"));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 1}})));
    auto again = put("T", {{"pk", "a"}, {"n", 2}});
    again.condition = "attribute_not_exists(pk)";
    again.on_failure = OnConditionFailure::all_old;
    const auto refused = engine->put(again);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::conditional_check_failed);
    EXPECT_EQ(refused.error().message, "The conditional request failed");
    EXPECT_EQ(refused.error().item, (Item{{"pk", "a"}, {"n", 1}}));
    EXPECT_EQ(get("T", {{"pk", "a"}})->integer("n"), 1);
}

TEST_F(EngineTest, UpdateReturnsWhatWasAskedFor) {
    create(simple_table("T"));
    struct Case {
        const char* name;
        ReturnValues returns;
        std::optional<Item> want;
    };
    const Case cases[] = {
        {"none", ReturnValues::none, std::nullopt},
        {"all old", ReturnValues::all_old, Item{{"pk", "a"}, {"n", 1}, {"x", "y"}}},
        {"all new", ReturnValues::all_new, Item{{"pk", "a"}, {"n", 6}, {"x", "y"}}},
        {"updated old", ReturnValues::updated_old, Item{{"n", 1}}},
        {"updated new", ReturnValues::updated_new, Item{{"n", 6}}},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"n", 1}, {"x", "y"}})));
        auto request = update("T", {{"pk", "a"}}, "SET n = n + :v", {{":v", 5}});
        request.returns = c.returns;
        const auto updated = engine->update(request);
        ASSERT_TRUE(updated) << updated.error().message;
        EXPECT_EQ(updated->attributes, c.want);
    }
}

TEST_F(EngineTest, AnUpdateThatOnlyRemovesMakesNoItem) {
    create(simple_table("T"));
    for (const auto returns : {ReturnValues::none, ReturnValues::all_new}) {
        auto request = update("T", {{"pk", "a"}}, "REMOVE x, y");
        request.returns = returns;
        const auto updated = engine->update(request);
        ASSERT_TRUE(updated) << updated.error().message;
        EXPECT_EQ(updated->attributes, std::nullopt);
        EXPECT_EQ(get("T", {{"pk", "a"}}), std::nullopt);
    }
    ASSERT_TRUE(engine->update(update("T", {{"pk", "a"}}, "SET n = :v REMOVE x", {{":v", 1}})));
    EXPECT_EQ(get("T", {{"pk", "a"}}), (Item{{"pk", "a"}, {"n", 1}}));
}

TEST_F(EngineTest, AnUpdateWithNothingToTellAnswersNoAttributes) {
    create(simple_table("T"));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}})));
    auto fresh = update("T", {{"pk", "a"}}, "SET n = :v", {{":v", 1}});
    fresh.returns = ReturnValues::updated_old;
    EXPECT_EQ(engine->update(fresh)->attributes, std::nullopt);
    auto gone = update("T", {{"pk", "a"}}, "REMOVE n");
    gone.returns = ReturnValues::updated_new;
    EXPECT_EQ(engine->update(gone)->attributes, std::nullopt);
}

TEST_F(EngineTest, KeysAreCheckedInDynamoDbsWords) {
    create(with_index(simple_table("T", true), "ByPhase", "phase", ""));
    struct Case {
        const char* name;
        Item item;
        const char* message;
    };
    const Case cases[] = {
        {"no sort key",
         {{"pk", "a"}},
         "One or more parameter values were invalid: Missing the key sk in the item"},
        {"wrong type",
         {{"pk", 1}, {"sk", "1"}},
         "One or more parameter values were invalid: Type mismatch for key pk expected: S actual: "
         "N"},
        {"empty key",
         {{"pk", ""}, {"sk", "1"}},
         "One or more parameter values are not valid. The AttributeValue for a key attribute "
         "cannot "
         "contain an empty string value. Key: pk"},
        {"index key of another type",
         {{"pk", "a"}, {"sk", "1"}, {"phase", 1}},
         "One or more parameter values were invalid: Type mismatch for Index Key phase Expected: S "
         "Actual: N IndexName: ByPhase"},
        {"long hash key",
         {{"pk", std::string(2049, 'x')}, {"sk", "1"}},
         "One or more parameter values were invalid: Size of hashkey has exceeded the maximum size "
         "limit of2048 bytes"},
        {"too large",
         {{"pk", "a"}, {"sk", "1"}, {"x", std::string(400 * 1024, 'x')}},
         "Item size has exceeded the maximum allowed size"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto refused = engine->put(put("T", c.item));
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().message, c.message);
    }
    GetItem request;
    request.table = "T";
    request.key = {{"pk", "a"}};
    EXPECT_EQ(engine->get(request).error().message,
              "The provided key element does not match the schema");
    EXPECT_EQ(
        engine->update(update("T", {{"pk", "a"}, {"sk", "b"}}, "SET sk = :v", {{":v", "x"}}))
            .error()
            .message,
        "One or more parameter values were invalid: Cannot update attribute sk. This attribute "
        "is part of the key");
}

TEST_F(EngineTest, AnUnknownTableIsNotFound) {
    const auto refused = engine->put(put("Nowhere", {{"pk", "a"}}));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().fault, Fault::resource_not_found);
    EXPECT_EQ(engine->describe_table("Nowhere").error().message,
              "Requested resource not found: Table: Nowhere not found");
}

TEST_F(EngineTest, ADeletedTableTakesItsRowsWithItAndItsNameIsFreeAgain) {
    create(with_index(simple_table("T", true), "ByPhase", "phase", "sk"));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"sk", "1"}, {"phase", "open"}})));
    EXPECT_EQ(engine->create_table(simple_table("T")).error().fault, Fault::resource_in_use);
    ASSERT_TRUE(engine->delete_table("T"));
    create(with_index(simple_table("T", true), "ByPhase", "phase", "sk"));
    EXPECT_EQ(get("T", {{"pk", "a"}, {"sk", "1"}}), std::nullopt);
    EXPECT_EQ(query("T", "ByPhase", "phase = :s", {{":s", "open"}}).count, 0u);
    auto first = put("T", {{"pk", "a"}, {"sk", "1"}});
    first.condition = "attribute_not_exists(pk)";
    EXPECT_TRUE(engine->put(first));
}

TEST_F(EngineTest, AProtectedTableCannotBeDeleted) {
    auto request = simple_table("T");
    request.deletion_protection = true;
    create(request);
    EXPECT_EQ(engine->delete_table("T").error().fault, Fault::validation);
    UpdateTable change;
    change.name = "T";
    change.deletion_protection = false;
    ASSERT_TRUE(engine->update_table(change));
    EXPECT_TRUE(engine->delete_table("T"));
}

TEST_F(EngineTest, AnUpdateThatOnlyTakesAwayMakesNoItem) {
    create(simple_table("T"));
    const Item key{{"pk", "a"}};
    const auto gone = Value::string_set({"x"});
    for (const auto* text :
         {"REMOVE n", "REMOVE x.y", "REMOVE x[0]", "DELETE s :s", "REMOVE n, m.k DELETE s :s"}) {
        auto request = update("T", key, text);
        if (std::string_view(text).find(":s") != std::string_view::npos) {
            request.bind.values = {{":s", gone}};
        }
        for (const auto returns : {ReturnValues::none, ReturnValues::all_new}) {
            request.returns = returns;
            const auto answer = engine->update(request);
            ASSERT_TRUE(answer) << text << ": " << answer.error().message;
            EXPECT_FALSE(answer->attributes) << text;
        }
        EXPECT_FALSE(get("T", key)) << text;
    }
    ASSERT_TRUE(
        engine->update(update("T", key, "SET n = :n DELETE s :s", {{":n", 1}, {":s", gone}})));
    EXPECT_EQ(get("T", key), (Item{{"n", 1}, {"pk", "a"}}));
    EXPECT_EQ(engine->update(update("T", key, "REMOVE x.y")).error().fault, Fault::validation)
        << "of an item that is there, the path must lead somewhere";
    EXPECT_TRUE(engine->update(update("T", key, "DELETE s :s", {{":s", gone}})));
}

TEST_F(EngineTest, TagKeysAreGivenOnceAndNoneIsReserved) {
    create(simple_table("T"));
    const auto arn = engine->describe_table("T")->arn;
    const auto refusal = [&](const Tags& tags) {
        auto request = simple_table("Never");
        request.tags = tags;
        const auto made = engine->create_table(request);
        const auto tagged = engine->tag(arn, tags);
        EXPECT_FALSE(made || tagged);
        EXPECT_EQ(made.error().message, tagged.error().message);
        return made.error().message;
    };
    const std::string invalid = "One or more parameter values were invalid: ";
    EXPECT_EQ(refusal({{"a", "1"}, {"b", "1"}, {"a", "2"}}), invalid + "Duplicate tag key: a");
    EXPECT_EQ(refusal({{"aws:a", "1"}}),
              invalid + "Tag keys that begin with aws: are reserved: aws:a");
    EXPECT_TRUE(engine->tags(arn)->empty());
    EXPECT_TRUE(engine->tag(arn, {{"aws", "1"}, {"of-aws:a", "2"}}));
}

TEST_F(EngineTest, TagsHaveALimitAtCreationAndLater) {
    const auto numbered = [](int count) {
        Tags tags;
        for (int i = 0; i < count; ++i) tags.emplace_back(std::to_string(i), "v");
        return tags;
    };
    auto request = simple_table("T");
    request.tags = numbered(51);
    EXPECT_EQ(engine->create_table(request).error().fault, Fault::validation);
    EXPECT_FALSE(engine->describe_table("T"));
    request.tags = numbered(50);
    create(request);
    const auto arn = engine->describe_table("T")->arn;
    EXPECT_EQ(engine->tag(arn, {{"more", "v"}}).error().fault, Fault::validation);
    EXPECT_TRUE(engine->tag(arn, {{"7", "another value"}}));
    EXPECT_EQ(engine->tags(arn)->size(), 50u);
}

TEST_F(EngineTest, TagsAreKept) {
    create(simple_table("T"));
    const auto arn = engine->describe_table("T")->arn;
    ASSERT_TRUE(engine->tag(arn, {{"team", "mail"}, {"stage", "test"}}));
    ASSERT_TRUE(engine->tag(arn, {{"stage", "live"}}));
    ASSERT_TRUE(engine->untag(arn, {"team"}));
    reopen();
    EXPECT_EQ(*engine->tags(arn), (Tags{{"stage", "live"}}));
}

TEST_F(EngineTest, ACommitThatFailsIsAnErrorAndTheEngineGoesOn) {
    create(simple_table("T"));
    kv.fail_commit(1, {Errc::unavailable, "no space left on device"});
    const auto failed = engine->put(put("T", {{"pk", "a"}, {"n", 1}}));
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().fault, Fault::internal);
    EXPECT_EQ(get("T", {{"pk", "a"}}), std::nullopt) << "nothing of it is visible";
    auto fresh = put("T", {{"pk", "a"}, {"n", 2}});
    fresh.condition = "attribute_not_exists(pk)";
    EXPECT_TRUE(engine->put(fresh)) << "the lost write is not held against the next one";
}

TEST_F(EngineTest, ATableThatCouldNotBeWrittenDoesNotExist) {
    kv.fail_commit(1, {Errc::unavailable, "no space left on device"});
    EXPECT_FALSE(engine->create_table(simple_table("T")));
    EXPECT_EQ(engine->describe_table("T").error().fault, Fault::resource_not_found);
    create(simple_table("T"));
}

TEST_F(EngineTest, ImmediateModeWorksInOneThread) {
    options.commit_mode = kv::Committer::Mode::immediate;
    reopen();
    create(with_index(simple_table("T", true), "ByPhase", "phase", "sk"));
    ASSERT_TRUE(engine->put(put("T", {{"pk", "a"}, {"sk", "1"}, {"phase", "open"}})));
    EXPECT_EQ(query("T", "ByPhase", "phase = :s", {{":s", "open"}}).count, 1u);
    kv.fail_commit(1, {Errc::unavailable, "full"});
    EXPECT_FALSE(engine->put(put("T", {{"pk", "b"}, {"sk", "1"}})));
    EXPECT_TRUE(engine->put(put("T", {{"pk", "b"}, {"sk", "1"}})));
}

}  // namespace
}  // namespace mailroom::table
