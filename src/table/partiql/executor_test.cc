// PartiQL on the embedded engine.
#include "table/partiql/executor.h"

#include "base/clock.h"
#include "base/random.h"
#include "kv/memory_store.h"
#include "table/engine/engine.h"
#include "table/partiql/partiql_testing.h"

#include <gtest/gtest.h>

namespace mailroom::table::partiql {
namespace {

using testing::shown;

class PartiqlExecutor : public ::testing::Test {
protected:
    void SetUp() override {
        EngineOptions options;
        options.commit_mode = kv::Committer::Mode::immediate;
        auto opened = Engine::open(kv_, clock_, random_, options);
        ASSERT_TRUE(opened);
        engine_ = *std::move(opened);
        CreateTable outbox;
        outbox.name = "EmailOutbox";
        outbox.attributes = {{"Id", Kind::string}, {"Status", Kind::string}};
        outbox.keys = {"Id", "Status"};
        IndexSpec index;
        index.name = "StatusIndex";
        index.keys = {"Status", ""};
        index.projection = {ProjectionKind::include, {"Attributes"}};
        outbox.global_indexes.push_back(index);
        ASSERT_TRUE(engine_->create_table(outbox));
        CreateTable numbers;
        numbers.name = "Numbers";
        numbers.attributes = {{"p", Kind::string}, {"n", Kind::number}};
        numbers.keys = {"p", "n"};
        ASSERT_TRUE(engine_->create_table(numbers));
    }

    Executor executor() { return Executor(*engine_); }

    // The items of one page as text, or the exception.
    std::string run(const std::string& text, std::vector<Value> parameters = {}) {
        const auto result = executor().execute({text, std::move(parameters)});
        if (!result) {
            return std::string(exception_name(result.error().fault)) + ": " +
                   result.error().message;
        }
        return shown(result->items);
    }

    void insert_numbers() {
        for (const char* p : {"a", "b"}) {
            for (int n = 1; n <= 3; ++n) {
                ASSERT_EQ(
                    run("INSERT INTO Numbers VALUE {'p': ?, 'n': ?, 'odd': ?}", {p, n, n % 2 == 1}),
                    "");
            }
        }
    }

    kv::MemoryStore kv_;
    ManualClock clock_{from_unix_ms(1'700'000'000'000)};
    SeededRandom random_{1};
    std::unique_ptr<Engine> engine_;
};

// The statements of the outbox that Mailroom replaces, as its documents write them.
TEST_F(PartiqlExecutor, RunsTheStatementsOfTheOutbox) {
    const std::string meta = "_META";
    const Value accepted = Value::map(Item{{"Latest", "ACCEPTED"}, {"Reason", ""}});
    const std::string insert =
        R"(INSERT INTO "EmailOutbox" VALUE {'Id': ?, 'Status': ?, 'Attributes': ?})";
    for (const char* id : {"m1", "m2", "m3"}) ASSERT_EQ(run(insert, {id, meta, accepted}), "");

    const std::string update =
        "UPDATE \"EmailOutbox\" SET Attributes.Latest=?, Attributes.UpdatedAt=?, "
        "Attributes.Reason=? \nWHERE Id=? AND Status=?";
    const Value ttl = Value::map(Item{{"TTL", 1'700'600'000}});
    const std::vector<Statement> change = {
        {update, {"READY", "2026-01-02T03:04:05Z", "intake done", "m1", meta}},
        {insert, {"m1", "READY", ttl}},
    };
    ASSERT_TRUE(executor().transact(change, ""));

    const std::string query =
        "SELECT Id, Status, Attributes FROM \"EmailOutbox\".\"StatusIndex\" \n"
        "WHERE Status=? AND Attributes.Latest =?";
    EXPECT_EQ(run(query, {meta, "READY"}),
              "{Attributes: {Latest: 'READY', Reason: 'intake done', UpdatedAt: "
              "'2026-01-02T03:04:05Z'}, Id: 'm1', Status: '_META'}");

    // The same change again meets its own status row and changes nothing.
    const auto again = executor().transact(change, "");
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().fault, Fault::transaction_canceled);
    EXPECT_EQ(
        again.error().message,
        "Transaction cancelled, please refer cancellation reasons for specific reasons [None, "
        "DuplicateItem]");

    // By pages of one: the limit counts what is read, so a page may be empty.
    Statement paged{query, {meta, "ACCEPTED"}};
    paged.limit = 1;
    std::size_t found = 0, pages = 0;
    do {
        const auto page = executor().execute(paged);
        ASSERT_TRUE(page) << page.error().message;
        found += page->items.size();
        paged.next_token = page->next_token;
        ASSERT_LT(++pages, 10u);
    } while (paged.next_token);
    EXPECT_EQ(found, 2u);
    EXPECT_GE(pages, 3u);
}

TEST_F(PartiqlExecutor, ReadsInKeyOrderThroughConditionsOnTheKey) {
    insert_numbers();
    struct Case {
        std::string rest, want;
    };
    const Case cases[] = {
        {"WHERE p = 'a'", "1 2 3"},
        {"WHERE p = 'a' ORDER BY n DESC", "3 2 1"},
        {"WHERE p = 'a' AND n >= 2", "2 3"},
        {"WHERE p = 'a' AND n > 1 AND n < 3", "2"},
        {"WHERE p = 'a' AND n <> 2", "1 3"},
        {"WHERE p = 'a' AND (n = 1 OR n = 3)", "1 3"},
        {"WHERE p = 'a' AND n IN [3, 2]", "2 3"},
        {"WHERE p = 'a' AND n >= 3 AND n <= 2", ""},
        {"WHERE p = 'a' AND odd = true", "1 3"},
        {"WHERE p = 'a' AND n = 2 AND odd = true", ""},
        {"WHERE p = 'a' AND n = 2 AND NOT odd", "refused"},
        {"WHERE p = 'a' AND n = 2 AND NOT odd = true", "2"},
        {"WHERE p IN ['b', 'a'] AND n < 3", "1 2 1 2"},
        {"WHERE p = 'nobody'", ""},
        {"WHERE odd = false", "2 2"},
    };
    for (const auto& c : cases) {
        const auto result = executor().execute({"SELECT n FROM Numbers " + c.rest});
        std::string got;
        if (!result) got = "refused";
        if (result) {
            for (const Item& item : result->items) {
                got += (got.empty() ? "" : " ") + std::to_string(*item.integer("n"));
            }
        }
        EXPECT_EQ(got, c.want) << c.rest;
    }
}

TEST_F(PartiqlExecutor, GoesOnWithATokenUntilEverythingIsReadOnce) {
    insert_numbers();
    for (const std::string rest : {"", " WHERE p IN ['a', 'b']", " WHERE p IN ['a', 'b', 'c']"}) {
        for (const int limit : {1, 2, 4, 100}) {
            Statement statement{"SELECT p, n FROM Numbers" + rest};
            statement.limit = limit;
            std::vector<std::string> seen;
            do {
                const auto page = executor().execute(statement);
                ASSERT_TRUE(page) << page.error().message;
                ASSERT_LE(page->items.size(), static_cast<std::size_t>(limit));
                for (const Item& item : page->items) seen.push_back(shown(item.view()));
                statement.next_token = page->next_token;
            } while (statement.next_token && seen.size() < 20);
            std::ranges::sort(seen);
            EXPECT_EQ(seen.size(), 6u) << rest << limit;
            EXPECT_EQ(std::ranges::adjacent_find(seen), seen.end()) << rest << limit;
        }
    }
}

TEST_F(PartiqlExecutor, InsertsOnceUpdatesWhatIsThereAndDeletesQuietly) {
    struct Case {
        std::string text, want;
    };
    const std::string failed = "ConditionalCheckFailedException: The conditional request failed";
    const std::string one = " WHERE p = 'x' AND n = 1";
    const Case cases[] = {
        {"UPDATE Numbers SET v = 1" + one, failed},
        {"INSERT INTO Numbers VALUE {'p': 'x', 'n': 1, 'v': 1, 'l': [1], 'm': {'k': 'o'}}", ""},
        {"INSERT INTO Numbers VALUE {'p': 'x', 'n': 1}",
         "DuplicateItemException: Duplicate primary key exists in table"},
        {"UPDATE Numbers SET v = v + 1, l = list_append(l, [2, 3])" + one + " RETURNING ALL NEW *",
         "{l: [1, 2, 3], m: {k: 'o'}, n: 1, p: 'x', v: 2}"},
        {"UPDATE Numbers SET m.k = 'new' REMOVE l[1]" + one + " RETURNING MODIFIED OLD *",
         "{l: [2], m: {k: 'o'}}"},
        {"UPDATE Numbers SET s = set_add(s, <<'a', 'b'>>)" + one + " RETURNING MODIFIED NEW *",
         "{s: <<'a', 'b'>>}"},
        {"UPDATE Numbers SET s = set_delete(s, <<'a'>>)" + one + " RETURNING MODIFIED NEW *",
         "{s: <<'b'>>}"},
        {"UPDATE Numbers REMOVE s" + one + " RETURNING MODIFIED NEW *", ""},
        {"UPDATE Numbers SET v = 9" + one + " AND v = 1", failed},
        {"UPDATE Numbers SET z[0] = 9" + one,
         "ValidationException: The document path provided in the update expression is invalid for "
         "update"},
        {"SELECT l[1], m.k, nothing.at.all FROM Numbers" + one, "{k: 'new', l[1]: 3}"},
        {"DELETE FROM Numbers" + one + " AND v = 1", failed},
        {"DELETE FROM Numbers WHERE p = 'x' AND n = 2 AND v = 1", ""},
        {"DELETE FROM Numbers" + one + " AND v = 2 RETURNING ALL OLD *",
         "{l: [1, 3], m: {k: 'new'}, n: 1, p: 'x', v: 2}"},
        {"DELETE FROM Numbers" + one + " RETURNING ALL OLD *", ""},
        {"SELECT * FROM Nothing", "ResourceNotFoundException: Requested resource not found"},
    };
    for (const auto& c : cases) EXPECT_EQ(run(c.text), c.want) << c.text;
}

TEST_F(PartiqlExecutor, LetsATransactionDependOnWhatExists) {
    ASSERT_EQ(run("INSERT INTO Numbers VALUE {'p': 'a', 'n': 1, 'v': 1}"), "");
    const Statement insert{"INSERT INTO Numbers VALUE {'p': 'b', 'n': 1}"};
    const std::string check = "EXISTS(SELECT * FROM Numbers WHERE p = 'a' AND n = 1 AND v = ?)";
    EXPECT_FALSE(executor().transact({{check, {2}}, insert}, ""));
    EXPECT_EQ(run("SELECT * FROM Numbers WHERE p = 'b' AND n = 1"), "");
    EXPECT_TRUE(executor().transact({{check, {1}}, insert}, ""));
    const auto both = executor().transact({{"SELECT v FROM Numbers WHERE p = 'a' AND n = 1"},
                                           {"SELECT * FROM Numbers WHERE p = 'nobody' AND n = 1"}},
                                          "");
    ASSERT_TRUE(both);
    EXPECT_EQ(shown(both->items.at(0)->view()), "{v: 1}");
    EXPECT_FALSE(both->items.at(1));
}

TEST_F(PartiqlExecutor, DoesATransactionWithATokenOnce) {
    ASSERT_EQ(run("INSERT INTO Numbers VALUE {'p': 'a', 'n': 1, 'v': 1}"), "");
    const std::vector<Statement> increment = {
        {"UPDATE Numbers SET v = v + 1 WHERE p = 'a' AND n = 1"}};
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(executor().transact(increment, "the-same-token"));
    EXPECT_EQ(run("SELECT v FROM Numbers WHERE p = 'a' AND n = 1"), "{v: 2}");
}

TEST_F(PartiqlExecutor, GivesEachStatementOfABatchItsOwnAnswer) {
    const std::string insert = "INSERT INTO Numbers VALUE {'p': 'a', 'n': 1}";
    const auto result =
        executor().batch({{insert},
                          {insert},
                          {"UPDATE Numbers SET v = 1 WHERE p = 'a' AND n = 1 RETURNING ALL NEW *"},
                          {"UPDATE Numbers SET v = 1 WHERE p = 'nobody' AND n = 1"}});
    ASSERT_TRUE(result);
    const auto& entries = result->entries;
    ASSERT_EQ(entries.size(), 4u);
    EXPECT_FALSE(entries[0].refusal);
    EXPECT_EQ(entries[1].refusal->code, "DuplicateItem");
    EXPECT_EQ(shown(entries[2].item->view()), "{n: 1, p: 'a', v: 1}");
    EXPECT_EQ(entries[3].refusal->code, "ConditionalCheckFailed");
    EXPECT_EQ(result->consumed.size(), 1u);
}

}  // namespace
}  // namespace mailroom::table::partiql
