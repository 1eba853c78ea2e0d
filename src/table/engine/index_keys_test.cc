// Global indexes whose key has several attributes, from their creation to their end.
#include "table/engine/engine_fixture.h"

#include <set>
#include <thread>

namespace mailroom::table {
namespace {

// Matches of a tournament: found by tournament and region, in the order of round, bracket and id.
class IndexKeysTest : public EngineTest {
protected:
    static IndexSpec by_region(ProjectionKind projection = ProjectionKind::all) {
        return {"ByRegion",
                {"tournament", "round", {"region"}, {"bracket", "pk"}},
                {projection, {}},
                {}};
    }
    static std::vector<AttributeDefinition> key_attributes() {
        return {{"pk", Kind::string},
                {"tournament", Kind::string},
                {"region", Kind::string},
                {"round", Kind::number},
                {"bracket", Kind::string}};
    }
    static CreateTable matches(ProjectionKind projection = ProjectionKind::all) {
        auto request = simple_table("T");
        request.attributes = key_attributes();
        request.global_indexes.push_back(by_region(projection));
        return request;
    }
    static UpdateTable add_index() {
        UpdateTable change;
        change.name = "T";
        change.attributes = key_attributes();
        change.create_index = by_region();
        return change;
    }
    static Item match(const std::string& pk, const std::string& region, int round,
                      const std::string& bracket) {
        return {{"pk", pk},       {"tournament", "W"},  {"region", region},
                {"round", round}, {"bracket", bracket}, {"score", 3}};
    }
    void put_some() {
        for (const auto& item :
             {match("m1", "EU", 10, "A"), match("m2", "EU", 2, "B"), match("m3", "EU", 2, "AB"),
              match("m4", "EU", 2, "A"), match("m5", "US", 2, "A"), match("m6", "EU", -5, "A")}) {
            ASSERT_TRUE(engine->put(put("T", item)));
        }
    }
    // The keys of the matches of the region, in order.
    std::string in_region(const std::string& region, const std::string& more = "",
                          std::vector<std::pair<std::string, Value>> values = {},
                          const std::string& table = "T") {
        values.insert(values.end(), {{":t", "W"}, {":e", region}});
        const auto page =
            query(table, "ByRegion", "tournament = :t AND #e = :e" + more, std::move(values));
        std::string keys;
        for (const auto& item : page.items) {
            keys += (keys.empty() ? "" : " ") + std::string(*item.text("pk"));
        }
        return keys;
    }
    Page query(const std::string& table, const std::string& index, const std::string& condition,
               std::vector<std::pair<std::string, Value>> values) {
        Query request;
        request.table = table;
        request.index = index;
        request.key_condition = condition;
        request.bind = {{{"#e", "region"}}, std::move(values)};
        auto page = engine->query(request);
        EXPECT_TRUE(page) << page.error().message;
        return page ? *page : Page{};
    }
    std::int64_t indexed() { return engine->describe_table("T")->global_indexes.at(0).item_count; }
};

TEST_F(IndexKeysTest, ItemsAreFoundByAllHashAttributesInTheOrderOfTheRangeAttributes) {
    create(matches());
    put_some();
    EXPECT_EQ(in_region("EU"), "m6 m4 m3 m2 m1");
    EXPECT_EQ(in_region("US"), "m5");
    EXPECT_EQ(in_region("E"), "");
    EXPECT_EQ(in_region("EU", " AND round = :r", {{":r", 2}}), "m4 m3 m2");
    EXPECT_EQ(in_region("EU", " AND round >= :r", {{":r", 2}}), "m4 m3 m2 m1");
    EXPECT_EQ(in_region("EU", " AND round < :r", {{":r", 2}}), "m6");
    EXPECT_EQ(in_region("EU", " AND round BETWEEN :r AND :s", {{":r", -5}, {":s", 2}}),
              "m6 m4 m3 m2");
    EXPECT_EQ(
        in_region("EU", " AND round = :r AND begins_with(bracket, :b)", {{":r", 2}, {":b", "A"}}),
        "m4 m3");
    EXPECT_EQ(in_region("EU", " AND round = :r AND bracket = :b", {{":r", 2}, {":b", "A"}}), "m4");
    EXPECT_EQ(in_region("EU", " AND round = :r AND bracket = :b AND pk > :p",
                        {{":r", 2}, {":b", "A"}, {":p", "m4"}}),
              "");
}

TEST_F(IndexKeysTest, AnItemThatLacksAnyKeyAttributeIsNotInTheIndex) {
    create(matches());
    const auto whole = match("m", "EU", 1, "A");
    ASSERT_TRUE(engine->put(put("T", whole)));
    for (const std::string name : {"tournament", "region", "round", "bracket"}) {
        ASSERT_EQ(in_region("EU"), "m") << name;
        auto removal = update("T", {{"pk", "m"}}, "REMOVE #n");
        removal.bind.names = {{"#n", name}};
        ASSERT_TRUE(engine->update(removal));
        EXPECT_EQ(in_region("EU"), "") << name;
        EXPECT_EQ(indexed(), 0) << name;
        ASSERT_TRUE(engine->put(put("T", whole)));
    }
    auto moved = match("m", "US", 4, "A");
    ASSERT_TRUE(engine->put(put("T", moved)));
    EXPECT_EQ(in_region("EU"), "");
    EXPECT_EQ(in_region("US"), "m");
    EXPECT_EQ(indexed(), 1);
    DeleteItem erase;
    erase.table = "T";
    erase.key = {{"pk", "m"}};
    ASSERT_TRUE(engine->erase(erase));
    EXPECT_EQ(in_region("US"), "");
}

TEST_F(IndexKeysTest, AKeyAttributeOfAnotherTypeOrEmptyIsRefused) {
    create(matches());
    const auto refusal = [&](const std::string& name, const Value& value) {
        auto item = match("m", "EU", 1, "A");
        item.set(name, value);
        const auto put_result = engine->put(put("T", item));
        auto change = update("T", {{"pk", "m"}}, "SET #n = :v", {{":v", value}});
        change.bind.names = {{"#n", name}};
        const auto updated = engine->update(change);
        EXPECT_EQ(put_result ? "" : put_result.error().message,
                  updated ? "" : updated.error().message);
        return put_result ? "" : put_result.error().message;
    };
    const std::string type =
        "One or more parameter values were invalid: Type mismatch for Index Key ";
    EXPECT_EQ(refusal("region", Value(5)),
              type + "region Expected: S Actual: N IndexName: ByRegion");
    EXPECT_EQ(refusal("round", Value("5")),
              type + "round Expected: N Actual: S IndexName: ByRegion");
    EXPECT_EQ(refusal("bracket", Value::null()),
              type + "bracket Expected: S Actual: NULL IndexName: ByRegion");
    EXPECT_EQ(
        refusal("bracket", Value("")),
        "One or more parameter values are not valid. A value specified for a secondary index "
        "key is not supported. The AttributeValue for a key attribute cannot contain an empty "
        "string value. IndexName: ByRegion, IndexKey: bracket");
    const std::string size =
        "One or more parameter values were invalid: Size limit exceeded for Index Key ";
    EXPECT_EQ(refusal("region", Value(std::string(2049, 'x'))),
              size + "region Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: ByRegion");
    EXPECT_EQ(refusal("bracket", Value(std::string(1025, 'x'))),
              size + "bracket Actual Size: 1025 bytes Max Size: 1024 bytes IndexName: ByRegion");
    EXPECT_EQ(get("T", {{"pk", "m"}}), std::nullopt);
    EXPECT_EQ(refusal("region", Value(std::string(2048, 'x'))), "");
    EXPECT_EQ(refusal("bracket", Value(std::string(1024, 'x'))), "");
}

TEST_F(IndexKeysTest, ItemsThatWereThereWithLongerKeysAreLeftOutUntilTheyFit) {
    create(simple_table("T"));
    ASSERT_TRUE(engine->put(put("T", match("m1", "EU", 1, std::string(1025, 'x')))));
    ASSERT_TRUE(engine->put(put("T", match("m2", std::string(2049, 'x'), 1, "A"))));
    ASSERT_TRUE(engine->put(put("T", match("m3", "EU", 1, std::string(1024, 'x')))));
    ASSERT_TRUE(engine->update_table(add_index()));
    engine->finish_jobs();
    EXPECT_EQ(in_region("EU"), "m3");
    EXPECT_EQ(indexed(), 1);
    ASSERT_TRUE(engine->update(update("T", {{"pk", "m1"}}, "SET bracket = :b", {{":b", "A"}})));
    EXPECT_EQ(in_region("EU"), "m1 m3");
    EXPECT_EQ(indexed(), 2);
}

// An index that was filled before there was a limit has them.
TEST_F(IndexKeysTest, OldIndexesKeepLongerKeysUntilTheItemsGo) {
    create(simple_table("T"));
    ASSERT_TRUE(engine->put(put("T", match("m", "EU", 1, std::string(70'000, 'x')))));
    ASSERT_TRUE(engine->update_table(add_index()));
    engine->finish_jobs();
    forget_key_limits(kv, "T");
    reopen();
    engine->finish_jobs();
    EXPECT_EQ(in_region("EU"), "m");
    ASSERT_TRUE(engine->update(update("T", {{"pk", "m"}}, "SET bracket = :b", {{":b", "A"}})));
    EXPECT_EQ(in_region("EU", " AND round = :r AND bracket = :b", {{":r", 1}, {":b", "A"}}), "m");
    EXPECT_EQ(indexed(), 1);
}

TEST_F(IndexKeysTest, KeyAttributesAreAlwaysProjectedAndNeverFiltered) {
    create(matches(ProjectionKind::keys_only));
    put_some();
    Query request;
    request.table = "T";
    request.index = "ByRegion";
    request.key_condition = "tournament = :t AND #e = :e";
    request.bind = {{{"#e", "region"}}, {{":t", "W"}, {":e", "US"}}};
    EXPECT_EQ(engine->query(request)->items.at(0), match("m5", "US", 2, "A").erase("score"));

    const auto refusal = [&](const Query& one) {
        const auto page = engine->query(one);
        return page ? "" : page.error().message;
    };
    auto projected = request;
    projected.projection = "bracket, round, tournament, #e, pk";
    EXPECT_EQ(refusal(projected), "");
    projected.projection = "score";
    EXPECT_EQ(refusal(projected),
              "One or more parameter values were invalid: Global secondary index ByRegion does not "
              "project [score]");
    for (const std::string name : {"tournament", "region", "round", "bracket", "pk"}) {
        auto filtered = request;
        filtered.filter = "attribute_exists(#f)";
        filtered.bind.names.emplace_back("#f", name);
        EXPECT_EQ(refusal(filtered),
                  "Filter Expression can only contain non-primary key attributes: Primary key "
                  "attribute: " +
                      name);
    }
    auto consistent = request;
    consistent.consistent = true;
    EXPECT_EQ(refusal(consistent),
              "Consistent reads are not supported on global secondary indexes");
}

TEST_F(IndexKeysTest, AStartKeyHasAllKeyAttributesAndNoOthers) {
    create(matches());
    put_some();
    Query request;
    request.table = "T";
    request.index = "ByRegion";
    request.key_condition = "tournament = :t AND #e = :e";
    request.bind = {{{"#e", "region"}}, {{":t", "W"}, {":e", "EU"}}};
    request.limit = 2;
    const auto first = engine->query(request);
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(first->last_key);
    EXPECT_EQ(*first->last_key, match("m4", "EU", 2, "A").erase("score"));
    request.start_key = first->last_key;
    EXPECT_EQ(engine->query(request)->items.at(0).text("pk"), "m3");

    const auto refusal = [&](const Item& start) {
        request.start_key = start;
        const auto page = engine->query(request);
        return page ? "" : page.error().message;
    };
    const auto start = *first->last_key;
    for (const std::string name : {"tournament", "region", "round", "bracket"}) {
        EXPECT_EQ(refusal(Item(start).erase(name)), "The provided starting key is invalid") << name;
    }
    EXPECT_EQ(refusal(Item(start).set("score", Value(3))), "The provided starting key is invalid");
    EXPECT_EQ(refusal(Item(start).set("round", Value("2"))),
              "The provided starting key is invalid");
    EXPECT_EQ(refusal(Item(start).set("region", Value("US"))),
              "The provided starting key is outside query boundaries based on provided conditions");
}

TEST_F(IndexKeysTest, ConditionsAreCountedAgainstWhatTheyAreOn) {
    create(matches());
    const auto refusal = [&](const std::string& table, const std::string& index) {
        Query request;
        request.table = table;
        request.index = index;
        request.key_condition = "pk = :a AND tournament = :a AND bracket = :a";
        request.bind.values = {{":a", "a"}};
        const auto page = engine->query(request);
        return page ? "" : page.error().message;
    };
    EXPECT_EQ(refusal("T", ""), "Conditions can be of length 1 or 2 only");
    EXPECT_EQ(refusal("Nothing", ""), "Conditions can be of length 1 or 2 only");
    EXPECT_EQ(refusal("T", "ByRegion"),
              "HASH key attributes region must have equality conditions specified in the query");
}

TEST_F(IndexKeysTest, OnesThatCannotBeAreRefused) {
    auto request = simple_table("T");
    request.attributes = {{"pk", Kind::string}, {"a", Kind::string}, {"b", Kind::string},
                          {"c", Kind::string},  {"d", Kind::string}, {"e", Kind::string}};
    const auto refusal = [&](const KeySchema& keys, bool local) {
        auto wanted = request;
        (local ? wanted.local_indexes : wanted.global_indexes).push_back({"I", keys, {}, {}});
        const auto created = engine->create_table(wanted);
        return created ? "" : created.error().message;
    };
    const std::string too_many =
        "One or more parameter values were invalid: The KeySchema exceeds the maximum allowed "
        "number of ";
    const std::string too_big =
        "Key Schema too big.  Key Schema must at most consist of the hash and range key of a table";
    EXPECT_EQ(refusal({"a", "", {"b", "c", "d", "e"}}, false), too_many + "HASH key attributes");
    EXPECT_EQ(refusal({"pk", "a", {}, {"b", "c", "d", "e"}}, false),
              too_many + "RANGE key attributes");
    EXPECT_EQ(refusal({"a", "b", {"c"}, {"a"}}, false),
              "The KeySchema contains multiple key attributes with the same name");
    EXPECT_EQ(
        refusal({"a", "b", {"x"}}, false),
        "One or more parameter values were invalid: Some index key attributes are not defined "
        "in AttributeDefinitions. Keys: [x]");
    EXPECT_EQ(refusal({"pk", "a", {}, {"b"}}, true), too_big);
    request.keys = {"pk", "", {"a"}};
    EXPECT_EQ(engine->create_table(request).error().message, too_big);
}

TEST_F(IndexKeysTest, OneAddedLaterIsFilledWhileWritesGoOnAndAfterACrash) {
    create(simple_table("T"));
    for (int i = 0; i < 2000; ++i) {
        auto item = match("k" + std::to_string(i), i % 2 ? "EU" : "US", i, "A");
        if (i % 10 == 0) item.set("round", Value("not a number"));
        if (i % 10 == 1) item.erase("bracket");
        ASSERT_TRUE(engine->put(put("T", item)));
    }
    std::thread writer([&] {
        for (int i = 0; i < 300; ++i) {
            const auto pk = "k" + std::to_string(i * 5 + 2);
            EXPECT_TRUE(engine->update(update("T", {{"pk", pk}}, "REMOVE tournament")));
        }
    });
    ASSERT_TRUE(engine->update_table(add_index()));
    writer.join();
    kv.crash();
    engine.reset();
    kv.restart();
    reopen();
    engine->finish_jobs();
    std::set<std::string> wanted, found;
    for (int i = 0; i < 2000; ++i) {
        const bool removed = i % 5 == 2 && i < 1500;
        if (i % 10 > 1 && !removed) wanted.insert("k" + std::to_string(i));
    }
    for (const auto* region : {"EU", "US"}) {
        const auto page =
            query("T", "ByRegion", "tournament = :t AND #e = :e", {{":t", "W"}, {":e", region}});
        for (const auto& item : page.items) found.emplace(*item.text("pk"));
    }
    EXPECT_EQ(found, wanted);
    EXPECT_EQ(indexed(), static_cast<std::int64_t>(wanted.size()));
}

TEST_F(IndexKeysTest, OneThatIsDroppedIsGoneWithItsAttributes) {
    create(matches());
    put_some();
    UpdateTable drop;
    drop.name = "T";
    drop.delete_index = "ByRegion";
    ASSERT_TRUE(engine->update_table(drop));
    engine->finish_jobs();
    EXPECT_EQ(engine->describe_table("T")->attributes.size(), 1u);
    EXPECT_TRUE(engine->put(put("T", {{"pk", "m1"}, {"round", "any"}, {"region", 5}})))
        << "no index minds the types any more";
    ASSERT_TRUE(engine->update_table(add_index()));
    engine->finish_jobs();
    EXPECT_EQ(in_region("EU"), "m6 m4 m3 m2");
}

TEST_F(IndexKeysTest, RestoresKeepThemUnlessToldOtherwise) {
    create(matches());
    ASSERT_TRUE(engine->backups().set_continuous("T", {true, 35}));
    put_some();
    const auto backup = engine->backups().create({"T", "b"});
    ASSERT_TRUE(backup) << backup.error().message;
    engine->finish_jobs();
    clock.advance(std::chrono::seconds(10));
    ASSERT_TRUE(engine->put(put("T", match("m1", "US", 1, "A"))));
    EXPECT_EQ(engine->backups().describe(backup->arn)->source.global_indexes.at(0).spec.keys,
              by_region().keys);

    RestoreOverrides without;
    without.global_indexes = std::vector<std::string>();
    ASSERT_TRUE(engine->backups().restore(RestoreBackup{backup->arn, "Whole", {}}));
    ASSERT_TRUE(engine->backups().restore(RestoreBackup{backup->arn, "Bare", without}));
    RestoreToTime moment;
    moment.source = "T";
    moment.target = "Moment";
    moment.at = clock.now() - std::chrono::seconds(5);
    ASSERT_TRUE(engine->backups().restore(moment));
    engine->finish_jobs();
    reopen();
    for (const auto* table : {"Whole", "Moment"}) {
        const auto description = engine->describe_table(table);
        EXPECT_EQ(description->global_indexes.at(0).spec.keys, by_region().keys);
        EXPECT_EQ(description->global_indexes[0].item_count, 6);
        EXPECT_EQ(query(table, "ByRegion", "tournament = :t AND #e = :e AND round > :r",
                        {{":t", "W"}, {":e", "EU"}, {":r", 2}})
                      .items.at(0)
                      .text("pk"),
                  "m1");
    }
    EXPECT_TRUE(engine->describe_table("Bare")->global_indexes.empty());
    EXPECT_EQ(engine->describe_table("Bare")->attributes.size(), 1u);
}

TEST_F(IndexKeysTest, RestoresBringBackItemsThatDoNotFitThem) {
    create(simple_table("T"));
    ASSERT_TRUE(engine->backups().set_continuous("T", {true, 35}));
    const std::vector<Item> items{
        match("fits", "EU", 1, "A"), match("type", "EU", 1, "A").set("round", Value("1")),
        match("empty", "EU", 1, ""), match("long", "EU", 1, std::string(70'000, 'x'))};
    for (const auto& item : items) ASSERT_TRUE(engine->put(put("T", item)));
    clock.advance(std::chrono::seconds(10));
    const RestoreToTime before_index{"T", "Moment", clock.now() - std::chrono::seconds(5), {}};
    ASSERT_TRUE(engine->update_table(add_index()));
    engine->finish_jobs();
    EXPECT_EQ(in_region("EU"), "fits");
    const auto backup = engine->backups().create({"T", "b"});
    ASSERT_TRUE(backup) << backup.error().message;
    engine->finish_jobs();
    // Now the history has what they were before.
    for (const auto& item : items) {
        ASSERT_TRUE(engine->put(put("T", {{"pk", *item.text("pk")}})));
    }
    ASSERT_TRUE(engine->backups().restore(RestoreBackup{backup->arn, "Copy", {}}));
    ASSERT_TRUE(engine->backups().restore(before_index));
    engine->finish_jobs();
    for (const auto* table : {"Copy", "Moment"}) {
        SCOPED_TRACE(table);
        EXPECT_EQ(engine->describe_table(table)->status, TableStatus::active);
        EXPECT_EQ(engine->describe_table(table)->item_count, 4);
        for (const auto& item : items) {
            EXPECT_EQ(get(table, {{"pk", *item.text("pk")}}), item);
        }
        EXPECT_EQ(in_region("EU", "", {}, table), "fits");
        EXPECT_EQ(engine->describe_table(table)->global_indexes.at(0).item_count, 1);
    }
}

TEST_F(IndexKeysTest, StreamsShowTheKeyOfTheTable) {
    auto request = matches();
    request.stream = {true, StreamView::keys_only};
    create(request);
    ASSERT_TRUE(engine->put(put("T", match("m1", "EU", 1, "A"))));
    const auto stream = engine->streams().describe(engine->describe_table("T")->stream_arn);
    ASSERT_TRUE(stream) << stream.error().message;
    EXPECT_EQ(stream->keys, (KeySchema{"pk", ""}));
    const auto from = engine->streams().iterator(
        {stream->summary.arn, stream->shard, StreamStart::trim_horizon, ""});
    ASSERT_TRUE(from) << from.error().message;
    const auto page = engine->streams().records(*from, 10);
    ASSERT_EQ(page->records.size(), 1u);
    EXPECT_EQ(page->records[0].keys, (Item{{"pk", "m1"}}));
}

}  // namespace
}  // namespace mailroom::table
