#include "engagement/events/personal_events.h"

#include "engagement/engagement_fixture.h"

namespace mailroom::engagement {
namespace {

class PersonalEventsTest : public EngagementTest {
protected:
    PersonalEvents part() { return {front->store(), settings.tables, "Audience"}; }
    // A mail that arrived and was opened.
    std::string opened_by(const std::string& email) {
        const auto id = add_followed({email});
        run();
        auto open = happening(EventType::open, "open by " + email, email);
        open.mail_id = id;
        note(open);
        return id;
    }
    // All rows of a table that have the text somewhere.
    std::size_t rows_with(const std::string& table, const std::string& text) {
        table::Scan scan;
        scan.table = table;
        std::size_t found = 0;
        for (const auto& row : taken(engine->scan(scan)).items) {
            found += row.bytes().find(text) != std::string::npos ? 1 : 0;
        }
        return found;
    }
};

TEST_F(PersonalEventsTest, WhoIsErasedIsNowhereAndTheNumbersStay) {
    opened_by("ann@example.org");
    opened_by("bob@example.org");
    note([&] {
        auto soft = happening(EventType::bounce, "soft", "ann@example.org");
        soft.bounce.emplace();
        soft.bounce->severity = bounces::Severity::soft;
        return soft;
    }());
    ASSERT_GT(rows_with("MailroomEngagement", "ann@example.org"), 0u);
    auto part = this->part();
    ASSERT_TRUE(part.erase("ann@example.org"));
    ASSERT_TRUE(part.erase("ann@example.org"));
    EXPECT_EQ(rows_with("EmailEvents", "ann@example.org"), 0u);
    EXPECT_EQ(rows_with("MailroomEngagement", "ann@example.org"), 0u);
    EXPECT_EQ(types("bob@example.org"), "delivery open");
    EXPECT_EQ(counted("onboarding", "openCount"), 2);
}

// A link of a mail from before still works, and says nothing of whom it was to.
TEST_F(PersonalEventsTest, WhatIsToldAgainOfAnErasedPersonBringsNothingBack) {
    const auto id = opened_by("ann@example.org");
    ASSERT_TRUE(part().erase("ann@example.org"));
    auto open = happening(EventType::open, "open by ann@example.org", "ann@example.org");
    open.mail_id = id;
    EXPECT_EQ(note(open).known, 1u);
    EXPECT_EQ(types("ann@example.org"), "");
}

// Nothing that comes late brings an address back that was erased: it is kept nowhere.
TEST_F(PersonalEventsTest, WhatIsToldLateOfWhoWasErasedIsDropped) {
    const auto id = opened_by("ann@example.org");
    auto part = this->part();
    office->people.keep(part);
    taken(office->people.change("ann@example.org", {.first_name = "Ann"}));
    ASSERT_TRUE(office->people.erase("Ann@example.org", {.source = "api"}));
    std::vector<Happening> late = {happening(EventType::complaint, "c", "Ann@Example.org"),
                                   happening(EventType::bounce, "b", "ann@example.org"),
                                   happening(EventType::reply, "r", "ann@example.org"),
                                   happening(EventType::sent, "s", "ann@example.org"),
                                   happening(EventType::click, "k", "ann@example.org")};
    late[1].bounce.emplace();
    late[1].bounce->severity = bounces::Severity::hard;
    late[4].mail_id = id;
    for (const auto& one : late) EXPECT_EQ(note(one).known, 1u);
    EXPECT_EQ(taken(office->account.note(late)).known, late.size());
    run();
    for (const auto* table : {"EmailEvents", "MailroomEngagement", "Audience", "MailroomPeople"}) {
        EXPECT_EQ(rows_with(table, "ann@example.org"), 0u) << table;
    }
    // Somebody who came back has events again.
    taken(office->people.change("ann@example.org", {.first_name = "Ann"}));
    EXPECT_EQ(note(happening(EventType::open, "o", "ann@example.org")).added, 1u);
}

TEST_F(PersonalEventsTest, WhatThereIsGoesAlongToAnotherAddress) {
    const auto id = opened_by("ann@example.org");
    opened_by("bob@example.org");
    ASSERT_TRUE(part().move("ann@example.org", "bob@example.org"));
    EXPECT_EQ(events("ann@example.org").size(), 0u);
    EXPECT_EQ(events("bob@example.org").size(), 4u);
    EXPECT_EQ(taken(office->account.find_mail(id))->email, "bob@example.org");
    auto again = happening(EventType::open, "again", "");
    again.mail_id = id;
    note(again);
    EXPECT_EQ(counted("onboarding", "uniqueOpenCount"), 2);
}

TEST_F(PersonalEventsTest, APersonIsGivenTheirEvents) {
    opened_by("ann@example.org");
    std::string text;
    json::Writer writer(text);
    ASSERT_TRUE(part().show("ann@example.org", writer));
    EXPECT_NE(text.find("\"eventType\":\"open\""), text.npos) << text;
    EXPECT_EQ(text.find("bob@"), text.npos);
}

}  // namespace
}  // namespace mailroom::engagement
