#include "campaigns/sequences/machine.h"

#include "campaigns/sequences/sequences_for_tests.h"
#include "campaigns/sequences/subscriber.h"
#include "campaigns/sequences/variants.h"

#include <gtest/gtest.h>

namespace mailroom::campaigns {
namespace {

constexpr std::string_view welcome =
    R"({"type": "send", "templateKey": "onboarding/welcome", "subject": "Hey"})";

class MachineTest : public testing::Test {
protected:
    void SetUp() override {
        known.now = at("2026-01-01T00:00:00Z");
        set_profile("{}");
        set_attributes("{}");
    }
    void set_profile(std::string_view attributes) {
        auto row = item_of(attributes);
        row.set("PK", table::Value("SUB#user@example.com")).set("SK", table::Value("PROFILE"));
        known.profile = *people::read_profile(row);
    }
    void set_attributes(std::string_view attributes) {
        journey.data = journey_data({"user@example.com", "Jane", item_of(attributes)});
    }
    // What is to be done, in a few words.
    std::string told(const Progress& progress) {
        if (const auto* mail = std::get_if<SendMail>(&progress.todo)) {
            return "send " + mail->template_key;
        }
        if (const auto* sleep = std::get_if<Sleep>(&progress.todo)) {
            return "until " + format_rfc3339_seconds(sleep->until);
        }
        if (const auto* wish = std::get_if<LookUp>(&progress.todo)) {
            return "look up " + wish->template_key;
        }
        const auto& finish = std::get<Finish>(progress.todo);
        return std::string(name_of(finish.ending)) +
               (finish.reason.empty() ? "" : ": " + finish.reason);
    }
    std::string ask(const Plan& plan, Standing& standing) {
        const auto progress = next(plan, journey, standing, known);
        // The same for the same.
        EXPECT_EQ(next(plan, journey, standing, known).standing, progress.standing);
        standing = progress.standing;
        passed.clear();
        for (const auto& one : progress.passed) passed += one.at + " " + one.what + "\n";
        return told(progress);
    }
    std::string first(const Plan& plan) {
        auto standing = Standing::at_the_beginning(plan, known.now);
        return ask(plan, standing);
    }
    bool is_so(const std::string& condition) {
        const auto plan = plan_of(R"({"type": "condition", )" + condition + R"(,
            "then": [{"type": "end", "reason": "yes"}], "else": []})");
        return first(plan) == "ended: yes";
    }

    Known known;
    Journey journey{"e1", 1, "user@example.com", table::Value::null()};
    std::string passed;
};

TEST_F(MachineTest, OfNoStepsCompletesAtOnce) { EXPECT_EQ(first(plan_of("")), "completed"); }

TEST_F(MachineTest, WaitsToTheSecond) {
    const auto plan = plan_of(R"({"type": "wait", "days": 1, "hours": 2, "minutes": 3})");
    auto standing = Standing::at_the_beginning(plan, known.now);
    EXPECT_EQ(ask(plan, standing), "until 2026-01-02T02:03:00Z");
    known.now += std::chrono::milliseconds(93'779'999);
    EXPECT_EQ(ask(plan, standing), "until 2026-01-02T02:03:00Z");
    known.now += std::chrono::milliseconds(1);
    EXPECT_EQ(ask(plan, standing), "completed");
}

TEST_F(MachineTest, OfWhomNothingIsToBeDoneYetIsWhereTheyWere) {
    const auto plan =
        plan_of(std::string(welcome) + R"(, {"type": "wait", "days": 1}, )" + std::string(welcome));
    auto standing = Standing::at_the_beginning(plan, known.now);
    EXPECT_EQ(ask(plan, standing), "send onboarding/welcome");
    EXPECT_EQ(standing.at, "steps[1]");
    EXPECT_EQ(ask(plan, standing), "until 2026-01-02T00:00:00Z");
    EXPECT_EQ(standing.at, "steps[1]");
    // Two months late, after an outage: the mail goes out, once.
    known.now = at("2026-03-01T12:00:00Z");
    EXPECT_EQ(ask(plan, standing), "send onboarding/welcome");
    EXPECT_EQ(standing.at, "");
    EXPECT_EQ(ask(plan, standing), "completed");
}

TEST_F(MachineTest, NamesEachMailOnceAndForAll) {
    const auto plan = plan_of(std::string(welcome) + "," + std::string(welcome));
    const auto begin = Standing::at_the_beginning(plan, known.now);
    const auto key = [&](const Standing& standing) {
        return std::get<SendMail>(next(plan, journey, standing, known).todo).send_key;
    };
    EXPECT_EQ(key(begin), "sequence/onboarding/e1/1/steps[0]/0");
    known.now += std::chrono::hours(1);
    EXPECT_EQ(key(begin), "sequence/onboarding/e1/1/steps[0]/0");
    EXPECT_EQ(key(next(plan, journey, begin, known).standing),
              "sequence/onboarding/e1/1/steps[1]/0");
}

TEST_F(MachineTest, TriesAMailFourTimes) {
    const auto plan = plan_of(welcome);
    auto standing = Standing::at_the_beginning(plan, known.now);
    for (const auto* again : {"until 2026-01-01T00:01:00Z", "until 2026-01-01T00:03:00Z",
                              "until 2026-01-01T00:07:00Z"}) {
        auto failed = after_failure(standing, known.now, "no such template");
        EXPECT_EQ(told(failed), again);
        known.now = std::get<Sleep>(failed.todo).until;
        standing = failed.standing;
        EXPECT_EQ(told(next(plan, journey, standing, known)), "send onboarding/welcome");
    }
    EXPECT_EQ(told(after_failure(standing, known.now, "no such template")),
              "failed: no such template");
    // Another step begins anew.
    EXPECT_EQ(next(plan, journey, standing, known).standing.failures, 0);
}

TEST_F(MachineTest, ChecksWhatThePersonIsNow) {
    const auto exists = [&] {
        return is_so(R"("check": "subscriber_field_exists", "field": "platform")");
    };
    const auto equals = [&](const std::string& value) {
        return is_so(R"("check": "subscriber_field_equals", "field": "plan", "value": )" + value);
    };
    struct Case {
        std::string_view profile;
        bool exists;
    };
    for (const auto& c : {Case{R"({"platform": "web"})", true},
                          {R"({"platform": ""})", false},
                          {"{}", false},
                          {R"({"platform": null})", false},
                          {R"({"platform": false})", true},
                          {R"({"platform": 0})", true}}) {
        set_profile(c.profile);
        EXPECT_EQ(exists(), c.exists) << c.profile;
    }
    set_profile(R"({"plan": "pro"})");
    EXPECT_TRUE(equals(R"("pro")"));
    EXPECT_FALSE(equals(R"("Pro")"));
    set_profile(R"({"plan": 5})");
    EXPECT_FALSE(equals(R"("5")"));
    EXPECT_TRUE(equals("5"));
    EXPECT_TRUE(equals("5.0"));
    set_profile(R"({"unsubscribed": true})");
    EXPECT_TRUE(is_so(R"("check": "subscriber_field_equals", "field": "unsubscribed",
                         "value": true)"));
    known.profile.reset();
    EXPECT_FALSE(exists());
    EXPECT_FALSE(equals("5"));
}

TEST_F(MachineTest, AsksWhetherAMailWasSentAndBelievesTheAnswer) {
    const auto plan = plan_of(R"({"type": "condition", "check": "has_been_sent",
        "templateKey": "a/b", "then": [{"type": "end", "reason": "yes"}]})");
    EXPECT_EQ(first(plan), "look up a/b");
    known.was_sent["a/b"] = true;
    EXPECT_EQ(first(plan), "ended: yes");
    known.was_sent["a/b"] = false;
    EXPECT_EQ(first(plan), "completed");
}

TEST_F(MachineTest, TakesWhatItCannotReadInAStoredDefinitionForNo) {
    auto definition = definition_of(sequence_text(R"({"type": "condition",
        "check": "has_been_sent", "templateKey": "a", "then": [{"type": "end"}]})"));
    auto& condition = std::get<ConditionStep>(definition.steps[0].what);
    const auto asked = [&] {
        return first(*Plan::make(
            definition, [](people::Filter filter) -> Answer<people::Filter> { return filter; }));
    };
    condition.template_key.clear();
    EXPECT_EQ(asked(), "completed");
    condition.check = "has_been_seen";
    EXPECT_EQ(asked(), "completed");
    condition.check = "subscriber_field_equals";
    EXPECT_EQ(asked(), "completed");
}

TEST_F(MachineTest, AsksFiltersAsSegmentsDo) {
    set_profile(R"({"plan": "pro", "seats": 12, "tags": ["vip"]})");
    EXPECT_TRUE(is_so(R"("filter": "plan = \"pro\" and seats >= 10 and not tag = \"churned\"")"));
    EXPECT_TRUE(is_so(R"("rules": {"any": [{"tag": "vip"}, {"did": "opened"}]})"));
    EXPECT_FALSE(is_so(R"("filter": "opened within 7 days")"));
    known.activity.done[static_cast<std::size_t>(people::Deed::opened)] = {known.now, 1};
    EXPECT_TRUE(is_so(R"("filter": "opened within 7 days")"));
    known.profile.reset();
    EXPECT_FALSE(is_so(R"("filter": "not plan = \"pro\"")"));
}

TEST_F(MachineTest, ChoosesByWhatThePersonCameWithAndNothingElse) {
    const auto plan = plan_of(R"({"type": "choice", "field": "$.subscriber.attributes.plan",
        "branches": [{"value": "pro", "steps": [{"type": "end", "reason": "pro"}]},
                     {"value": "free", "steps": []}, {"value": "", "steps": [{"type": "end"}]}],
        "default": [{"type": "end", "reason": "default"}]}, {"type": "end", "reason": "common"})");
    struct Case {
        std::string_view attributes, ending;
    };
    for (const auto& c : {Case{R"({"plan": "pro"})", "ended: pro"},
                          {R"({"plan": "free"})", "ended: common"},  // A branch that does nothing.
                          {R"({"plan": "Pro"})", "ended: default"},
                          {R"({"plan": 1})", "ended: default"},
                          {"{}", "ended: default"},
                          {R"({"plan": ""})", "ended: as the sequence says"},
                          {R"({"plan": {"x": 1}})", "ended: default"}}) {
        set_attributes(c.attributes);
        set_profile(R"({"plan": "free"})");
        EXPECT_EQ(first(plan), c.ending) << c.attributes;
    }
}

TEST_F(MachineTest, SaysWhichWayItWent) {
    const auto plan = plan_of(R"({"type": "condition", "filter": "plan exists", "then": [],
        "else": [{"type": "choice", "field": "$.subscriber.email", "branches": []}]},
        {"type": "wait", "minutes": 1})");
    EXPECT_EQ(first(plan), "until 2026-01-01T00:01:00Z");
    EXPECT_EQ(passed, "steps[0] false\nsteps[0].else[0] default\n");
}

TEST_F(MachineTest, EndsWhenItsTimeIsOverWhateverItWaitsFor) {
    const auto plan = plan_of(R"({"type": "wait", "days": 30})", R"("timeoutMinutes": 60, )");
    auto standing = Standing::at_the_beginning(plan, known.now);
    EXPECT_EQ(ask(plan, standing), "until 2026-01-01T01:00:00Z");
    known.now = at("2026-01-01T01:00:00Z");
    EXPECT_EQ(ask(plan, standing), "timed_out: after 60 minutes");
}

TEST_F(MachineTest, EndsForThoseWhoReplyAndForThoseWhoAreThere) {
    const auto plan = plan_of(R"({"type": "wait", "days": 30})",
                              R"("endsOnReply": true, "goals": [{"name": "bought",
                                 "filter": "plan = \"pro\""}], )");
    EXPECT_TRUE(plan.asks_for_deeds());
    auto standing = Standing::at_the_beginning(plan, known.now);
    auto& replied = known.activity.done[static_cast<std::size_t>(people::Deed::replied)];
    replied = {known.now - std::chrono::milliseconds(1), 1};
    EXPECT_EQ(ask(plan, standing), "until 2026-01-31T00:00:00Z");
    replied = {known.now, 2};
    EXPECT_EQ(ask(plan, standing), "replied: the person replied");
    replied.reset();
    set_profile(R"({"plan": "pro"})");
    EXPECT_EQ(ask(plan, standing), "goal: bought");
}

TEST_F(MachineTest, FailsOfAStepThatIsNotThere) {
    const auto plan = plan_of(welcome);
    auto standing = Standing::at_the_beginning(plan, known.now);
    standing.at = "steps[7]";
    EXPECT_EQ(ask(plan, standing), "failed: there is no step steps[7]");
}

TEST_F(MachineTest, SendsWhenTheWindowIsOpen) {
    const auto plan = plan_of(welcome, R"("window": {"days": ["mon", "tue", "wed", "thu", "fri"],
        "between": "09:00-17:00", "quiet": "12:00-13:00"}, )");
    struct Case {
        std::string_view now, todo;
    };
    const Case cases[] = {
        {"2026-01-01T08:59:59Z", "until 2026-01-01T09:00:00Z"},
        {"2026-01-01T09:00:00Z", "send onboarding/welcome"},
        {"2026-01-01T12:30:00Z", "until 2026-01-01T13:00:00Z"},
        {"2026-01-02T17:00:00Z", "until 2026-01-05T09:00:00Z"},  // A Friday.
    };
    for (const auto& c : cases) {
        known.now = at(c.now);
        EXPECT_EQ(first(plan), c.todo) << c.now;
    }
}

TEST_F(MachineTest, SendsNoMoreThanTheCapAllows) {
    const std::string cap = R"("cap": {"mails": 2, "days": 7, "over": )";
    const auto waiting = plan_of(welcome, cap + R"("wait"}, )");
    const auto skipping = plan_of(welcome, cap + R"("skip"}, )");
    EXPECT_EQ(first(waiting), "look up ");
    known.mails = {{at("2025-12-25T00:00:00Z"), at("2025-12-31T00:00:00Z")}};
    EXPECT_EQ(first(waiting), "send onboarding/welcome");  // One is a week old.
    known.mails = {
        {at("2025-12-31T00:00:00Z"), at("2025-12-26T10:00:00Z"), at("2025-12-25T00:00:01Z")}};
    EXPECT_EQ(first(waiting), "until 2026-01-02T10:00:00Z");
    EXPECT_EQ(first(skipping), "completed");
    EXPECT_EQ(passed, "steps[0] skipped: too many mails\n");
}

TEST_F(MachineTest, RepeatsAtTheSameTimeOfDayAndMakesUpForNothing) {
    const auto plan = plan_of(R"({"type": "repeat", "every": "1 week", "at": "09:00", "times": 3,
        "steps": [)" + std::string(welcome) +
                              R"(]}, {"type": "end", "reason": "all sent"})");
    auto standing = Standing::at_the_beginning(plan, known.now);
    EXPECT_EQ(ask(plan, standing), "until 2026-01-01T09:00:00Z");
    known.now = at("2026-01-01T09:00:00Z");
    auto progress = next(plan, journey, standing, known);
    EXPECT_TRUE(std::get<SendMail>(progress.todo).send_key.ends_with("/steps[0].steps[0]/1"));
    EXPECT_EQ(ask(plan, standing), "send onboarding/welcome");
    EXPECT_EQ(ask(plan, standing), "until 2026-01-08T09:00:00Z");
    // Down for three weeks: the round that was due is late, those in between are gone.
    known.now = at("2026-01-25T03:00:00Z");
    progress = next(plan, journey, standing, known);
    EXPECT_TRUE(std::get<SendMail>(progress.todo).send_key.ends_with("/2"));
    EXPECT_EQ(ask(plan, standing), "send onboarding/welcome");
    EXPECT_EQ(ask(plan, standing), "until 2026-01-29T09:00:00Z");
    known.now = at("2026-01-29T09:00:00Z");
    EXPECT_EQ(ask(plan, standing), "send onboarding/welcome");
    EXPECT_EQ(ask(plan, standing), "ended: all sent");
}

TEST_F(MachineTest, RepeatsUntilSomethingEndsItIfNoNumberIsSaid) {
    const auto plan = plan_of(
        R"({"type": "repeat", "every": "1 month", "steps": [)" + std::string(welcome) + "]}",
        R"("timeoutMinutes": 527040, )");
    known.now = at("2026-01-31T10:00:00Z");
    auto standing = Standing::at_the_beginning(plan, known.now);
    std::string days;
    for (int i = 0; i < 100; ++i) {
        const auto progress = next(plan, journey, standing, known);
        standing = progress.standing;
        if (std::holds_alternative<Finish>(progress.todo)) break;
        if (const auto* sleep = std::get_if<Sleep>(&progress.todo)) known.now = sleep->until;
        if (std::holds_alternative<SendMail>(progress.todo)) {
            days += format_rfc3339_seconds(known.now).substr(5, 6);
        }
    }
    EXPECT_EQ(days,
              "01-31T02-28T03-31T04-30T05-31T06-30T07-31T08-31T09-30T10-31T11-30T12-31T"
              "01-31T");
}

TEST_F(MachineTest, ChoosesVariantsAsOtherProgramsDo) {
    EXPECT_EQ(variant_of("user@example.com", "onboarding", 2), 0U);
    EXPECT_EQ(variant_of("jane@example.com", "onboarding", 2), 0U);
    EXPECT_EQ(variant_of("alice@example.com", "onboarding", 2), 1U);
    EXPECT_EQ(variant_of("bob@example.com", "onboarding", 2), 1U);
    EXPECT_EQ(variant_of("user@example.com", "onboarding", 3), 2U);
    EXPECT_EQ(variant_of("alice@example.com", "onboarding", 3), 1U);
    EXPECT_EQ(variant_of("bob@example.com", "onboarding", 3), 0U);
    EXPECT_EQ(variant_of("alice@example.com", "win-back", 2), 0U);
    // The heads of the hashes themselves.
    constexpr std::size_t all = std::size_t{1} << 32;
    EXPECT_EQ(variant_of("user@example.com", "onboarding", all), 2'000'433'698U);
    EXPECT_EQ(variant_of("bob@example.com", "onboarding", all), 2'600'622'759U);

    const auto plan = plan_of(R"({"type": "send", "variants": [
        {"templateKey": "a", "subject": "A"}, {"templateKey": "b", "subject": "B"}]})");
    EXPECT_EQ(first(plan), "send a");
    journey.address = "alice@example.com";
    EXPECT_EQ(first(plan), "send b");
    EXPECT_EQ(first(plan), "send b");
}

TEST_F(MachineTest, LetsNobodyInWhoMustNotBeWrittenTo) {
    auto definition = definition_of(sequence_text(""));
    const auto refused = [&] {
        return entry_refusal(definition, known.profile, "user@example.com").value_or("");
    };
    EXPECT_EQ(refused(), "");
    set_profile(R"({"unsubscribed": true, "suppressed": true})");
    EXPECT_EQ(refused(), "Cannot register sequence for unsubscribed subscriber: user@example.com");
    definition.transactional = true;
    EXPECT_EQ(refused(), "Cannot register sequence for suppressed subscriber: user@example.com");
    set_profile(R"({"unsubscribed": true})");
    EXPECT_EQ(refused(), "");
    known.profile.reset();
    EXPECT_EQ(refused(), "");
}

}  // namespace
}  // namespace mailroom::campaigns
