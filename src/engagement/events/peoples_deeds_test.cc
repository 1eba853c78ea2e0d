#include "engagement/events/peoples_deeds.h"

#include "engagement/engagement_fixture.h"
#include "table/write_builder.h"

namespace mailroom::engagement {
namespace {

using people::Deed;
using people::MailGroup;
using people::Mails;

class PeoplesDeedsTest : public EngagementTest {
protected:
    void add(EventType type, const std::string& id, std::string_view email, std::string_view when,
             bool is_machine = false) {
        auto one = happening(type, id, email, when);
        one.template_key = "welcome";
        one.sequence_id = "onboarding";
        one.is_machine = is_machine;
        note(one);
    }
    people::DeedsByPerson of(const Mails& mails, Deed deed, std::optional<Time> since = {}) {
        return taken(PeoplesDeeds(office->store, settings.tables.events).of(mails, deed, since));
    }
    const Mails welcome{MailGroup::of_template, "welcome"};
    const Mails onboarding{MailGroup::of_broadcast, "onboarding"};
};

TEST_F(PeoplesDeedsTest, KnowsWhoOpenedATemplateHowOftenAndWhen) {
    add(EventType::open, "1", "Ann@Example.com", "2026-01-15T10:00:00.000Z");
    add(EventType::open, "2", "ann@example.com", "2026-01-17T10:00:00.000Z");
    add(EventType::open, "3", "bob@example.com", "2026-01-16T10:00:00.000Z");
    add(EventType::click, "4", "bob@example.com", "2026-01-16T10:00:01.000Z");
    const auto opened = of(welcome, Deed::opened);
    ASSERT_EQ(opened.size(), 2U);
    EXPECT_EQ(opened.at("ann@example.com"),
              (people::Activity::Done{
                  at("2026-01-17T10:00:00.000Z"), 2, {at("2026-01-15T10:00:00.000Z")}}));
    EXPECT_EQ(of(onboarding, Deed::clicked).size(), 1U);
    EXPECT_EQ(of({MailGroup::of_sequence, "onboarding"}, Deed::opened).size(), 2U);
    EXPECT_TRUE(of({MailGroup::of_template, "onboarding"}, Deed::opened).empty());
    EXPECT_TRUE(of(welcome, Deed::replied).empty());
    EXPECT_TRUE(of(welcome, Deed::sent).empty());
}

TEST_F(PeoplesDeedsTest, WhatWasEarlierIsLeftOut) {
    add(EventType::open, "1", "ann@example.com", "2026-01-15T10:00:00.000Z");
    add(EventType::open, "2", "ann@example.com", "2026-01-17T10:00:00.000Z");
    const auto since = at("2026-01-17T10:00:00.000Z");
    EXPECT_EQ(of(welcome, Deed::opened, since).at("ann@example.com").count, 1);
    EXPECT_TRUE(of(welcome, Deed::opened, since + std::chrono::milliseconds(1)).empty());
}

TEST_F(PeoplesDeedsTest, WhatMachinesDidIsNobodys) {
    add(EventType::open, "1", "ann@example.com", "2026-01-15T10:00:00.000Z", true);
    auto row = rows::key(rows::person("bob@example.com"), "EVT#2026-01-15T10:00:00.000Z#complaint");
    row.set("templateKey", table::Value("welcome")).set("eventType", table::Value("complaint"));
    row.set("feedbackType", table::Value("not-spam"));
    ASSERT_TRUE(engine->put(table::write::Put(settings.tables.events, row)));
    EXPECT_TRUE(of(welcome, Deed::opened).empty());
    EXPECT_TRUE(of(welcome, Deed::complained).empty());
}

TEST_F(PeoplesDeedsTest, RowsOfOtherProgramsAreReadAsFarAsTheyGo) {
    const auto add_row = [&](const std::string& partition, const std::string& sort) {
        auto row = rows::key(partition, sort);
        row.set("templateKey", table::Value("welcome")).set("eventType", table::Value("open"));
        ASSERT_TRUE(engine->put(table::write::Put(settings.tables.events, row)));
    };
    add_row("SUB#ann@example.com", "EVT#2026-01-15T10:00:00Z#open");
    add_row("SUB#ann@example.com", "EVT#yesterday#open");
    add_row("SUB#ann@example.com", "ODD");
    add_row("NOBODY", "EVT#2026-01-15T10:00:00Z#open");
    const auto opened = of(welcome, Deed::opened);
    ASSERT_EQ(opened.size(), 1U);
    EXPECT_EQ(opened.at("ann@example.com").count, 1);
}

}  // namespace
}  // namespace mailroom::engagement
