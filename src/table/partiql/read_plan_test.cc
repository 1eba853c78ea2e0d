#include "table/partiql/read_plan.h"

#include "table/partiql/executor.h"
#include "table/partiql/partiql_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table::partiql {
namespace {

using testing::music;
using testing::RecordingStore;
using testing::shown;

// The requests that the statement becomes, one per line, or the refusal.
std::string asked(const std::string& text, std::vector<Value> parameters = {},
                  bool consistent = false) {
    RecordingStore store(music());
    Statement statement{text, std::move(parameters)};
    statement.consistent = consistent;
    const auto result = Executor(store).execute(statement);
    if (!result) return "refused: " + result.error().message;
    std::string lines;
    for (const auto& line : store.asked) lines += (lines.empty() ? "" : "\n") + line;
    return lines;
}

TEST(PartiqlReadPlan, ReadsByTheBestKeyThatTheWhereClauseGives) {
    struct Case {
        std::string text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"SELECT * FROM Music", "scan Music"},
        {"SELECT Song, Price FROM Music", "scan Music show[Song, Price]"},
        {"SELECT * FROM Music WHERE Price > 3", "scan Music filter[Price > 3]"},
        {"SELECT * FROM Music WHERE Song = 'a'", "scan Music filter[Song = 'a']"},
        {"SELECT * FROM Music WHERE Artist > 'a'", "scan Music filter[Artist > 'a']"},
        {"SELECT * FROM Music WHERE Artist = 'a' OR Price = 1", "scan Music filter[Artist = 'a' OR Price = 1]"},
        {"SELECT * FROM Music WHERE Artist = 'a'", "query Music key[Artist = 'a']"},
        {"SELECT * FROM Music WHERE 'a' = Artist", "query Music key[Artist = 'a']"},
        {"SELECT * FROM Music WHERE Artist = 'a' AND Price = 1", "query Music key[Artist = 'a'] filter[Price = 1]"},
        {"SELECT * FROM Music WHERE (Artist = 'a' AND (Price = 1 OR Price = 2)) AND Tags.x[1] = true", "query Music key[Artist = 'a'] filter[(Price = 1 OR Price = 2) AND Tags.x[1] = true]"},
        {"SELECT * FROM Music WHERE Artist = 'a' AND Song = 'b'", "get Music {Artist: 'a', Song: 'b'}"},
        {"SELECT Price FROM Music WHERE Song = 'b' AND Artist = 'a'", "get Music {Artist: 'a', Song: 'b'} show[Price]"},
        {"SELECT Price FROM Music WHERE Song = 'b' AND Artist = 'a' AND Year = 1", "get Music {Artist: 'a', Song: 'b'} show[Price, Year]"},
        {"SELECT Tags.x[0] FROM Music WHERE Artist = 'a'", "query Music key[Artist = 'a'] show[Tags]"},
        {"SELECT * FROM Music WHERE Artist = 'a' AND Song > 'b'", "query Music key[Artist = 'a' AND Song > 'b']"},
        {"SELECT * FROM Music WHERE Artist = 'a' AND begins_with(Song, 'b')", "query Music key[Artist = 'a' AND begins_with(Song, 'b')]"},
        {"SELECT * FROM Music WHERE Artist = 'a' AND Song BETWEEN 'b' AND 'c'", "query Music key[Artist = 'a' AND Song BETWEEN 'b' AND 'c']"},
        {"SELECT * FROM Music WHERE Artist = 'a' AND Song >= 'b' AND Song <= 'c'", "query Music key[Artist = 'a' AND Song BETWEEN 'b' AND 'c']"},
        // What is said of the key beyond the key condition is not sent: a filter must not have it.
        {"SELECT * FROM Music WHERE Artist = 'a' AND Song >= 'c' AND Song <= 'b'", "query Music key[Artist = 'a' AND Song >= 'c']"},
        {"SELECT Price FROM Music WHERE Artist = 'a' AND Song <> 'b' AND Year = 2", "query Music key[Artist = 'a'] filter[Year = 2] show[Price, Song]"},
        {"SELECT * FROM Music WHERE Artist = 'a' AND Song > 'b' AND Song < 'c'", "query Music key[Artist = 'a' AND Song > 'b']"},
        {"SELECT * FROM Music WHERE Artist IN ['a', 'b', 'a']", "query Music key[Artist = 'a']\nquery Music key[Artist = 'b']"},
        {"SELECT * FROM Music WHERE (Artist = 'b' OR Artist = 'a') AND Song = 'x' AND Price = 1", "query Music key[Artist = 'b' AND Song = 'x'] filter[Price = 1]\nquery Music key[Artist = 'a' AND Song = 'x'] filter[Price = 1]"},
        {"SELECT * FROM Music WHERE Artist = 'a' ORDER BY Song DESC", "query Music key[Artist = 'a'] backward"},
        {"SELECT * FROM Music WHERE Artist = 'a' ORDER BY Song", "query Music key[Artist = 'a']"},
        {"SELECT * FROM Music WHERE Artist IN ['a', 'c', 'b'] ORDER BY Artist DESC, Song DESC", "query Music key[Artist = 'c'] backward\nquery Music key[Artist = 'b'] backward\nquery Music key[Artist = 'a'] backward"},
        {R"(SELECT * FROM "Music"."ByGenre")", "scan Music.ByGenre"},
        {R"(SELECT * FROM "Music"."ByGenre" WHERE Artist = 'a')", "scan Music.ByGenre filter[Artist = 'a']"},
        {R"(SELECT Year FROM "Music"."ByGenre" WHERE Genre = 'g' AND Price > 1 AND Artist = 'a')", "query Music.ByGenre key[Genre = 'g' AND Price > 1] filter[Artist = 'a'] show[Year]"},
        {R"(SELECT * FROM "Music"."ByGenre" WHERE Genre = 'g' AND Price = 1)", "query Music.ByGenre key[Genre = 'g' AND Price = 1]"},
        {R"(SELECT Other FROM "Music"."ByYear" WHERE Artist = 'a' AND Year < 3)", "query Music.ByYear key[Artist = 'a' AND Year < 3] show[Other]"},
        {R"(SELECT * FROM "Music"."ByYear" WHERE Other = 1)", "scan Music.ByYear filter[Other = 1]"},
    };
    // clang-format on
    for (const auto& c : cases) EXPECT_EQ(asked(c.text), c.want) << c.text;
}

TEST(PartiqlReadPlan, PassesConsistencyOn) {
    EXPECT_EQ(asked("SELECT * FROM Music", {}, true), "scan Music consistent");
    EXPECT_EQ(asked("SELECT * FROM Music WHERE Artist = ?", {"a"}, true),
              "query Music key[Artist = 'a'] consistent");
    EXPECT_EQ(asked("SELECT * FROM Music WHERE Artist = ? AND Song = ?", {"a", "b"}, true),
              "get Music {Artist: 'a', Song: 'b'} consistent");
}

TEST(PartiqlReadPlan, RefusesInDynamoDbsWords) {
    struct Case {
        std::string text, want;
        bool consistent = false;
    };
    std::string many = "SELECT * FROM Music WHERE Artist IN ['0'";
    for (int i = 1; i <= 50; ++i) many += ", '" + std::to_string(i) + "'";
    // clang-format off
    const Case cases[] = {
        {"SELECT * FROM Nothing", "Requested resource not found"},
        {R"(SELECT * FROM "Music"."Nothing")", "The table does not have the specified index"},
        {R"(SELECT * FROM "Music"."ByGenre")", "Strongly consistent read is not supported on Global Secondary Indexes", true},
        {R"(SELECT Other, Song, More FROM "Music"."ByGenre")", "One or more parameter values were invalid: Global secondary index ByGenre does not project [Other, More]"},
        {R"(SELECT Song FROM "Music"."ByGenre" WHERE Genre = 'g' AND (Other = 1 OR More = 2))", "One or more parameter values were invalid: Secondary index ByGenre does not project one or more filter attributes: [Other, More]"},
        {R"(SELECT Song FROM "Music"."ByYear" WHERE Artist = 'g' AND Other IS MISSING)", "One or more parameter values were invalid: Secondary index ByYear does not project one or more filter attributes: [Other]"},
        {"SELECT * FROM Music WHERE Artist = 1", "Key attribute's data type should match its data type in table's schema: Key Artist"},
        {"SELECT * FROM Music ORDER BY Song", "Must have WHERE clause in the statement when using ORDER BY clause."},
        {"SELECT * FROM Music WHERE Price = 1 ORDER BY Song", "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."},
        {"SELECT * FROM Music WHERE Artist = 'a' ORDER BY Price", "Variable reference Price in ORDER BY clause must be part of the primary key"},
        {"SELECT * FROM Music WHERE Artist IN ['a', 'b'] ORDER BY Song", "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."},
        {many + "]", "Too many decomposed read operations for a given query."},
        {"SELECT * FROM Music WHERE Artist = 'a' AND Song >= 'b' AND Song > true", "Incorrect operand type for operator or function; operator or function: >, operand type: BOOL"},
    };
    // clang-format on
    for (const auto& c : cases) {
        EXPECT_EQ(asked(c.text, {}, c.consistent), "refused: " + c.want) << c.text;
    }
}

Page page(std::vector<Item> items, std::optional<Item> last_key = std::nullopt) {
    Page page;
    page.count = page.scanned_count = items.size();
    page.items = std::move(items);
    page.last_key = std::move(last_key);
    return page;
}

TEST(PartiqlReadPlan, AppliesWhatTheRequestCannotCarryToItsAnswer) {
    RecordingStore store(music());
    store.pages.push_back(
        page({Item{{"Song", "a"}, {"Tags", Value::list({1, 2})}},
              Item{{"Song", "b"}, {"Tags", Value::list({3, 4})}}, Item{{"Song", "c"}}}));
    const auto result = Executor(store).execute(
        {"SELECT Tags[1], Price FROM Music WHERE Artist = 'x' AND Song <> 'a'"});
    ASSERT_TRUE(result);
    EXPECT_EQ(shown(result->items), "{Tags[1]: 4} {}");
    EXPECT_EQ(store.asked.at(0), "query Music key[Artist = 'x'] show[Tags, Price, Song]");

    store.item = Item{{"Artist", "a"}, {"Song", "b"}, {"m", Value::map(Item{{"k", 1}})}};
    const auto hit = Executor(store).execute(
        {"SELECT m.k FROM Music WHERE Artist = 'a' AND Song = 'b' AND m.k = 1"});
    ASSERT_TRUE(hit);
    EXPECT_EQ(shown(hit->items), "{k: 1}");
    const auto miss = Executor(store).execute(
        {"SELECT m.k FROM Music WHERE Artist = 'a' AND Song = 'b' AND m.k = 2"});
    ASSERT_TRUE(miss);
    EXPECT_TRUE(miss->items.empty());
}

TEST(PartiqlReadPlan, GoesOnFromPartitionToPartitionWithinTheLimit) {
    RecordingStore store(music());
    const Item key{{"Artist", "a"}, {"Song", "2"}};
    store.pages.push_back(page({Item{{"Song", "1"}}, Item{{"Song", "2"}}}, key));
    Statement statement{"SELECT Song FROM Music WHERE Artist IN (?, ?, ?)", {"a", "b", "c"}};
    statement.limit = 2;
    auto first = Executor(store).execute(statement);
    ASSERT_TRUE(first);
    EXPECT_EQ(shown(first->items), "{Song: '1'} {Song: '2'}");
    EXPECT_EQ(first->last_key, key);
    ASSERT_TRUE(first->next_token);

    store.pages.push_back(page({Item{{"Song", "3"}}}));
    store.pages.push_back(page({Item{{"Song", "4"}}}));
    statement.next_token = first->next_token;
    auto second = Executor(store).execute(statement);
    ASSERT_TRUE(second);
    EXPECT_EQ(shown(second->items), "{Song: '3'} {Song: '4'}");
    EXPECT_FALSE(second->last_key);
    ASSERT_TRUE(second->next_token);

    statement.next_token = second->next_token;
    auto third = Executor(store).execute(statement);
    ASSERT_TRUE(third);
    EXPECT_FALSE(third->next_token);
    const std::vector<std::string> want = {
        "query Music key[Artist = 'a'] show[Song] limit 2",
        "query Music key[Artist = 'a'] show[Song] limit 2 after {Artist: 'a', Song: '2'}",
        "query Music key[Artist = 'b'] show[Song] limit 1",
        "query Music key[Artist = 'c'] show[Song] limit 2",
    };
    EXPECT_EQ(store.asked, want);
}

TEST(PartiqlReadPlan, EndsAPageOfSeveralPartitionsBySize) {
    RecordingStore store(music());
    store.pages.push_back(page({Item{{"x", std::string(page_bytes_max, 'x')}}}));
    const auto result = Executor(store).execute({"SELECT * FROM Music WHERE Artist IN ['a', 'b']"});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->items.size(), 1u);
    EXPECT_TRUE(result->next_token);
    EXPECT_EQ(store.asked.size(), 1u);
}

TEST(PartiqlReadPlan, RefusesTokensOfOtherStatementsAndLimitsBelowOne) {
    RecordingStore store(music());
    store.pages.push_back(page({Item{{"Song", "1"}}}, Item{{"Artist", "a"}, {"Song", "1"}}));
    Executor executor(store);
    const auto first = executor.execute({"SELECT * FROM Music WHERE Artist = ?", {"a"}});
    ASSERT_TRUE(first && first->next_token);
    struct Case {
        Statement statement;
        std::string want;
    };
    const auto& token = first->next_token;
    const Case cases[] = {
        {{"SELECT * FROM Music WHERE Artist = ?", {"b"}, token},
         "NextToken does not match request"},
        {{"SELECT * FROM Music", {}, token}, "NextToken does not match request"},
        {{"DELETE FROM Music WHERE Artist = 'a' AND Song = 'b'", {}, token},
         "NextToken does not match request"},
        {{"SELECT * FROM Music", {}, "garbage"}, "Invalid NextToken"},
        {{"SELECT * FROM Music", {}, std::nullopt, 0},
         "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member "
         "must have value greater than or equal to 1"},
    };
    for (const auto& c : cases) {
        const auto result = executor.execute(c.statement);
        ASSERT_FALSE(result) << c.statement.text;
        EXPECT_EQ(result.error().message, c.want) << c.statement.text;
    }
    EXPECT_EQ(store.asked.size(), 1u);
}

}  // namespace
}  // namespace mailroom::table::partiql
