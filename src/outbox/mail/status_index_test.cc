#include "outbox/mail/ledger_fixture.h"
#include "table/partiql/executor.h"

namespace mailroom::outbox {
namespace {

using table::Item;
using table::Value;

// StatusIndex as the seed's programs use it.
class StatusIndexTest : public LedgerTest {
protected:
    void make_older_table(const table::Projection& projection) {
        ASSERT_TRUE(engine->delete_table("EmailOutbox"));
        table::CreateTable older;
        older.name = "EmailOutbox";
        older.attributes = {{"Id", table::Kind::string}, {"Status", table::Kind::string}};
        older.keys = {"Id", "Status"};
        older.global_indexes = {{"StatusIndex", {"Status", "Id"}, projection, {}}};
        create(older);
        const auto attributes = Value::map(Item{{"Latest", "READY"}});
        ASSERT_TRUE(engine->put(put("EmailOutbox", {{"Id", mail_a},
                                                    {"Status", "_META"},
                                                    {"Attributes", attributes},
                                                    {"TTL", 1900000000},
                                                    {"Other", "x"}})));
    }

    // The listing query in its later form.
    std::vector<Item> listed(const std::string& more = "TTL", const std::string& latest = "READY") {
        table::partiql::Executor executor(*engine);
        auto done = executor.execute({"SELECT Id, Status, Attributes, " + more +
                                          R"( FROM "EmailOutbox"."StatusIndex" )"
                                          R"(WHERE Status=? AND Attributes.Latest =?)",
                                      {"_META", latest}});
        EXPECT_TRUE(done) << done.error().message;
        return done ? done->items : std::vector<Item>();
    }
};

TEST_F(StatusIndexTest, ShowsWhenAMailExpiresThatIsSettled) {
    mail_in(State::sent, mail_a);
    const auto items = listed("TTL", "SENT");
    ASSERT_EQ(items.size(), 1u);
    EXPECT_EQ(items[0].text("Id"), mail_a);
    EXPECT_EQ(items[0].integer("TTL"), found(mail_a).expires_seconds);
    mail_in(State::ready, mail_b);
    ASSERT_EQ(listed().size(), 1u);
    EXPECT_EQ(listed()[0].integer("TTL"), std::nullopt) << "what waits does not expire";
}

TEST_F(StatusIndexTest, OfAnOlderStoreIsMadeAnewWithWhatItHad) {
    make_older_table({table::ProjectionKind::include, {"Attributes", "Other"}});
    for (int start = 0; start < 3; ++start) open_ledger();
    const auto items = listed("TTL, Other");
    ASSERT_EQ(items.size(), 1u);
    EXPECT_EQ(items[0].integer("TTL"), 1900000000);
    EXPECT_EQ(items[0].text("Other"), "x");
    EXPECT_TRUE(items[0].has("Attributes"));
}

TEST_F(StatusIndexTest, ThatProjectsEverythingStaysAsItIs) {
    make_older_table({table::ProjectionKind::all, {}});
    open_ledger();
    const auto described = engine->describe_table("EmailOutbox");
    const auto& spec = described->global_indexes[0].spec;
    EXPECT_EQ(spec.name, "StatusIndex");
    EXPECT_EQ(spec.projection.kind, table::ProjectionKind::all);
    EXPECT_EQ(listed().size(), 1u);
}

}  // namespace
}  // namespace mailroom::outbox
