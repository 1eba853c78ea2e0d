#include "engagement/events/personal_events.h"

#include "engagement/events/rows.h"
#include "json/writer.h"
#include "table/engine/engine_fixture.h"
#include "table/records/ensure_table.h"

namespace mailroom::engagement {
namespace {

class PersonalEventsTest : public table::EngineTest {
protected:
    void SetUp() override {
        EngineTest::SetUp();
        ASSERT_TRUE(table::ensure_table(*engine, rows::declared_events(tables.events)));
        ASSERT_TRUE(table::ensure_table(*engine, rows::declared_own(tables.own)));
        personal.emplace(*engine, tables);
        note("ann@x.com", "m1");
        note("bob@x.com", "m2");
    }
    void note(const std::string& person, const std::string& mail) {
        table::Item event{{"PK", rows::person(person)},
                          {"SK", "EVT#2026-01-01T00:00:00.000Z#click"},
                          {"eventType", "click"},
                          {"mailroomMailId", mail}};
        ASSERT_TRUE(engine->put(put(tables.events, std::move(event))));
        auto kept = rows::mail(mail);
        kept.set("Email", table::Value(person)).set("Subject", table::Value("Hi"));
        ASSERT_TRUE(engine->put(put(tables.own, std::move(kept))));
        ASSERT_TRUE(engine->put(put(tables.own, rows::mail_by(mail, person))));
    }

    const TableNames tables;
    std::optional<PersonalEvents> personal;
};

TEST_F(PersonalEventsTest, ErasingTakesThePersonOutOfEventsAndMails) {
    ASSERT_TRUE(personal->erase("ann@x.com"));
    ASSERT_TRUE(personal->erase("ann@x.com")) << "again after an interruption";
    for (const auto& table : {tables.events, tables.own}) {
        table::Scan scan;
        scan.table = table;
        const auto page = engine->scan(scan);
        ASSERT_TRUE(page);
        for (const auto& row : page->items) {
            EXPECT_EQ(row.bytes().find("ann@x.com"), std::string::npos);
        }
    }
    EXPECT_EQ(get(tables.own, rows::mail("m1"))->text("Subject"), "Hi") << "the mail stays";
    EXPECT_EQ(get(tables.own, rows::mail("m2"))->text("Email"), "bob@x.com");
    EXPECT_TRUE(get(tables.own, rows::mail_by("m2", "bob@x.com")));
}

TEST_F(PersonalEventsTest, EventsAreShownAndGoAlong) {
    std::string text;
    json::Writer writer(text);
    ASSERT_TRUE(personal->show("ann@x.com", writer));
    EXPECT_NE(text.find("\"eventType\":\"click\""), std::string::npos) << text;
    EXPECT_EQ(text.find("bob"), std::string::npos);
    ASSERT_TRUE(personal->move("ann@x.com", "bob@x.com"));
    EXPECT_EQ(query(tables.events, "", "PK = :p", {{":p", rows::person("ann@x.com")}}).count, 0u);
    EXPECT_EQ(query(tables.events, "", "PK = :p", {{":p", rows::person("bob@x.com")}}).count, 2u)
        << "both of one moment";
}

}  // namespace
}  // namespace mailroom::engagement
