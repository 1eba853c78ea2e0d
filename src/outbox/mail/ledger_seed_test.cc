// Programs of the seed and the ledger on the same rows: the seed's own statements, through PartiQL.
#include "outbox/mail/ledger_fixture.h"
#include "outbox/others/seed_for_tests.h"

namespace mailroom::outbox {
namespace {

using table::Item;
using table::Value;

class LedgerSeedTest : public LedgerTest {
protected:
    static constexpr auto seed_ttl = SeedPrograms::seed_ttl;

    void SetUp() override {
        LedgerTest::SetUp();
        seed.emplace(*engine);
    }

    std::optional<SeedPrograms> seed;
};

TEST_F(LedgerSeedTest, TheSeedFindsAndReadsOurMails) {
    mail_in(State::ready, mail_a);
    mail_in(State::accepted, mail_b);
    const auto ready = seed->polls("READY");
    ASSERT_EQ(ready.size(), 1u);
    const Item attributes{
        {"Latest", "READY"},
        {"CreatedAt", "2026-11-15T12:00:00Z"},
        {"UpdatedAt", "2026-11-15T12:00:00Z"},
        {"Reason", ""},
        {"PayloadFilePath", std::string("payload/2026/November/") + mail_a + ".json"}};
    const Item want{{"Id", mail_a}, {"Status", "_META"}, {"Attributes", Value::map(attributes)}};
    EXPECT_EQ(ready[0], want);
    EXPECT_EQ(seed->reads(mail_a), std::vector{want});
    EXPECT_EQ(seed->polls("ACCEPTED").size(), 1u);
    EXPECT_TRUE(seed->polls("SENT").empty());
}

TEST_F(LedgerSeedTest, TheSeedMovesOurMailsAndTheLedgerGoesOn) {
    auto mail = mail_in(State::ready);
    ASSERT_TRUE(seed->moves(mail_a, "PROCESSING", ""));
    EXPECT_FALSE(seed->moves(mail_a, "PROCESSING", "")) << "the row of the state is the lock";
    EXPECT_FALSE(move(mail, State::processing)) << "somebody was faster";
    mail = found(mail_a);
    EXPECT_EQ(mail.state, State::processing);
    EXPECT_EQ(mail.updated, *parse_rfc3339("2025-11-20T10:00:05Z"));
    EXPECT_EQ(mail.sender, "a@example.com") << "our additions are still there";
    ASSERT_TRUE(move(mail, State::sent));
    EXPECT_EQ(seed->polls("SENT").size(), 1u);
}

TEST_F(LedgerSeedTest, TheSeedCannotRepeatAStateThatWeEntered) {
    mail_in(State::processing);
    EXPECT_FALSE(seed->moves(mail_a, "PROCESSING", ""));
    EXPECT_FALSE(seed->readies(mail_a));
    EXPECT_FALSE(seed->accepts(mail_a));
    EXPECT_EQ(found(mail_a).state, State::processing);
}

TEST_F(LedgerSeedTest, TheSeedRequeuesOurMail) {
    auto mail = mail_in(State::processing);
    auto unaware = mail;
    ASSERT_TRUE(seed->requeues(mail_a, "PROCESSING", "READY"));
    EXPECT_EQ(statuses(mail_a), "ACCEPTED INTAKING READY _META");
    mail = found(mail_a);
    EXPECT_EQ(mail.state, State::ready);
    EXPECT_FALSE(move(unaware, State::sent)) << "the late worker is refused";
    EXPECT_TRUE(move(mail, State::processing));
}

TEST_F(LedgerSeedTest, AMailOfTheSeedIsReadWithDefaultsAndMovedOn) {
    ASSERT_TRUE(seed->accepts(mail_a));
    auto mail = found(mail_a);
    EXPECT_EQ(mail.state, State::accepted);
    EXPECT_EQ(mail.created, *parse_rfc3339("2025-11-20T10:00:00Z"));
    EXPECT_EQ(mail.first_due, mail.created);
    EXPECT_EQ(mail.expires_seconds, seed_ttl);
    EXPECT_EQ(mail.stream, Stream::transactional);
    EXPECT_TRUE(mail.recipients.empty());
    EXPECT_EQ(mail.job, std::nullopt);
    ASSERT_TRUE(move(mail, State::intaking));
    ASSERT_TRUE(seed->readies(mail_a));
    mail = found(mail_a);
    EXPECT_EQ(mail.eml_path, std::string("/efs/eml/") + mail_a + ".EML");
    ASSERT_TRUE(move(mail, State::processing));
    ASSERT_TRUE(seed->moves(mail_a, "FAILED", "SMTP error 550: x"));

    const auto history = ledger->history(mail_a);
    ASSERT_TRUE(history && *history);
    std::string states;
    for (const auto& entry : (*history)->states) states += std::string(name_of(entry.state)) + " ";
    EXPECT_EQ(states, "ACCEPTED INTAKING READY PROCESSING FAILED ");
    EXPECT_EQ((*history)->states[0].at, mail.created) << "the seed's rows have no time";
    EXPECT_EQ((*history)->states[1].at, clock.now());
    EXPECT_EQ((*history)->mail.reason, "SMTP error 550: x");
    EXPECT_FALSE(row(mail_a, "_META")->has("TTL")) << "a mail that waited has none";
    EXPECT_EQ(row(mail_a, "PROCESSING")->integer("TTL"), seed_ttl);
}

TEST_F(LedgerSeedTest, ARowThatMakesNoSenseIsAMailThatIsInvalidAndSaysWhy) {
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
        std::string reason;  // Empty: it is READY.
    };
    const Case cases[] = {
        {"the least", {{"Attributes", Value::map(fine)}}, ""},
        {"no attributes", {}, "the row has no map in Attributes"},
        {"attributes no map", {{"Attributes", "x"}}, "the row has no map in Attributes"},
        {"unknown state", with("Latest", "LOST"), "the row is in a state that is not known: LOST"},
        {"state no text", with("Latest", 5),
         "the row does not say in which state it is (Attributes.Latest)"},
        {"no time at all", {{"Attributes", Value::map(Item{{"Latest", "READY"}})}}, ""},
        {"bad time", with("CreatedAt", "yesterday"), ""},
        {"time with a zone", with("CreatedAt", "2025-11-20T11:00:00+01:00"), ""},
        {"TTL in a text", with("TTL", "soon"), ""},
        {"unknown stream", beside("Stream", "pigeons"), ""},
        {"job no position", beside("Job", "somewhere"), ""},
        {"recipients no list", beside("Recipients", "b@example.org"),
         "the row has something in Recipients that is no recipient"},
        {"recipient no map", beside("Recipients", Value::list({"b@example.org"})),
         "the row has something in Recipients that is no recipient"},
        {"attempts no number", beside("Attempts", "many"), ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto item = c.row;
        item.set("Id", Value(mail_a)).set("Status", Value("_META"));
        ASSERT_TRUE(engine->put(put("EmailOutbox", item)));
        const auto mail = found(mail_a);
        EXPECT_EQ(mail.reason, c.reason);
        EXPECT_EQ(mail.state, c.reason.empty() ? State::ready : State::invalid);
        const auto history = ledger->history(mail_a);
        ASSERT_TRUE(history && *history);
        EXPECT_EQ((*history)->mail.reason, c.reason);
    }
}

}  // namespace
}  // namespace mailroom::outbox
