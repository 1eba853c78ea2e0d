#include "engagement/numbers/numbers.h"

#include "engagement/engagement_fixture.h"

namespace mailroom::engagement {
namespace {

class NumbersTest : public EngagementTest {
protected:
    void add(EventType type, std::string_view id, std::string_view email, std::string_view when,
             std::string_view sequence = "onboarding", std::string_view template_key = "welcome") {
        auto one = happening(type, id, email, when);
        one.mail_id = "mail to " + one.email;
        one.sequence_id = sequence;
        one.template_key = template_key;
        note(one);
    }
    std::vector<DayFigures> days(const NumbersOf& of, std::string_view from, std::string_view to) {
        return taken(office->account.numbers().by_day(of, at(from), at(to)));
    }
    Figures total(const NumbersOf& of) {
        Figures sum;
        for (const auto& day : days(of, "2026-01-01T00:00:00Z", "2026-01-31T00:00:00Z")) {
            sum += day.figures;
        }
        return sum;
    }
};

TEST_F(NumbersTest, EachDayHasWhatHappenedOnIt) {
    add(EventType::open, "o1", "a@example.org", "2026-01-10T23:59:59.999Z");
    add(EventType::open, "o2", "a@example.org", "2026-01-11T00:00:00.000Z");
    add(EventType::open, "o3", "b@example.org", "2026-01-11T12:00:00.000Z");
    const auto all = days({}, "2026-01-10T08:00:00Z", "2026-01-12T00:00:00Z");
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].day, "2026-01-10");
    EXPECT_EQ(all[0].figures.opens, 1);
    EXPECT_EQ(all[0].figures.unique_opens, 1);
    EXPECT_EQ(all[1].figures.opens, 2);
    EXPECT_EQ(all[1].figures.unique_opens, 1);
    EXPECT_EQ(all[2].figures, Figures());
}

TEST_F(NumbersTest, TemplateSequenceBothAndDomainEachHaveTheirOwn) {
    const auto when = "2026-01-10T10:00:00Z";
    add(EventType::delivery, "d1", "a@example.org", when, "onboarding", "welcome");
    add(EventType::delivery, "d2", "b@example.org", when, "onboarding", "second");
    add(EventType::delivery, "d3", "c@Example.com", when, "april", "welcome");
    EXPECT_EQ(total({}).delivered, 3);
    EXPECT_EQ(total({.template_key = "welcome"}).delivered, 2);
    EXPECT_EQ(total({.sequence_id = "onboarding"}).delivered, 2);
    EXPECT_EQ(total({.template_key = "welcome", .sequence_id = "onboarding"}).delivered, 1);
    EXPECT_EQ(total({.domain = "example.com"}).delivered, 1);
    const auto domains = taken(office->account.numbers().by_name(
        NumbersBy::domains, at("2026-01-01T00:00:00Z"), at("2026-01-31T00:00:00Z")));
    ASSERT_EQ(domains.size(), 2u);
    EXPECT_EQ(domains[0].name, "example.com");
    EXPECT_EQ(domains[1].figures.delivered, 2);
}

TEST_F(NumbersTest, ABounceCountsAsWhatItIs) {
    for (const auto severity : {bounces::Severity::hard, bounces::Severity::soft}) {
        auto one = happening(EventType::bounce, name_of(severity), "a@example.org");
        one.bounce.emplace();
        one.bounce->severity = severity;
        note(one);
    }
    const auto all = total({});
    EXPECT_EQ(all.bounces, 2);
    EXPECT_EQ(all.hard_bounces, 1);
    EXPECT_EQ(all.soft_bounces, 1);
}

TEST_F(NumbersTest, AMailHasItsOwn) {
    const auto id = add_followed({"a@example.org"});
    run();
    for (const auto event : {"o1", "o2", "o2"}) {
        auto open = happening(EventType::open, event, "");
        open.mail_id = id;
        note(open);
    }
    const auto figures = taken(office->account.facts().figures(id));
    EXPECT_EQ(figures.sent, 1);
    EXPECT_EQ(figures.delivered, 1);
    EXPECT_EQ(figures.opens, 2);
    EXPECT_EQ(figures.unique_opens, 1);
    EXPECT_EQ(taken(office->account.facts().figures("nothing")), Figures());
}

// What is kept is what a count of the rows gives, whatever came how often.
TEST_F(NumbersTest, WhatIsKeptIsWhatIsThere) {
    std::int64_t events_there = 0;
    for (int i = 0; i < 300; ++i) {
        const auto person = "p" + std::to_string(random_up_to(random, 6)) + "@example.org";
        const auto type = random_up_to(random, 1) == 0 ? EventType::open : EventType::click;
        const auto id = std::to_string(random_up_to(random, 150));
        auto one = happening(type, std::string(name_of(type)) + "-" + id + person, person);
        one.at = at("2026-01-15T10:00:00Z") + std::chrono::milliseconds(std::stoi(id) % 3);
        one.sequence_id = "onboarding";
        note(one);
    }
    for (int i = 0; i <= 6; ++i) {
        events_there += std::ssize(events("p" + std::to_string(i) + "@example.org"));
    }
    EXPECT_EQ(total({}).opens + total({}).clicks, events_there);
    EXPECT_EQ(counted("onboarding", "openCount") + counted("onboarding", "clickCount"),
              events_there);
}

}  // namespace
}  // namespace mailroom::engagement
