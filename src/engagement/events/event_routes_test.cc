#include "engagement/events/event_routes.h"

#include "engagement/engagement_fixture.h"
#include "engagement/numbers/number_routes.h"

namespace mailroom::engagement {
namespace {

class EventRoutesTest : public EngagementTest {
protected:
    void SetUp() override {
        EngagementTest::SetUp();
        timeline.emplace(front->store(),
                         Timeline::Tables{"Audience", "EmailEvents", "MailroomPeople"});
        add_event_routes(api, front->store(), "EmailEvents", *timeline);
        add_number_routes(api, office->account.numbers(), office->account.facts(), clock);
    }
    program::Rendered ask(const std::string& route, program::Pairs path, program::Pairs query) {
        front->catch_up();
        for (const auto& one : api.routes()) {
            if (one.path == route) return one.act({path, query, "", actor});
        }
        ADD_FAILURE() << "no route " << route;
        return {};
    }
    program::Rendered events_of(const std::string& email, program::Pairs query = {}) {
        return ask("/v1/people/{email}/events", {{"email", email}}, std::move(query));
    }
    // "click open click": of the rows of an answer, in their order.
    static std::string shown(const program::Rendered& answer, const std::string& member) {
        std::string all;
        const auto before = "\"" + member + "\":\"";
        for (auto found = answer.body.find(before); found != answer.body.npos;
             found = answer.body.find(before, found + 1)) {
            const auto begin = found + before.size();
            all += (all.empty() ? "" : " ") +
                   answer.body.substr(begin, answer.body.find('"', begin) - begin);
        }
        return all;
    }
    static std::string next(const program::Rendered& answer) { return shown(answer, "next"); }
    void add(EventType type, std::string_view when, std::string_view sequence = "onboarding") {
        auto one =
            happening(type, std::string(name_of(type)) + std::string(when), "a@example.org", when);
        one.sequence_id = sequence;
        note(one);
    }

    const program::Actor actor{"key", "ann", {}};
    program::Api api;
    std::optional<Timeline> timeline;
};

TEST_F(EventRoutesTest, EventsOfAPersonAreTheNewestFirst) {
    add(EventType::delivery, "2026-01-10T10:00:00Z");
    add(EventType::open, "2026-01-11T10:00:00Z");
    add(EventType::click, "2026-01-12T10:00:00Z");
    EXPECT_EQ(shown(events_of("A@example.org"), "eventType"), "click open delivery");
    EXPECT_EQ(shown(events_of("a@example.org", {{"type", "open"}}), "eventType"), "open");
    EXPECT_EQ(shown(events_of("a@example.org", {{"from", "2026-01-11"}}), "eventType"),
              "click open");
    EXPECT_EQ(shown(events_of("a@example.org", {{"to", "2026-01-11"}}), "eventType"),
              "open delivery");
    const auto first = events_of("a@example.org", {{"limit", "2"}});
    EXPECT_EQ(shown(first, "eventType"), "click open");
    EXPECT_EQ(
        shown(events_of("a@example.org", {{"limit", "2"}, {"after", next(first)}}), "eventType"),
        "delivery");
    EXPECT_EQ(events_of("b@example.org").status, 200);
}

TEST_F(EventRoutesTest, WhatCannotBeAskedIsRefusedByName) {
    EXPECT_EQ(events_of("nobody").status, 400);
    EXPECT_EQ(events_of("a@example.org", {{"type", "opened"}}).status, 400);
    EXPECT_EQ(events_of("a@example.org", {{"after", "x"}}).status, 400);
    EXPECT_EQ(ask("/v1/engagement/events", {}, {}).status, 400);
    EXPECT_EQ(ask("/v1/engagement/events", {}, {{"template", "a"}, {"sequence", "b"}}).status, 400);
    EXPECT_EQ(ask("/v1/engagement", {}, {{"domain", "a.org"}, {"sequence", "b"}}).status, 400);
    EXPECT_EQ(ask("/v1/engagement", {}, {{"from", "2024-01-01"}, {"to", "2026-01-01"}}).status,
              400);
    EXPECT_EQ(ask("/v1/engagement/mails/{id}", {{"id", "nothing"}}, {}).status, 404);
}

TEST_F(EventRoutesTest, EventsOfASequenceAreFoundByItsIndex) {
    add(EventType::open, "2026-01-11T10:00:00Z", "onboarding");
    add(EventType::click, "2026-01-12T10:00:00Z", "april");
    EXPECT_EQ(shown(ask("/v1/engagement/events", {}, {{"sequence", "april"}}), "eventType"),
              "click");
    EXPECT_EQ(ask("/v1/engagement/events", {}, {{"sequence", "april"}, {"after", "x"}}).status,
              400);
}

TEST_F(EventRoutesTest, RowsOfOtherProgramsAreShownAsFarAsTheyGo) {
    ASSERT_TRUE(
        engine->put(table::write::Put("EmailEvents", {{"PK", "SUB#a@example.org"},
                                                      {"SK", "EVT#2026-01-11T10:00:00.000Z#open"},
                                                      {"templateKey", "theirs"}})));
    front->catch_up();
    const auto answer = events_of("a@example.org");
    EXPECT_EQ(shown(answer, "eventType"), "open");
    EXPECT_EQ(shown(answer, "timestamp"), "2026-01-11T10:00:00.000Z");
}

TEST_F(EventRoutesTest, TheTimelineLaysMailsEventsAndConsentIntoOneAnother) {
    clock.set(at("2026-01-10T10:00:00Z"));
    const auto id = add_followed({"a@example.org"});
    run();
    clock.advance(std::chrono::hours(1));
    schedule::Transaction transaction;
    people::ConsentEntry entry;
    entry.what = "mail";
    entry.to = "out";
    office->suppressions.books().trail.add(transaction, "a@example.org", entry);
    ASSERT_TRUE(node->schedule->commit(transaction));
    add(EventType::open, "2026-01-10T12:00:00Z");
    const auto all = [&](program::Pairs query) {
        return ask("/v1/people/{email}/timeline", {{"email", "a@example.org"}}, std::move(query));
    };
    EXPECT_EQ(shown(all({}), "what"), "open consent delivery sent");
    // Page after page it is the same.
    std::string pages;
    std::string after;
    for (int i = 0; i < 4; ++i) {
        program::Pairs query = {{"limit", "1"}};
        if (!after.empty()) query.emplace_back("after", after);
        const auto page = all(query);
        pages += shown(page, "what") + " ";
        after = next(page);
    }
    EXPECT_EQ(pages, "open consent delivery sent ");
    EXPECT_EQ(after, "");
    EXPECT_EQ(all({{"after", "x"}}).status, 400);
}

TEST_F(EventRoutesTest, NumbersAreToldByDayAndByName) {
    clock.set(at("2026-01-12T10:00:00Z"));
    add(EventType::open, "2026-01-11T10:00:00Z");
    const auto answer = ask("/v1/engagement", {}, {{"sequence", "onboarding"}});
    EXPECT_EQ(answer.status, 200);
    EXPECT_NE(answer.body.find("\"total\":{\"sent\":0,\"delivered\":0,\"opens\":1"),
              answer.body.npos)
        << answer.body;
    EXPECT_EQ(shown(ask("/v1/engagement/sequences", {}, {}), "name"), "onboarding");
    EXPECT_EQ(shown(ask("/v1/engagement/domains", {}, {}), "name"), "example.org");
}

}  // namespace
}  // namespace mailroom::engagement
