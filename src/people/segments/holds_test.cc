#include "people/segments/holds.h"

#include "base/time_format.h"
#include "people/segments/filter_text.h"

#include <gtest/gtest.h>

namespace mailroom::people {
namespace {

using namespace std::chrono_literals;
using table::Item;
using table::Value;

class HoldsTest : public ::testing::Test {
protected:
    bool is_true(std::string_view text) {
        const auto filter = parse_filter(text);
        EXPECT_TRUE(filter) << text << ": " << filter.error().text();
        return filter && holds(*filter, {profile, &activity}, now);
    }
    void expect(const std::vector<std::string_view>& yes, const std::vector<std::string_view>& no) {
        for (const auto text : yes) EXPECT_TRUE(is_true(text)) << text;
        for (const auto text : no) EXPECT_FALSE(is_true(text)) << text;
    }

    Time now = *parse_rfc3339("2026-05-31T12:00:00Z");
    Item profile{
        {"email", "Ann@Example.com"},
        {"firstName", "Ann"},
        {"plan", "pro"},
        {"seats", Value(12)},
        {"imported", "12"},
        {"empty", ""},
        {"nothing", Value::null()},
        {"zero", Value(0)},
        {"vip", Value(true)},
        {"signedUp", "2026-05-01"},
        {"seen", "2026-05-31T11:00:00Z"},
        {"renews", Value(1'780'272'000)},  // 2026-06-01T00:00:00Z
        {"interests", Value::list({"golf", "Tea", Value(7)})},
        {"sizes", Value::set_of(table::Kind::number_set, {table::Number(40).encoded()})},
        {"address", Value::map(Item{{"city", "Köln"}, {"zip", Value(50667)}})},
        {"tags", Value::list({"beta", "pu"})},
        {"mailroomTopics", Value::map(Item{{"news", "in"}, {"tips", "out"}, {"jobs", "pending"}})}};
    Activity activity;
};

TEST_F(HoldsTest, ComparesTextsNumbersAndTruth) {
    expect({"plan = \"pro\"", "plan != \"free\"", "seats = 12", "seats >= 12 and seats < 13",
            "seats between 10 and 20", "imported > 11.5", "imported = 12", "imported = \"12\"",
            "plan > \"free\"", "vip = true", "vip != false", "plan in (\"free\", \"pro\")",
            "seats in (1, 12)", "firstName contains \"NN\"", "email ends with \"@example.COM\"",
            "email begins with \"ann@\"", "plan contains \"\""},
           {"plan = \"Pro\"", "seats = \"12\"", "plan = 12", "seats > 12", "vip = \"true\"",
            "plan = true", "plan in (\"free\")", "firstName contains \"anne\"",
            "seats contains \"1\"", "plan > 5"});
}

TEST_F(HoldsTest, WhatSomebodyLacksIsNotEqualToAnything) {
    expect({"city is missing", "not city = \"x\"", "city != \"x\"", "empty is missing",
            "nothing is missing", "zero exists", "vip exists", "not city contains \"\""},
           {"city = \"x\"", "city > \"\"", "city < 5", "city exists", "empty exists",
            "nothing exists", "zero is missing", "city = false"});
}

TEST_F(HoldsTest, ComparesTimesWithMomentsThatMove) {
    expect({"signedUp = 2026-05-01", "signedUp <= 2026-05-01", "signedUp >= 2026-05-01",
            "signedUp < 2026-05-02", "signedUp < 4 weeks ago", "signedUp >= 1 month ago",
            "seen > 2 hours ago", "seen = today", "seen < now", "renews <= 1 day from now",
            "renews > now", "renews = 2026-06-01"},
           {"signedUp > 2026-05-01", "signedUp < 2026-05-01", "signedUp = 2026-05-02",
            "seen > 30 minutes ago", "plan < now", "signedUp = today", "signedUp < 31 days ago"});
    now += 24h;
    expect({"signedUp < 30 days ago", "renews < now"}, {"seen = today"});
}

TEST_F(HoldsTest, LettersOfAnyScriptAreComparedWithoutRegardToCase) {
    profile.set("name", Value("Zoë MÜLLER")).set("city", Value("Москва"));
    expect({"name contains \"müller\"", "name begins with \"ZOË\"", "name ends with \"Ller\"",
            "city contains \"ОСК\"", "address.city begins with \"KÖ\"", "name contains \"\""},
           {"name contains \"muller\"", "name = \"zoë müller\"", "city begins with \"осква\""});
}

TEST_F(HoldsTest, AMonthBeforeTheLastDayOfAMonthIsALastDay) {
    EXPECT_EQ(format_rfc3339(Moment::ago(3, Unit::month).span(now).first),
              "2026-02-28T12:00:00.000Z");
    EXPECT_EQ(format_rfc3339(Moment::ahead(1, Unit::month).span(now).first),
              "2026-06-30T12:00:00.000Z");
    EXPECT_EQ(format_rfc3339(Moment::ago(2, Unit::year).span(now).first),
              "2024-05-31T12:00:00.000Z");
}

TEST_F(HoldsTest, LooksIntoListsSetsAndMaps) {
    expect({"interests = \"golf\"", "interests contains \"TEA\"", "interests in (7)", "sizes = 40",
            "sizes > 39", "address.city = \"Köln\"", "address.zip > 50000", "address.city exists",
            "address exists"},
           {"interests = \"tea\"", "sizes = 41", "address.street exists", "plan.city = 1",
            "address = \"Köln\"", "`address.city` exists"});
}

TEST_F(HoldsTest, KnowsTagsAndTopics) {
    expect({"tag = \"beta\"", "tag in (\"x\", \"pu\")", "topic = \"news\"", "not topic = \"tips\"",
            "not topic = \"other\"", "tags = \"pu\"", "topic = \"tips\" is out",
            "topic = \"jobs\" is pending", "not topic = \"jobs\""},
           {"topic = \"news\" is pending", "topic = \"other\" is out", "tag = \"be\"",
            "topic = \"tips\"", "segment = \"any\"", "tag in (\"x\", \"y\")"});
    profile.set("tags", Value::string_set({"set"}));
    expect({"tag = \"set\""}, {"tag = \"beta\""});
    profile.set("tags", Value("beta"));
    expect({}, {"tag = \"beta\""});
}

TEST_F(HoldsTest, AFlagSaysYesUnlessItSaysNo) {
    expect({"not unsubscribed", "unsubscribed = false", "suppressed = false"},
           {"unsubscribed", "suppressed"});
    profile.set("unsubscribed", Value(false)).set("suppressed", Value("yes"));
    expect({"not unsubscribed", "suppressed", "suppressed != false"}, {"suppressed = false"});
}

TEST_F(HoldsTest, KnowsWhatPeopleDidAndWhen) {
    activity.done[static_cast<std::size_t>(Deed::opened)] = {now - 29 * 24h, 3};
    activity.done[static_cast<std::size_t>(Deed::clicked)] = {now - 40 * 24h, 1};
    expect(
        {"opened", "opened within 30 days and not clicked within 30 days",
         "clicked before 30 days ago", "opened at least 3 times", "not replied",
         "opened since 2026-05-02", "opened within 29 days"},
        {"opened at least 4 times", "opened before 30 days ago", "replied", "replied before now"});
    now += 24h + 1ms;
    expect({}, {"opened within 30 days"});
}

TEST_F(HoldsTest, CountsDeedsSinceATime) {
    activity.done[static_cast<std::size_t>(Deed::opened)] = {
        now - 24h, 7, {now - 90 * 24h, now - 20 * 24h, now - 10 * 24h}};
    expect({"opened at least 3 times within 30 days", "opened at least 2 times within 10 days",
            "opened at least 4 times within 3 months", "opened at least 7 times",
            "not opened at least 4 times within 30 days"},
           {"opened at least 4 times within 30 days", "opened at least 2 times within 9 days",
            "clicked at least 1 times within 30 days", "opened at least 5 times within 1 year"});
}

}  // namespace
}  // namespace mailroom::people
