#include "campaigns/sequences/timeline.h"

#include "campaigns/sequences/sequences_for_tests.h"

#include <gtest/gtest.h>

namespace mailroom::campaigns {
namespace {

class TimelineTest : public testing::Test {
protected:
    void SetUp() override {
        outlook.begin = at("2026-01-01T00:00:00Z");
        outlook.subscriber = {"user@example.com", "Jane", item_of("{}")};
    }
    Timeline foretold(const Plan& plan) {
        auto timeline = foretell(plan, outlook, zones);
        EXPECT_TRUE(timeline);
        return timeline ? *std::move(timeline) : Timeline();
    }
    // "local what step detail", a line each.
    std::string told(std::string_view steps, std::string_view more = "") {
        std::string text;
        for (const auto& line : foretold(plan_of(steps, more)).lines) {
            text += line.local + " " + line.what;
            if (!line.step.empty()) text += " " + line.step;
            if (!line.template_key.empty()) text += " " + line.template_key;
            if (line.until) text += " until " + format_rfc3339_seconds(*line.until);
            if (!line.detail.empty()) text += " (" + line.detail + ")";
            text += "\n";
        }
        return text;
    }
    void happens(std::string_view time, std::string type, std::string_view detail = "{}") {
        outlook.events.push_back({at(time), std::move(type), table::Value::map(item_of(detail))});
    }

    const liquid::TimeZones zones;
    Outlook outlook;
};

constexpr std::string_view drip = R"(
    {"type": "send", "templateKey": "a", "subject": "A"},
    {"type": "wait", "days": 2, "at": "09:00"},
    {"type": "condition", "check": "has_been_sent", "templateKey": "a",
     "then": [{"type": "send", "templateKey": "b", "subject": "B"}]})";

TEST_F(TimelineTest, TellsEachStepInTheTimeOfThePerson) {
    outlook.profile = item_of(R"({"PK": "SUB#user@example.com", "SK": "PROFILE",
                                  "mailroomZone": "America/New_York"})");
    EXPECT_EQ(told(drip),
              "Wed 2025-12-31 19:00 enter\n"
              "Wed 2025-12-31 19:00 send steps[0] a\n"
              "Wed 2025-12-31 19:00 wait steps[1] until 2026-01-03T14:00:00Z (wait)\n"
              "Sat 2026-01-03 09:00 step steps[1] (waited)\n"
              "Sat 2026-01-03 09:00 step steps[2] (true)\n"
              "Sat 2026-01-03 09:00 send steps[2].then[0] b\n"
              "Sat 2026-01-03 09:00 end (completed)\n");
}

TEST_F(TimelineTest, CountsTheZoneOfTheSequenceWhereNoneIsKnown) {
    const auto text = told(R"({"type": "wait", "until": {"date": "2026-03-30"}})",
                           R"("zone": "Europe/Berlin", )");
    EXPECT_NE(text.find("until 2026-03-29T22:00:00Z"), text.npos) << text;
}

TEST_F(TimelineTest, SkipsMailsThatTheyMustNotGetAndGoesOn) {
    outlook.profile = item_of(R"({"PK": "SUB#user@example.com", "SK": "PROFILE",
                                  "unsubscribed": true})");
    EXPECT_EQ(told(drip),
              "Thu 2026-01-01 00:00 enter\nThu 2026-01-01 00:00 end (Cannot register "
              "sequence for unsubscribed subscriber: user@example.com)\n");
    EXPECT_NE(told(drip, R"("transactional": true, )").find("send steps[0] a\n"),
              std::string::npos);
}

TEST_F(TimelineTest, EndsAtAnExitEventAndSendsTheMailsOfOthers) {
    happens("2026-01-02T00:00:00Z", "customer.first_sale", R"({"plan": "pro"})");
    happens("2026-01-02T12:00:00Z", "customer.upgraded");
    happens("2025-01-01T00:00:00Z", "customer.upgraded");  // Before it all began.
    EXPECT_EQ(told(drip, R"("exitOn": [{"detailType": "customer.upgraded"}],
                           "events": [{"detailType": "customer.first_sale",
                                       "templateKey": "sale", "subject": "S"}], )"),
              "Thu 2026-01-01 00:00 enter\n"
              "Thu 2026-01-01 00:00 send steps[0] a\n"
              "Thu 2026-01-01 00:00 wait steps[1] until 2026-01-03T09:00:00Z (wait)\n"
              "Fri 2026-01-02 00:00 event (customer.first_sale)\n"
              "Fri 2026-01-02 00:00 send sale\n"
              "Fri 2026-01-02 00:00 wait steps[1] until 2026-01-03T09:00:00Z (wait)\n"
              "Fri 2026-01-02 12:00 end (exit event: customer.upgraded)\n");
}

TEST_F(TimelineTest, BeginsAnewWithAnotherTrigger) {
    happens("2026-01-02T00:00:00Z", "customer.created", R"({"plan": "pro"})");
    const auto text = told(R"({"type": "wait", "days": 2}, {"type": "choice",
        "field": "$.subscriber.attributes.plan", "branches": [{"value": "pro", "steps": []}]})");
    EXPECT_EQ(text,
              "Thu 2026-01-01 00:00 enter\n"
              "Thu 2026-01-01 00:00 wait steps[0] until 2026-01-03T00:00:00Z (wait)\n"
              "Fri 2026-01-02 00:00 event (customer.created)\n"
              "Fri 2026-01-02 00:00 enter\n"
              "Fri 2026-01-02 00:00 wait steps[0] until 2026-01-04T00:00:00Z (wait)\n"
              "Sun 2026-01-04 00:00 step steps[0] (waited)\n"
              "Sun 2026-01-04 00:00 step steps[1] (branch pro)\n"
              "Sun 2026-01-04 00:00 end (completed)\n");
}

TEST_F(TimelineTest, FollowsADateThatMovesWhileItIsWaitedFor) {
    outlook.subscriber.attributes = item_of(R"({"renewal": "2026-02-01"})");
    happens("2026-01-05T00:00:00Z", "sale", R"({"renewal": "2026-01-20"})");
    const auto text = told(R"({"type": "wait", "until": {"attribute": "renewal",
                              "offset": "5 days before"}})",
                           R"("events": [{"detailType": "sale", "templateKey": "s",
                                          "subject": "S"}], )");
    EXPECT_NE(text.find("until 2026-01-27T00:00:00Z"), text.npos) << text;
    EXPECT_NE(text.find("until 2026-01-15T00:00:00Z"), text.npos) << text;
    EXPECT_NE(text.find("Thu 2026-01-15 00:00 end (completed)"), text.npos) << text;
}

TEST_F(TimelineTest, SystemColumnsOfAnEventAreInert) {
    outlook.profile = item_of(R"({"PK": "SUB#user@example.com", "SK": "PROFILE",
                                  "unsubscribed": true})");
    outlook.subscriber.attributes =
        item_of(R"({"unsubscribed": false, "PK": "y", "mailroomZone": "Asia/Tokyo"})");
    EXPECT_NE(told(drip).find("Cannot register"), std::string::npos);
    EXPECT_NE(told(drip).find("00:00"), std::string::npos);
}

TEST_F(TimelineTest, IsCutWhereItWouldBeEndless) {
    const auto timeline = foretold(plan_of(R"({"type": "repeat", "every": "1 hour", "steps":
        [{"type": "send", "templateKey": "a", "subject": "A"}]})",
                                           R"("timeoutMinutes": 5000000, )"));
    EXPECT_FALSE(timeline.is_whole);
    EXPECT_LT(timeline.lines.size(), timeline_lines_max + 10);
}

}  // namespace
}  // namespace mailroom::campaigns
