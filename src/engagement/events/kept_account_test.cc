#include "engagement/events/kept_account.h"

#include "engagement/engagement_fixture.h"

#include <thread>

namespace mailroom::engagement {
namespace {

using namespace std::chrono_literals;

class KeptAccountTest : public EngagementTest {
protected:
    Happening click() {
        auto click = happening(EventType::click, "c1", "User@Example.com");
        click.template_key = "onboarding/welcome";
        click.sequence_id = "onboarding";
        click.subject = "Welcome!";
        click.message_id = "<0100-abc@example.com>";
        click.link_url = "https://example.com/promo";
        click.user_agent = "Mozilla/5.0";
        return click;
    }
    std::size_t found_in(const std::string& index, const std::string& attribute,
                         const std::string& value) {
        front->catch_up();
        return all(table::from("EmailEvents").index(index).partition(attribute, value)).size();
    }
};

// Scenario 18 of the seed.
TEST_F(KeptAccountTest, AClickIsARowAsTheSeedHasItAndIsCounted) {
    EXPECT_EQ(note(click()).added, 1u);
    const auto event =
        row("EmailEvents", "SUB#user@example.com", "EVT#2026-01-15T10:00:00.000Z#click");
    ASSERT_TRUE(event);
    const std::pair<const char*, const char*> wanted[] = {{"eventType", "click"},
                                                          {"templateKey", "onboarding/welcome"},
                                                          {"sequenceId", "onboarding"},
                                                          {"subject", "Welcome!"},
                                                          {"sesMessageId", "0100-abc@example.com"},
                                                          {"timestamp", "2026-01-15T10:00:00.000Z"},
                                                          {"linkUrl", "https://example.com/promo"},
                                                          {"userAgent", "Mozilla/5.0"},
                                                          {"eventId", "c1"}};
    for (const auto& [name, value] : wanted) EXPECT_EQ(event->text(name), value) << name;
    EXPECT_FALSE(event->has("ttl"));
    EXPECT_EQ(counted("onboarding", "clickCount"), 1);
    EXPECT_EQ(row("Audience", "STATS#onboarding", "COUNTERS")->text("sequenceId"), "onboarding");
    EXPECT_EQ(found_in("TemplateIndex", "templateKey", "onboarding/welcome"), 1u);
    EXPECT_EQ(found_in("SequenceIndex", "sequenceId", "onboarding"), 1u);
}

TEST_F(KeptAccountTest, EventsGoWhenTheirDaysAreOver) {
    settings.data_ttl_days = 365;
    reopen();
    clock.set(at("2026-03-17T10:30:00Z"));
    note(click());
    EXPECT_EQ(events("user@example.com").at(0).integer("ttl"), 1'805'279'400);
}

TEST_F(KeptAccountTest, AHappeningIsRememberedLongerThanAnybodyTellsOfIt) {
    for (const auto days : {0, 30, 1000}) {
        settings.data_ttl_days = days;
        reopen();
        auto one = click();
        one.id = "c" + std::to_string(days);
        note(one);
        const auto key = rows::done(one.id);
        const auto mark = row("MailroomEngagement", std::string(*key.text("PK")), "DONE");
        const auto kept_for = std::chrono::days(std::max(days, 400));
        EXPECT_EQ(mark->integer("ttl"), to_unix_seconds(clock.now() + kept_for)) << days;
    }
}

TEST_F(KeptAccountTest, AMailWithoutASequenceIsCountedAsTheSeedDoes) {
    auto one = click();
    one.sequence_id.clear();
    note(one);
    EXPECT_EQ(counted("fire_and_forget", "clickCount"), 1);
}

// D4: an index takes no empty key.
TEST_F(KeptAccountTest, AReplyToNothingThatIsKnownIsKept) {
    auto reply = happening(EventType::reply, "r1", "user@example.com");
    reply.body = "Who are you?";
    EXPECT_EQ(note(reply).added, 1u);
    const auto all = events("user@example.com");
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].text("body"), "Who are you?");
    EXPECT_FALSE(all[0].has("templateKey"));
    EXPECT_FALSE(all[0].has("sequenceId"));
}

// D13
TEST_F(KeptAccountTest, WhatIsToldAgainIsCountedOnce) {
    EXPECT_EQ(note(click()).added, 1u);
    EXPECT_EQ(note(click()).known, 1u);
    EXPECT_EQ(office->account.added(EventType::click, false), 1u);
    EXPECT_EQ(office->account.added(EventType::click, true), 0u);
    reopen();
    clock.advance(24h);
    EXPECT_EQ(note(click()).known, 1u);
    EXPECT_EQ(events("user@example.com").size(), 1u);
    EXPECT_EQ(counted("onboarding", "clickCount"), 1);
}

TEST_F(KeptAccountTest, WhatIsToldAgainAfterItsRowWasErasedStaysErased) {
    note(click());
    ASSERT_TRUE(engine->erase(table::write::Erase(
        "EmailEvents",
        {{"PK", "SUB#user@example.com"}, {"SK", "EVT#2026-01-15T10:00:00.000Z#click"}})));
    EXPECT_EQ(note(click()).known, 1u);
    EXPECT_TRUE(events("user@example.com").empty());
}

TEST_F(KeptAccountTest, TwoClicksInOneMillisecondAreTwo) {
    auto second = click();
    second.id = "c2";
    second.link_url = "https://example.com/other";
    EXPECT_EQ(note(click()).added, 1u);
    EXPECT_EQ(note(second).added, 1u);
    EXPECT_EQ(note(second).known, 1u);
    EXPECT_EQ(types("user@example.com"), "click click");
    EXPECT_EQ(counted("onboarding", "clickCount"), 2);
    EXPECT_EQ(counted("onboarding", "uniqueClickCount"), 1);
}

TEST_F(KeptAccountTest, ARowThatAnotherProgramWroteInItsPlaceStays) {
    const std::string partition = "SUB#user@example.com";
    const std::string place = "EVT#2026-01-15T10:00:00.000Z#click";
    ASSERT_TRUE(engine->put(table::write::Put(
        "EmailEvents", {{"PK", partition}, {"SK", place}, {"eventType", "click"}})));
    EXPECT_EQ(note(click()).added, 1u);
    EXPECT_FALSE(row("EmailEvents", partition, place)->has("eventId"));
    EXPECT_EQ(events("user@example.com").size(), 2u);
}

TEST_F(KeptAccountTest, WhatMachinesDoIsKeptApart) {
    auto machine = click();
    machine.is_machine = true;
    machine.machine_reason = "scanner";
    note(machine);
    auto person = click();
    person.id = "c2";
    person.at += 1s;
    note(person);
    EXPECT_EQ(counted("onboarding", "machineClickCount"), 1);
    EXPECT_EQ(counted("onboarding", "clickCount"), 1);
    EXPECT_EQ(counted("onboarding", "uniqueClickCount"), 1);
    EXPECT_EQ(events("user@example.com").at(0).boolean("machine"), true);
    EXPECT_EQ(events("user@example.com").at(0).text("machineReason"), "scanner");
    const auto activity = taken(office->activities.of("user@example.com"));
    EXPECT_EQ(activity.of(people::Deed::clicked)->count, 1);
}

TEST_F(KeptAccountTest, WhoeverTellsOfADeliveryItIsOne) {
    auto ours = happening(EventType::delivery, "delivery:1", "user@example.com");
    ours.mail_id = "m1";
    ours.sequence_id = "onboarding";
    auto providers = ours;
    providers.id = "ses:77";
    providers.at += 3s;
    EXPECT_EQ(note(ours).added, 1u);
    EXPECT_EQ(note(providers).known, 1u);
    EXPECT_EQ(counted("onboarding", "deliveryCount"), 1);
}

TEST_F(KeptAccountTest, WhatCannotBeNotedIsRefusedByName) {
    struct Case {
        std::string_view name, id, email, field;
    };
    const std::string long_id(201, 'x');
    const Case cases[] = {{"no id", "", "a@example.com", "id"},
                          {"a long id", long_id, "a@example.com", "id"},
                          {"nobody", "e1", "", "email"},
                          {"no address", "e1", "nobody", "email"}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto one = happening(EventType::open, c.id, c.email);
        const auto noted = office->account.note({&one, 1});
        ASSERT_FALSE(noted);
        EXPECT_EQ(noted.error().kind, Refusal::Kind::invalid);
        ASSERT_EQ(noted.error().fields.size(), 1u);
        EXPECT_EQ(noted.error().fields[0].field, c.field);
    }
}

TEST_F(KeptAccountTest, WhatStandsBeforeOneThatIsRefusedIsNoted) {
    const Happening all[] = {click(), happening(EventType::open, "", "a@example.com")};
    EXPECT_FALSE(office->account.note(all));
    EXPECT_EQ(counted("onboarding", "clickCount"), 1);
}

TEST_F(KeptAccountTest, ManyWhoTellOfTheSameAtOnceCountItOnce) {
    constexpr int tellers = 4, clicks = 10;
    std::vector<std::thread> threads;
    for (int i = 0; i < tellers; ++i) {
        threads.emplace_back([this] {
            for (int n = 0; n < clicks; ++n) {
                auto one = click();
                one.id = "c" + std::to_string(n);
                one.at += std::chrono::milliseconds(n % 3);
                EXPECT_TRUE(office->account.note({&one, 1}));
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(events("user@example.com").size(), static_cast<std::size_t>(clicks));
    EXPECT_EQ(counted("onboarding", "clickCount"), clicks);
    EXPECT_EQ(counted("onboarding", "uniqueClickCount"), 1);
}

TEST_F(KeptAccountTest, ManyThatAreToldTogetherAreEachNotedOnce) {
    std::vector<Happening> all;
    for (int n = 0; n < 200; ++n) {
        auto one = click();
        one.id = "c" + std::to_string(n % 150);
        one.email = "p" + std::to_string(n % 150 % 7) + "@example.org";
        one.mail_id = "mail " + std::to_string(n % 150 % 14);
        all.push_back(one);
    }
    const auto noted = taken(office->account.note(all));
    EXPECT_EQ(noted.added, 150u);
    EXPECT_EQ(noted.known, 50u);
    EXPECT_EQ(counted("onboarding", "clickCount"), 150);
    EXPECT_EQ(counted("onboarding", "uniqueClickCount"), 14);
    std::size_t there = 0;
    for (int person = 0; person < 7; ++person) {
        there += events("p" + std::to_string(person) + "@example.org").size();
    }
    EXPECT_EQ(there, 150u);
}

class Counting final : public Witness {
public:
    Result<> add_to(schedule::Transaction& transaction, const Event& event) override {
        if (fails) return Error{Errc::unavailable, "not now"};
        transaction.update("MailroomEngagement", rows::key("WITNESS", event.sort)).add("n", 1);
        return Ok{};
    }
    bool fails = false;
};

TEST_F(KeptAccountTest, AWitnessWritesWithTheEventOrNeitherIsWritten) {
    Counting witness;
    office->account.tell(witness);
    witness.fails = true;
    const auto one = click();
    EXPECT_FALSE(office->account.note({&one, 1}));
    EXPECT_TRUE(events("user@example.com").empty());
    EXPECT_EQ(counted("onboarding", "clickCount"), 0);
    witness.fails = false;
    EXPECT_EQ(note(one).added, 1u);
    note(one);
    EXPECT_EQ(
        row("MailroomEngagement", "WITNESS", "EVT#2026-01-15T10:00:00.000Z#click")->integer("n"),
        1);
}

}  // namespace
}  // namespace mailroom::engagement
