#include "reminders/rules.h"

#include "base/time_format.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace mailroom::reminders {
namespace {

Time at(std::string_view text) { return *parse_rfc3339(text); }

TEST(ReminderType, TakesEverySpellingInAnyCaseAndNothingElse) {
    struct Case {
        std::string_view text, want;  // An empty `want` is a refusal.
    };
    const Case cases[] = {
        {"first", "first"},   {"first_reminder", "first"},
        {"SECOND", "second"}, {"Second_Reminder", "second"},
        {"final", "final"},   {"FINAL_NOTICE", "final"},
        {" Final ", "final"}, {"third", "final"},
        {"third-ish", ""},    {"", ""},
        {"escalated", ""},    {"final notice", ""},
    };
    for (const auto& c : cases) {
        const auto type = named<ReminderType>(c.text);
        EXPECT_EQ(type ? name_of(*type) : "", c.want) << c.text;
    }
}

struct Sent {
    ReminderType type;
    std::string_view at;
    std::int64_t cycle = 1;
    Fate fate = Fate::sent;
};

Past past_of(const std::vector<Sent>& sent, std::int64_t cycle = 1) {
    Past past;
    past.cycle = cycle;
    for (const auto& one : sent) {
        past.reminders.push_back({one.type, at(one.at), "d" + std::to_string(past.reminders.size()),
                                  one.cycle, one.fate});
    }
    return past;
}

constexpr auto first = ReminderType::first;
constexpr auto second = ReminderType::second;
constexpr auto last = ReminderType::final_notice;

TEST(Rules, DecideByWindowPredecessorAndCycle) {
    struct Case {
        std::string_view name;
        std::vector<Sent> sent;
        ReminderType asked;
        std::string_view now, want, next_allowed;
        std::int64_t cycle = 1;
    };
    const std::string_view t0 = "2025-09-01T10:05:00Z";
    // clang-format off
    const Case cases[] = {
        {"nothing before",               {},                                        first,  t0, "allowed", ""},
        {"first, a moment too soon",     {{first, t0}},                             first,  "2025-09-08T10:04:59.999Z", "sent_recently", "2025-09-08T10:05:00.000Z"},
        {"first, exactly seven days",    {{first, t0}},                             first,  "2025-09-08T10:05:00Z", "allowed", "2025-09-08T10:05:00.000Z"},
        {"second without first",         {},                                        second, t0, "predecessor_missing", ""},
        {"second, a moment too soon",    {{first, t0}},                             second, "2025-09-08T10:04:59.999Z", "predecessor_too_recent", "2025-09-08T10:05:00.000Z"},
        {"second, exactly seven days",   {{first, t0}},                             second, "2025-09-08T10:05:00Z", "allowed", "2025-09-08T10:05:00.000Z"},
        {"a repeated first restarts",    {{first, t0}, {first, "2025-09-08T10:05:00Z"}}, second, "2025-09-09T00:00:00Z", "predecessor_too_recent", "2025-09-15T10:05:00.000Z"},
        {"second within five days",      {{first, t0}, {second, "2025-09-08T10:05:00Z"}}, second, "2025-09-13T10:04:59Z", "sent_recently", "2025-09-13T10:05:00.000Z"},
        {"second after five days",       {{first, t0}, {second, "2025-09-08T10:05:00Z"}}, second, "2025-09-13T10:05:00Z", "allowed", "2025-09-13T10:05:00.000Z"},
        {"final without second",         {{first, t0}},                             last,   "2025-10-01T00:00:00Z", "predecessor_missing", ""},
        {"final, too soon after second", {{first, t0}, {second, "2025-09-08T10:05:00Z"}}, last, "2025-09-13T10:04:59Z", "predecessor_too_recent", "2025-09-13T10:05:00.000Z"},
        {"final, five days after",       {{first, t0}, {second, "2025-09-08T10:05:00Z"}}, last, "2025-09-13T10:05:00Z", "allowed", "2025-09-13T10:05:00.000Z"},
        {"final within three days",      {{first, t0}, {second, "2025-09-08T10:05:00Z"}, {last, "2025-09-13T10:05:00Z"}}, last, "2025-09-16T10:04:59Z", "sent_recently", "2025-09-16T10:05:00.000Z"},
        {"final a second time",          {{first, t0}, {second, "2025-09-08T10:05:00Z"}, {last, "2025-09-13T10:05:00Z"}}, last, "2025-09-16T10:05:00Z", "allowed", "2025-09-16T10:05:00.000Z"},
        {"final a third time",           {{second, "2025-09-08T10:05:00Z"}, {last, "2025-09-13T10:05:00Z"}, {last, "2025-09-16T10:05:00Z"}}, last, "2025-10-16T10:05:00Z", "escalate", "2025-09-19T10:05:00.000Z"},
        {"second after final",           {{first, t0}, {second, "2025-09-08T10:05:00Z"}, {last, "2025-09-13T10:05:00Z"}}, second, "2025-10-16T10:05:00Z", "regression", "2025-09-13T10:05:00.000Z"},
        {"first after second",           {{first, t0}, {second, "2025-09-08T10:05:00Z"}}, first, "2025-10-16T10:05:00Z", "regression", "2025-09-08T10:05:00.000Z"},
        {"first of an earlier cycle is no predecessor", {{first, t0, 1}},           second, "2025-09-20T00:00:00Z", "predecessor_missing", "", 2},
        {"windows ignore cycles",        {{first, t0, 1}},                          first,  "2025-09-05T00:00:00Z", "sent_recently", "2025-09-08T10:05:00.000Z", 2},
        {"finals of an earlier cycle do not add up", {{last, "2025-09-01T00:00:00Z", 1}, {last, "2025-09-04T00:00:00Z", 1}, {second, "2025-10-01T00:00:00Z", 2}}, last, "2025-10-10T00:00:00Z", "allowed", "2025-10-06T00:00:00.000Z", 2},
        {"a failed one does not count",  {{first, t0, 1, Fate::failed}},            first,  "2025-09-01T10:06:00Z", "allowed", ""},
        {"nor does a bounced one",       {{first, t0, 1, Fate::bounced}},           second, "2025-09-20T10:06:00Z", "predecessor_missing", ""},
        {"one in flight does",           {{first, t0, 1, Fate::in_flight}},         first,  "2025-09-01T10:06:00Z", "sent_recently", "2025-09-08T10:05:00.000Z"},
        {"and one that was complained about", {{first, t0, 1, Fate::complained}},   first,  "2025-09-01T10:06:00Z", "sent_recently", "2025-09-08T10:05:00.000Z"},
        {"one from the future blocks",   {{first, "2025-09-20T00:00:00Z"}},         first,  t0, "sent_recently", "2025-09-27T00:00:00.000Z"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto past = past_of(c.sent, c.cycle);
        const auto got = decide({}, {.past = past, .anything_overdue = true}, c.asked, at(c.now));
        EXPECT_EQ(name_of(got.verdict), c.want);
        EXPECT_EQ(got.allowed(), c.want == "allowed");
        EXPECT_EQ(got.next_allowed_at ? format_rfc3339(*got.next_allowed_at) : "", c.next_allowed);
        EXPECT_FALSE(explain(got).empty());
    }
}

TEST(Rules, WhatIsNotAboutTimeComesFirst) {
    const auto past = past_of({{first, "2025-09-01T10:00:00Z"}});
    const auto now = at("2025-09-02T10:00:00Z");
    const auto verdict = [&](Situation situation) {
        return name_of(decide({}, situation, first, now).verdict);
    };
    EXPECT_EQ(verdict({.past = past}), "nothing_overdue");
    EXPECT_EQ(verdict({.past = past, .anything_overdue = true, .suppressed = "bounce"}),
              "suppressed");
    EXPECT_EQ(verdict({.past = past, .anything_overdue = true, .open_draft_id = "x"}),
              "draft_exists");
    const Past nothing;
    EXPECT_EQ(verdict({.past = nothing,
                       .anything_overdue = true,
                       .same_address_at = at("2025-09-01T10:00:00Z")}),
              "duplicate_address");
    EXPECT_EQ(verdict({.past = nothing,
                       .anything_overdue = true,
                       .same_address_at = at("2025-08-26T10:00:00Z")}),
              "allowed");
}

TEST(Rules, AManagerMayOverrideOnlyWhatIsAboutPestering) {
    struct Case {
        Verdict verdict;
        bool want;
    };
    const Case cases[] = {
        {Verdict::nothing_overdue, false},
        {Verdict::suppressed, false},
        {Verdict::draft_exists, false},
        {Verdict::regression, true},
        {Verdict::escalate, true},
        {Verdict::sent_recently, true},
        {Verdict::predecessor_missing, true},
        {Verdict::predecessor_too_recent, true},
        {Verdict::duplicate_address, true},
    };
    for (const auto& c : cases) EXPECT_EQ(may_override(c.verdict), c.want) << name_of(c.verdict);
}

TEST(Rules, ThePolicyIsData) {
    Policy policy;
    policy.rules[0].window_days = 30;
    policy.finals_per_cycle_max = 1;
    const auto past = past_of({{first, "2025-09-01T00:00:00Z"}});
    EXPECT_EQ(
        decide(policy, {.past = past, .anything_overdue = true}, first, at("2025-09-30T23:59:59Z"))
            .verdict,
        Verdict::sent_recently);
    EXPECT_EQ(
        decide(policy, {.past = past, .anything_overdue = true}, first, at("2025-10-01T00:00:00Z"))
            .verdict,
        Verdict::allowed);
    const auto ended = past_of({{second, "2025-09-01T00:00:00Z"}, {last, "2025-09-08T00:00:00Z"}});
    EXPECT_EQ(
        decide(policy, {.past = ended, .anything_overdue = true}, last, at("2025-10-01T00:00:00Z"))
            .verdict,
        Verdict::escalate);
}

TEST(Rules, TheNextTypeFollowsTheCycle) {
    EXPECT_EQ(next_type({}), first);
    EXPECT_EQ(next_type(past_of({{first, "2025-09-01T00:00:00Z"}})), second);
    EXPECT_EQ(next_type(past_of({{first, "2025-09-01T00:00:00Z"}}, 2)), first);
    EXPECT_EQ(next_type(past_of({{second, "2025-09-01T00:00:00Z"}})), last);
    EXPECT_EQ(next_type(past_of({{last, "2025-09-01T00:00:00Z"}})), last);
    EXPECT_EQ(next_type(past_of({{first, "2025-09-01T00:00:00Z", 1, Fate::bounced}})), first);
}

}  // namespace
}  // namespace mailroom::reminders
