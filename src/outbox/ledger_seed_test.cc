// Programs of the seed and the ledger on the same rows: the seed's own statements, through PartiQL.
#include "outbox/ledger_fixture.h"
#include "table/partiql/executor.h"

namespace mailroom::outbox {
namespace {

using table::Item;
using table::Value;
using table::partiql::Statement;

class LedgerSeedTest : public LedgerTest {
protected:
    static constexpr std::int64_t seed_ttl = 1'766'224'800;

    void SetUp() override {
        LedgerTest::SetUp();
        executor.emplace(*engine);
    }

    // T3
    table::Outcome<> seed_accepts(const std::string& id) {
        const Item attributes{{"Latest", "ACCEPTED"},
                              {"CreatedAt", "2025-11-20T10:00:00Z"},
                              {"UpdatedAt", "2025-11-20T10:00:00Z"},
                              {"PayloadFilePath", "/efs/json/2025/November/" + id + ".json"},
                              {"TTL", seed_ttl}};
        const Item only_ttl{{"TTL", seed_ttl}};
        return run({insert_statement(id, "_META", attributes),
                    insert_statement(id, "ACCEPTED", only_ttl)});
    }

    // T1
    table::Outcome<> seed_moves(const std::string& id, const std::string& to,
                                const std::string& reason) {
        return run({{R"(UPDATE "EmailOutbox" SET Attributes.Latest=?, Attributes.UpdatedAt=?, )"
                     R"(Attributes.Reason=? WHERE Id=? AND Status=?)",
                     {to, "2025-11-20T10:00:05Z", reason, id, "_META"}},
                    insert_statement(id, to, Item{{"TTL", seed_ttl}})});
    }

    // T2
    table::Outcome<> seed_readies(const std::string& id) {
        return run({{R"(UPDATE "EmailOutbox" SET Attributes.Latest=?, Attributes.UpdatedAt=?, )"
                     R"(Attributes.EMLFilePath=? WHERE Id=? AND Status=?)",
                     {"READY", "2025-11-20T10:00:06Z", "/efs/eml/" + id + ".EML", id, "_META"}},
                    insert_statement(id, "READY", Item{{"TTL", seed_ttl}})});
    }

    // Q1
    std::vector<Item> seed_polls(const std::string& state) {
        return select(R"(SELECT Id, Status, Attributes FROM "EmailOutbox"."StatusIndex" )"
                      R"(WHERE Status=? AND Attributes.Latest =?)",
                      {"_META", state});
    }

    // Q4
    std::vector<Item> seed_reads(const std::string& id) {
        return select(R"(SELECT Id, Status, Attributes FROM "EmailOutbox" )"
                      R"(WHERE Id=? AND Status=?)",
                      {id, "_META"});
    }

    // T4
    table::Outcome<> seed_requeues(const std::string& id, const std::string& from,
                                   const std::string& to) {
        return run({{R"(DELETE FROM "EmailOutbox" WHERE Id=? AND Status=?)", {id, from}},
                    {R"(UPDATE "EmailOutbox" SET Attributes.Latest=?, Attributes.UpdatedAt=? )"
                     R"(WHERE Id=? AND Status=?)",
                     {to, "2026-11-15T13:00:00Z", id, "_META"}}});
    }

    static Statement insert_statement(const std::string& id, const std::string& status,
                                      const Item& attributes) {
        return {R"(INSERT INTO "EmailOutbox" VALUE {'Id': ?, 'Status': ?, 'Attributes': ?})",
                {id, status, Value::map(attributes)}};
    }

    table::Outcome<> run(const std::vector<Statement>& statements) {
        const auto done = executor->transact(statements, "");
        if (!done) return done.error();
        return Ok{};
    }

    std::vector<Item> select(const std::string& text, std::vector<Value> parameters) {
        auto done = executor->execute({text, std::move(parameters)});
        EXPECT_TRUE(done) << done.error().message;
        return done ? done->items : std::vector<Item>();
    }

    std::optional<table::partiql::Executor> executor;
};

TEST_F(LedgerSeedTest, TheSeedFindsAndReadsOurMails) {
    mail_in(State::ready, mail_a);
    mail_in(State::accepted, mail_b);
    const auto ready = seed_polls("READY");
    ASSERT_EQ(ready.size(), 1u);
    const Item attributes{
        {"Latest", "READY"},
        {"CreatedAt", "2026-11-15T12:00:00Z"},
        {"UpdatedAt", "2026-11-15T12:00:00Z"},
        {"Reason", ""},
        {"PayloadFilePath", std::string("payload/2026/November/") + mail_a + ".json"}};
    const Item want{{"Id", mail_a}, {"Status", "_META"}, {"Attributes", Value::map(attributes)}};
    EXPECT_EQ(ready[0], want);
    EXPECT_EQ(seed_reads(mail_a), std::vector{want});
    EXPECT_EQ(seed_polls("ACCEPTED").size(), 1u);
    EXPECT_TRUE(seed_polls("SENT").empty());
}

TEST_F(LedgerSeedTest, TheSeedMovesOurMailsAndTheLedgerGoesOn) {
    auto mail = mail_in(State::ready);
    ASSERT_TRUE(seed_moves(mail_a, "PROCESSING", ""));
    EXPECT_FALSE(seed_moves(mail_a, "PROCESSING", "")) << "the row of the state is the lock";
    EXPECT_FALSE(move(mail, State::processing)) << "somebody was faster";
    mail = found(mail_a);
    EXPECT_EQ(mail.state, State::processing);
    EXPECT_EQ(mail.updated, *parse_rfc3339("2025-11-20T10:00:05Z"));
    EXPECT_EQ(mail.sender, "a@example.com") << "our additions are still there";
    ASSERT_TRUE(move(mail, State::sent));
    EXPECT_EQ(seed_polls("SENT").size(), 1u);
}

TEST_F(LedgerSeedTest, TheSeedCannotRepeatAStateThatWeEntered) {
    mail_in(State::processing);
    EXPECT_FALSE(seed_moves(mail_a, "PROCESSING", ""));
    EXPECT_FALSE(seed_readies(mail_a));
    EXPECT_FALSE(seed_accepts(mail_a));
    EXPECT_EQ(found(mail_a).state, State::processing);
}

TEST_F(LedgerSeedTest, TheSeedRequeuesOurMail) {
    auto mail = mail_in(State::processing);
    auto unaware = mail;
    ASSERT_TRUE(seed_requeues(mail_a, "PROCESSING", "READY"));
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    mail = found(mail_a);
    EXPECT_EQ(mail.state, State::ready);
    EXPECT_FALSE(move(unaware, State::sent)) << "the late worker is refused";
    EXPECT_TRUE(move(mail, State::processing));
}

TEST_F(LedgerSeedTest, AMailOfTheSeedIsReadWithDefaultsAndMovedOn) {
    ASSERT_TRUE(seed_accepts(mail_a));
    auto mail = found(mail_a);
    EXPECT_EQ(mail.state, State::accepted);
    EXPECT_EQ(mail.created, *parse_rfc3339("2025-11-20T10:00:00Z"));
    EXPECT_EQ(mail.first_due, mail.created);
    EXPECT_EQ(mail.expires_seconds, seed_ttl);
    EXPECT_EQ(mail.stream, Stream::transactional);
    EXPECT_TRUE(mail.recipients.empty());
    EXPECT_EQ(mail.job, std::nullopt);
    ASSERT_TRUE(move(mail, State::intaking));
    ASSERT_TRUE(seed_readies(mail_a));
    mail = found(mail_a);
    EXPECT_EQ(mail.eml_path, std::string("/efs/eml/") + mail_a + ".EML");
    ASSERT_TRUE(move(mail, State::processing));
    ASSERT_TRUE(seed_moves(mail_a, "FAILED", "SMTP error 550: x"));

    const auto history = ledger->history(mail_a);
    ASSERT_TRUE(history && *history);
    std::string states;
    for (const auto& entry : (*history)->states) states += std::string(name_of(entry.state)) + " ";
    EXPECT_EQ(states, "ACCEPTED INTAKING READY PROCESSING FAILED ");
    EXPECT_EQ((*history)->states[0].at, mail.created) << "the seed's rows have no time";
    EXPECT_EQ((*history)->states[1].at, clock.now());
    EXPECT_EQ((*history)->mail.reason, "SMTP error 550: x");
    EXPECT_EQ(row(mail_a, "_META")->integer("TTL"), seed_ttl) << "where it can expire";
    EXPECT_EQ(row(mail_a, "PROCESSING")->integer("TTL"), seed_ttl);
}

TEST_F(LedgerSeedTest, ARowThatMakesNoSenseIsCorruptAndNamesTheMail) {
    const Item fine{{"Latest", "READY"}, {"CreatedAt", "2025-11-20T10:00:00Z"}};
    const auto with = [&](const char* name, const Value& value) {
        Item attributes = fine;
        attributes.set(name, value);
        return Item{{"Attributes", Value::map(attributes)}};
    };
    const auto beside = [&](const char* name, const Value& value) {
        return Item{{"Attributes", Value::map(fine)}, {name, value}};
    };
    struct Case {
        const char* name;
        Item row;
        bool is_fine;
    };
    const Case cases[] = {
        {"the least", {{"Attributes", Value::map(fine)}}, true},
        {"no attributes", {}, false},
        {"attributes no map", {{"Attributes", "x"}}, false},
        {"unknown state", with("Latest", "LOST"), false},
        {"state no text", with("Latest", 5), false},
        {"no time at all", {{"Attributes", Value::map(Item{{"Latest", "READY"}})}}, false},
        {"bad time", with("CreatedAt", "yesterday"), false},
        {"time with a zone", with("CreatedAt", "2025-11-20T11:00:00+01:00"), true},
        {"TTL in a text", with("TTL", "soon"), false},
        {"unknown stream", beside("Stream", "pigeons"), false},
        {"job no position", beside("Job", "somewhere"), false},
        {"recipients no list", beside("Recipients", "b@example.org"), false},
        {"recipient no map", beside("Recipients", Value::list({"b@example.org"})), false},
        {"attempts no number", beside("Attempts", "many"), true},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto item = c.row;
        item.set("Id", Value(mail_a)).set("Status", Value("_META"));
        ASSERT_TRUE(engine->put(put("EmailOutbox", item)));
        const auto read = ledger->find(mail_a);
        EXPECT_EQ(static_cast<bool>(read), c.is_fine);
        if (read) continue;
        EXPECT_EQ(read.error().code, Errc::corrupt);
        EXPECT_NE(read.error().message.find(mail_a), std::string::npos) << read.error().message;
        EXPECT_FALSE(ledger->history(mail_a));
    }
}

}  // namespace
}  // namespace mailroom::outbox
