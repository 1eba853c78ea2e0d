#include "table/partiql/write_plan.h"

#include "table/partiql/executor.h"
#include "table/partiql/partiql_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table::partiql {
namespace {

using testing::music;
using testing::RecordingStore;
using testing::shown;

std::string asked(const std::string& text,
                  OnConditionFailure on_failure = OnConditionFailure::none) {
    RecordingStore store(music());
    Statement statement{text};
    statement.on_failure = on_failure;
    const auto result = Executor(store).execute(statement);
    if (!result) return "refused: " + result.error().message;
    return store.asked.at(0);
}

TEST(PartiqlWritePlan, BecomesOneConditionalRequest) {
    struct Case {
        std::string text, want;
    };
    // clang-format off
    const Case cases[] = {
        {"INSERT INTO Music VALUE {'Artist': 'a', 'Song': 'b'}", "put Music {Artist: 'a', Song: 'b'} if[attribute_not_exists(Artist)]"},
        {"UPDATE Music SET x = 1 WHERE Artist = 'a' AND Song = 'b'", "update Music {Artist: 'a', Song: 'b'} do[SET x = 1] if[attribute_exists(Artist)]"},
        {"UPDATE Music SET x = x + 1 REMOVE y.z[1] WHERE (Artist = 'a' AND Song = 'b') AND x < 3", "update Music {Artist: 'a', Song: 'b'} do[SET x = x + 1 REMOVE y.z[1]] if[attribute_exists(Artist) AND (x < 3)]"},
        {"UPDATE Music SET x = 1 WHERE Artist = 'a' AND Song = 'b' AND (p = 1 OR q = 2) RETURNING MODIFIED NEW *", "update Music {Artist: 'a', Song: 'b'} do[SET x = 1] if[attribute_exists(Artist) AND (p = 1 OR q = 2)] returning 4"},
        {"UPDATE Music SET x = 1 WHERE Artist = 'a' AND Song = 'b' AND Artist = 'a' AND attribute_not_exists(Artist)", "update Music {Artist: 'a', Song: 'b'} do[SET x = 1] if[attribute_exists(Artist) AND (attribute_not_exists(Artist))]"},
        {"UPDATE Music SET x = 1 WHERE Artist = 'a' AND Song = 'b' AND Song > 'a'", "update Music {Artist: 'a', Song: 'b'} do[SET x = 1] if[attribute_exists(Artist) AND (Song > 'a')]"},
        {"DELETE FROM Music WHERE Artist = 'a' AND Song = 'b'", "delete Music {Artist: 'a', Song: 'b'}"},
        {"DELETE FROM Music WHERE Artist = 'a' AND Song = 'b' AND x = 1 RETURNING ALL OLD *", "delete Music {Artist: 'a', Song: 'b'} if[attribute_not_exists(Artist) OR (x = 1)] returning 1"},
    };
    // clang-format on
    for (const auto& c : cases) EXPECT_EQ(asked(c.text), c.want) << c.text;
    EXPECT_EQ(asked("DELETE FROM Music WHERE Artist = 'a' AND Song = 'b' AND x = 1",
                    OnConditionFailure::all_old),
              "delete Music {Artist: 'a', Song: 'b'} if[attribute_not_exists(Artist) OR (x = 1)] "
              "shows refused");
}

TEST(PartiqlWritePlan, RefusesAttributesWithoutAName) {
    EXPECT_EQ(asked("INSERT INTO Music VALUE {'Artist': 'a', 'Song': 'b', '': 1}"),
              "refused: One or more parameter values were invalid: Empty attribute name");
    EXPECT_EQ(asked("UPDATE Music SET \"\" = 1 WHERE Artist = 'a' AND Song = 'b'"),
              "refused: Path component cannot be an empty string");
}

TEST(PartiqlWritePlan, RefusesAWhereClauseThatNamesNoSingleItem) {
    struct Case {
        std::string where, want;
    };
    const std::string incomplete =
        "Where clause does not contain a mandatory equality on all key attributes";
    const Case cases[] = {
        {"", incomplete},
        {" WHERE Artist = 'a'", incomplete},
        {" WHERE Song = 'a'", incomplete},
        {" WHERE Artist = 'a' AND Song > 'b'", incomplete},
        {" WHERE Artist = 'a' OR Song = 'b'", incomplete},
        {" WHERE Artist IN ['a', 'b'] AND Song = 'b'", incomplete},
        {" WHERE NOT (Artist = 'a') AND Song = 'b'", incomplete},
        {" WHERE Artist.x = 'a' AND Song = 'b'", incomplete},
        {" WHERE Artist = 'a' AND Song = 'b' AND Song = 'c'",
         "Multiple conditions on same key Song. Only single item Update/Insert/Delete are "
         "supported"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(asked("UPDATE Music SET x = 1" + c.where), "refused: " + c.want) << c.where;
        EXPECT_EQ(asked("DELETE FROM Music" + c.where), "refused: " + c.want) << c.where;
    }
    EXPECT_EQ(asked("EXISTS(SELECT * FROM Music WHERE Artist = 'a' AND Song = 'b' AND x = 1)"),
              "refused: EXISTS can only be used in ExecuteTransaction write requests.");
}

TEST(PartiqlWritePlan, AnswersAsTheStatementsAuthorUnderstandsIt) {
    RecordingStore store(music());
    Executor executor(store);
    const Statement insert{"INSERT INTO Music VALUE {'Artist': 'a', 'Song': 'b'}"};
    const Statement update{"UPDATE Music SET x = 1 WHERE Artist = 'a' AND Song = 'b'"};

    store.refusal = Failure{Fault::conditional_check_failed, "The conditional request failed"};
    EXPECT_EQ(executor.execute(insert).error().fault, Fault::duplicate_item);
    EXPECT_EQ(executor.execute(insert).error().message, "Duplicate primary key exists in table");
    EXPECT_EQ(executor.execute(update).error().fault, Fault::conditional_check_failed);

    store.refusal = invalid("Invalid UpdateExpression: Two document paths overlap");
    EXPECT_EQ(executor.execute(update).error().message, "Two document paths overlap");

    store.refusal.reset();
    store.attributes = Item{{"x", 1}};
    EXPECT_EQ(shown(executor.execute(update)->items), "{x: 1}");
    store.attributes = Item{};
    EXPECT_TRUE(executor.execute(update)->items.empty());
}

TEST(PartiqlTransaction, BecomesOneTransactionOfTheStore) {
    RecordingStore store(music());
    const std::vector<Statement> statements = {
        {"UPDATE Music SET m.a = ? WHERE Artist = ? AND Song = ?", {1, "a", "s"}},
        {"INSERT INTO Music VALUE {'Artist': ?, 'Song': ?}", {"a", "t"}},
        {"DELETE FROM Music WHERE Artist = 'a' AND Song = 'u'"},
        {"EXISTS(SELECT * FROM Music WHERE Artist = 'a' AND Song = 'v' AND x IS MISSING)"},
    };
    const auto result = Executor(store).transact(statements, "once");
    ASSERT_TRUE(result);
    EXPECT_TRUE(result->items.empty());
    const std::vector<std::string> want = {
        "update Music {Artist: 'a', Song: 's'} do[SET m.a = 1] if[attribute_exists(Artist)]",
        "put Music {Artist: 'a', Song: 't'} if[attribute_not_exists(Artist)]",
        "delete Music {Artist: 'a', Song: 'u'}",
        "check Music {Artist: 'a', Song: 'v'} if[attribute_exists(Artist) AND "
        "(attribute_not_exists(x))]",
        "commit once",
    };
    EXPECT_EQ(store.asked, want);
    EXPECT_EQ(store.descriptions_asked, 1u);
}

TEST(PartiqlTransaction, ReadsByKeyOnly) {
    RecordingStore store(music());
    store.item = Item{{"Artist", "a"}, {"m", Value::map(Item{{"k", 1}})}};
    const auto result =
        Executor(store).transact({{"SELECT * FROM Music WHERE Artist = 'a' AND Song = 'b'"},
                                  {"SELECT m.k FROM Music WHERE Song = 'c' AND Artist = 'a'"}},
                                 "");
    ASSERT_TRUE(result);
    ASSERT_EQ(result->items.size(), 2u);
    EXPECT_EQ(shown(result->items[0]->view()), "{Artist: 'a', m: {k: 1}}");
    EXPECT_EQ(shown(result->items[1]->view()), "{k: 1}");
}

TEST(PartiqlTransaction, NamesTheStatementItRefuses) {
    struct Case {
        std::vector<Statement> statements;
        std::string want;
    };
    const Statement good{"DELETE FROM Music WHERE Artist = 'a' AND Song = 'u'"};
    const std::string first = "Validation failed in TransactStatements[0]: ";
    const std::string second = "Validation failed in TransactStatements[1]: ";
    const std::string by_key =
        "Select statements within ExecuteTransaction must specify the primary key in the where "
        "clause.";
    const std::string read = "SELECT * FROM Music WHERE Artist = 'a' AND Song = 'b'";
    const Case cases[] = {
        {{good, {"SELECT * FROM Music WHERE"}},
         second + "Statement wasn't well formed, can't be processed: Unexpected term"},
        {{good, {"UPDATE Music SET x = 1 WHERE Artist = 'a'"}},
         second + "Where clause does not contain a mandatory equality on all key attributes"},
        {{{"UPDATE Music SET x = 1 WHERE Artist = 'a' AND Song = 'b' RETURNING ALL NEW *"}},
         first + "RETURNING clause is not supported in ExecuteTransaction."},
        {{{"SELECT * FROM Music WHERE Artist = 'a'"}}, first + by_key},
        {{{read + " AND Price = 1"}}, first + by_key},
        {{{read + " AND Artist = 'c'"}}, first + by_key},
        {{{R"(SELECT * FROM "Music"."ByGenre" WHERE Genre = 'x')"}},
         first + "Reads on indices are not supported within transactions."},
        {{{"EXISTS(" + read + ")"}},
         first + "EXISTS() must contain a single item read with additional condition"},
        {{good, {read}}, "Statements of a transaction must be all reads or all writes"},
        {{{"DELETE FROM Nothing WHERE a = 1"}}, "Requested resource not found"},
        {{},
         "1 validation error detected: Value '[]' at 'transactStatements' failed to satisfy "
         "constraint: Member must have length greater than or equal to 1"},
    };
    for (const auto& c : cases) {
        RecordingStore store(music());
        const auto result = Executor(store).transact(c.statements, "");
        ASSERT_FALSE(result) << c.want;
        EXPECT_EQ(result.error().message, c.want);
        EXPECT_TRUE(store.asked.empty()) << c.want;
    }
    RecordingStore store(music());
    EXPECT_FALSE(Executor(store).transact(std::vector<Statement>(101, good), ""));
}

TEST(PartiqlTransaction, CallsAFailedInsertADuplicate) {
    RecordingStore store(music());
    Failure canceled{
        Fault::transaction_canceled,
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed]"};
    canceled.reasons = {{}, {"ConditionalCheckFailed", "The conditional request failed", {}}};
    store.refusal = canceled;
    const auto result =
        Executor(store).transact({{"UPDATE Music SET x = 1 WHERE Artist = 'a' AND Song = 'b'"},
                                  {"INSERT INTO Music VALUE {'Artist': 'a', 'Song': 'c'}"}},
                                 "");
    ASSERT_FALSE(result);
    EXPECT_EQ(
        result.error().message,
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
        "DuplicateItem]");
    EXPECT_EQ(result.error().reasons.at(1).code, "DuplicateItem");
    EXPECT_EQ(result.error().reasons.at(1).message, "Duplicate primary key exists in table");
}

TEST(PartiqlBatch, DoesEachStatementByItself) {
    RecordingStore store(music());
    store.item = Item{{"Artist", "a"}};
    const auto result =
        Executor(store).batch({{"SELECT * FROM Music WHERE Artist = 'a' AND Song = 'b'"},
                               {"SLECT"},
                               {"SELECT * FROM Nothing WHERE a = 1"},
                               {"SELECT * FROM Music WHERE Artist = 'a'"},
                               {R"(SELECT * FROM "Music"."ByGenre" WHERE Genre = 'x')"}});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->entries.size(), 5u);
    EXPECT_EQ(shown(result->entries[0].item->view()), "{Artist: 'a'}");
    EXPECT_EQ(result->entries[0].table, "Music");
    EXPECT_FALSE(result->entries[0].refusal);
    EXPECT_EQ(result->entries[1].refusal->code, "ValidationError");
    EXPECT_EQ(result->entries[1].refusal->message,
              "Statement wasn't well formed, can't be processed: Expected data manipulation");
    EXPECT_EQ(result->entries[2].refusal->code, "ResourceNotFound");
    for (const std::size_t i : {3u, 4u}) {
        EXPECT_EQ(result->entries[i].refusal->message,
                  "Select statements within BatchExecuteStatement must specify the primary key in "
                  "the where clause.");
    }
}

TEST(PartiqlBatch, RefusesMixturesAndWrongNumbers) {
    RecordingStore store(music());
    Executor executor(store);
    const Statement read{"SELECT * FROM Music WHERE Artist = 'a' AND Song = 'b'"};
    const Statement erase{"DELETE FROM Music WHERE Artist = 'a' AND Song = 'b'"};
    EXPECT_FALSE(executor.batch({read, erase}));
    EXPECT_FALSE(executor.batch({}));
    EXPECT_FALSE(executor.batch(std::vector<Statement>(26, read)));
    EXPECT_TRUE(store.asked.empty());
    EXPECT_TRUE(executor.batch(std::vector<Statement>(25, read)));
}

}  // namespace
}  // namespace mailroom::table::partiql
