// SELECT on an index whose key has several attributes.
#include "table/engine/engine_fixture.h"
#include "table/partiql/executor.h"
#include "table/partiql/partiql_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table::partiql {
namespace {

using testing::RecordingStore;

// Table `Matches`: hash `Id`; index `ByRegion` of `Cup`, `Land` and `Round`, `Side`, `Id`; projects
// its keys and `Score`.
TableDescription matches() {
    TableDescription table;
    table.name = "Matches";
    table.keys = {"Id", ""};
    table.attributes = {{"Id", Kind::string},
                        {"Cup", Kind::string},
                        {"Land", Kind::string},
                        {"Round", Kind::number},
                        {"Side", Kind::string}};
    IndexDescription index;
    index.spec = {"ByRegion",
                  {"Cup", "Round", {"Land"}, {"Side", "Id"}},
                  {ProjectionKind::include, {"Score"}},
                  {}};
    table.global_indexes.push_back(index);
    return table;
}

// The requests that a SELECT from the index becomes, one per line, or the refusal.
std::string asked_of_index(const std::string& rest, const std::string& columns = "*") {
    RecordingStore store(matches());
    const Statement statement{"SELECT " + columns + R"( FROM "Matches"."ByRegion")" + rest, {}};
    const auto result = Executor(store).execute(statement);
    if (!result) return "refused: " + result.error().message;
    std::string lines;
    for (const auto& line : store.asked) lines += (lines.empty() ? "" : "\n") + line;
    return lines;
}

TEST(PartiqlIndexKeys, ReadByTheBestPartOfTheKeyThatTheWhereClauseGives) {
    struct Case {
        std::string rest, want;
    };
    const std::string scan = "scan Matches.ByRegion";
    const std::string query = "query Matches.ByRegion key[Cup = 'w' AND Land = 'e'";
    // clang-format off
    const Case cases[] = {
        {"", scan},
        {" WHERE Cup = 'w'", scan + " filter[Cup = 'w']"},
        {" WHERE Cup = 'w' AND Land > 'e'", scan + " filter[Cup = 'w' AND Land > 'e']"},
        {" WHERE Cup = 'w' AND Round = 1", scan + " filter[Cup = 'w' AND Round = 1]"},
        {" WHERE Cup = 'w' AND Land = 'e'", query + "]"},
        {" WHERE Land = 'e' AND Cup = 'w'", query + "]"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Round = 1", query + " AND Round = 1]"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Side > 'a' AND Round = 1", query + " AND Round = 1 AND Side > 'a']"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Id = 'i' AND Side = 'a' AND Round = 1", query + " AND Round = 1 AND Side = 'a' AND Id = 'i']"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Round >= 1 AND Round <= 3", query + " AND Round BETWEEN 1 AND 3]"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Round = 1 AND begins_with(Side, 'a')", query + " AND Round = 1 AND begins_with(Side, 'a')]"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Round = 1 AND Score = 2", query + " AND Round = 1] filter[Score = 2]"},
        // What the key condition cannot say of the key is looked at afterwards.
        {" WHERE Cup = 'w' AND Land = 'e' AND Side = 'a'", query + "]"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Round > 1 AND Side = 'a'", query + " AND Round > 1]"},
        {" WHERE Cup = 'w' AND Land IN ['e', 'f'] AND Round = 1", query + " AND Round = 1]\nquery Matches.ByRegion key[Cup = 'w' AND Land = 'f' AND Round = 1]"},
        {" WHERE Cup IN ['w', 'v'] AND Land IN ['e', 'd'] ORDER BY Cup, Land DESC",
         "query Matches.ByRegion key[Cup = 'v' AND Land = 'e']\nquery Matches.ByRegion key[Cup = 'v' AND Land = 'd']\n"
         "query Matches.ByRegion key[Cup = 'w' AND Land = 'e']\nquery Matches.ByRegion key[Cup = 'w' AND Land = 'd']"},
        {" WHERE Cup = 'w' AND Land = 'e' ORDER BY Round DESC", query + "] backward"},
        {" WHERE Cup = 'w' AND Land = 'e' ORDER BY Round DESC, Side DESC", query + "] backward"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Round = 1 ORDER BY Side DESC", query + " AND Round = 1] backward"},
        {" WHERE Cup = 'w' AND Land = 'e' AND Round = 1 ORDER BY Round DESC, Side", query + " AND Round = 1]"},
    };
    // clang-format on
    for (const auto& c : cases) EXPECT_EQ(asked_of_index(c.rest), c.want) << c.rest;
}

TEST(PartiqlIndexKeys, AreRefusedWhereTheOrderOrTheTypesDoNotFit) {
    const std::string order =
        "refused: Variable references in ORDER BY clause must be the first ones of the sort key, "
        "all ascending or all descending";
    const std::string where = " WHERE Cup = 'w' AND Land = 'e'";
    EXPECT_EQ(asked_of_index(where + " ORDER BY Side"), order);
    EXPECT_EQ(asked_of_index(where + " ORDER BY Round, Side DESC"), order);
    EXPECT_EQ(asked_of_index(where + " AND Round > 1 ORDER BY Side"), order);
    EXPECT_EQ(
        asked_of_index(" WHERE Cup = 'w' ORDER BY Round"),
        "refused: Must have at least one non-optional hash key condition in WHERE clause when "
        "using ORDER BY clause.");
    EXPECT_EQ(
        asked_of_index(" WHERE Cup = 'w' AND Land IN ['e', 'f'] ORDER BY Cup"),
        "refused: Must have hash key in ORDER BY clause when more than one hash key condition "
        "specified in WHERE clause.");
    EXPECT_EQ(
        asked_of_index(" WHERE Cup = 'w' AND Land = 5"),
        "refused: Key attribute's data type should match its data type in table's schema: Key "
        "Land");
    EXPECT_EQ(
        asked_of_index(where + " AND Round = 'x'"),
        "refused: Key attribute's data type should match its data type in table's schema: Key "
        "Round");
    EXPECT_EQ(asked_of_index(where, "Side, Score, Other"),
              "refused: One or more parameter values were invalid: Global secondary index ByRegion "
              "does not project [Other]");
    std::string many = " WHERE Cup IN ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] AND Land IN ['0'";
    for (int i = 1; i <= 6; ++i) many += ", '" + std::to_string(i) + "'";
    EXPECT_EQ(asked_of_index(many + "]"),
              "refused: Too many decomposed read operations for a given query.");
}

class PartiqlIndexKeysOnTheEngine : public EngineTest {
protected:
    void SetUp() override {
        options.commit_mode = kv::Committer::Mode::immediate;
        EngineTest::SetUp();
        CreateTable request;
        request.name = "Matches";
        request.attributes = {{"Id", Kind::string}};
        request.keys = matches().keys;
        ASSERT_TRUE(engine->create_table(request));
    }
    void add_index() {
        UpdateTable change;
        change.name = "Matches";
        change.attributes = matches().attributes;
        change.create_index = matches().global_indexes[0].spec;
        ASSERT_TRUE(engine->update_table(change));
        engine->finish_jobs();
    }
};

TEST_F(PartiqlIndexKeysOnTheEngine, AKeyThatIsTooLargeForATokenIsSaidAndNoCrash) {
    PutItem request;
    request.table = "Matches";
    for (const std::string id : {"a", "b"}) {
        request.item = {{"Id", id},
                        {"Cup", "w"},
                        {"Land", "e"},
                        {"Round", 1},
                        {"Side", std::string(70'000, 's')}};
        ASSERT_TRUE(engine->put(request));
    }
    add_index();
    forget_key_limits(kv, "Matches");
    reopen();
    engine->finish_jobs();
    Statement read{R"(SELECT Id FROM "Matches"."ByRegion" WHERE Cup = 'w' AND Land = 'e')"};
    EXPECT_EQ(Executor(*engine).execute(read)->items.size(), 2u);
    read.limit = 1;
    EXPECT_EQ(Executor(*engine).execute(read).error().message,
              "The key at which the page ends is too large for a NextToken");
}

TEST_F(PartiqlIndexKeysOnTheEngine, EverythingIsReadOnceInOrderPageByPage) {
    add_index();
    Executor executor(*engine);
    for (int i = 0; i < 24; ++i) {
        const auto inserted = executor.execute(
            {"INSERT INTO Matches VALUE {'Id': ?, 'Cup': 'w', 'Land': ?, 'Round': ?, 'Side': ?}",
             {"m" + std::to_string(10 + i), i % 2 ? "e" : "f", i / 6, i % 3 ? "a" : "b"}});
        ASSERT_TRUE(inserted) << inserted.error().message;
    }
    Statement read;
    read.text = R"(SELECT Id FROM "Matches"."ByRegion" WHERE Cup = 'w' AND Land IN ['e', 'f'] )"
                R"(AND Round = 1 AND Side >= 'a' ORDER BY Land DESC, Side DESC)";
    read.limit = 2;
    std::string ids;
    for (int page = 0; page < 20; ++page) {
        const auto result = executor.execute(read);
        ASSERT_TRUE(result) << result.error().message;
        for (const auto& item : result->items) ids += std::string(*item.text("Id")) + " ";
        if (!result->next_token) break;
        read.next_token = result->next_token;
    }
    EXPECT_EQ(ids, "m16 m20 m18 m19 m21 m17 ");
}

}  // namespace
}  // namespace mailroom::table::partiql
