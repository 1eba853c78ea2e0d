#include "json/json.h"
#include "people/segments/filter_json.h"
#include "people/segments/filter_text.h"
#include "people/segments/random_filters.h"
#include "table/records/record.h"

#include <gtest/gtest.h>

namespace mailroom::people {
namespace {

std::string json_of(const Filter& filter) {
    std::string text;
    json::Writer writer(text);
    table::Form<Filter>::show(writer, filter);
    return text;
}

Answer<Filter> read_filter(std::string_view text) {
    json::Parser parser;
    const auto view = parser.parse(text);
    EXPECT_TRUE(view) << text;
    table::Reading reading;
    Filter filter;
    table::Form<Filter>::read(*view, filter, reading);
    if (!reading.is_good()) return Refusal(reading.take());
    return filter;
}

TEST(Filter, TextIsReadAndWrittenInOneWay) {
    struct Case {
        std::string_view text, same;  // Empty: it is written as it was.
    };
    // clang-format off
    const Case cases[] = {
        {"plan = \"pro\"", ""},
        {"all", ""},
        {"Plan='pro'", "Plan = \"pro\""},
        {"plan != \"pro\"", "not plan = \"pro\""},
        {"plan <> 'pro' OR seats>=10", "not plan = \"pro\" or seats >= 10"},
        {"a = 1 and b = 2 or c = 3 and not d = 4", ""},
        {"a = 1 and (b = 2 or c = 3)", ""},
        {"not (a = 1 and b = 2)", ""},
        {"((a = 1))", "a = 1"},
        {"seats between 10 and 50 and vip = true",
         "(seats >= 10 and seats <= 50) and vip = true"},
        {"country in ('DE', \"FR\", 3)", "country in (\"DE\", \"FR\", 3)"},
        {"country not in ('DE')", "not country in (\"DE\")"},
        {"city exists", ""},
        {"city is missing", "not city exists"},
        {"city is not missing", "city exists"},
        {"name contains \"ann\"", ""},
        {"name not contains \"ann\"", "not name contains \"ann\""},
        {"email starts with \"a\" and email ends with \"@b.com\"",
         "email begins with \"a\" and email ends with \"@b.com\""},
        {"tag = \"vip\"", ""},
        {"tag in (\"a\", \"b\")", ""},
        {"tag not in ('a')", "not tag = \"a\""},
        {"topic = \"news\" and segment != \"old\"", "topic = \"news\" and not segment = \"old\""},
        {"opened", ""},
        {"opened within 30 days and not clicked within 30 days", ""},
        {"replied since 2026-01-05", ""},
        {"sent before 1 month ago", ""},
        {"clicked at least 3 times", ""},
        {"opened at least 2 times within 3 days", ""},
        {"sent at least 10 times since 2026-01-01", ""},
        {"opened at least 1 time before now", "opened before now"},
        {"topic = \"news\" is pending", ""},
        {"opened template \"welcome\"", ""},
        {"clicked BROADCAST 'b-1' at least 2 times within 30 days",
         "clicked broadcast \"b-1\" at least 2 times within 30 days"},
        {"not delivered sequence \"on\\\"boarding\" before 2026-01-01", ""},
        {"topic in (\"a\", \"b\") IS OUT", "topic = \"a\" is out or topic = \"b\" is out"},
        {"topic != \"a\" is in", "not topic = \"a\""},
        {"clicked at least 1 time", "clicked"},
        {"opened since 2 weeks ago", "opened within 2 weeks"},
        {"createdAt >= 30 days ago and trialEnds <= 7 days from now", ""},
        {"birthday = today and seen < now", ""},
        {"at > 2026-01-05T10:00:00Z", "at > 2026-01-05T10:00:00.000Z"},
        {"at > 2026-01-05T10:00:00.5+01:00", "at > 2026-01-05T09:00:00.500Z"},
        {"unsubscribed and not suppressed", "unsubscribed = true and not suppressed = true"},
        {"`tag` = 1 and address.`post code` = \"1\" and `a.b` = 2",
         "`tag` = 1 and address.`post code` = \"1\" and `a.b` = 2"},
        {"price = -1.50", "price = -1.5"},
        {"Größe = \"a \\\"b\\\" \\\\\"", ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        const auto filter = parse_filter(c.text);
        ASSERT_TRUE(filter) << c.text << ": " << filter.error().text();
        EXPECT_EQ(text_of(*filter), c.same.empty() ? c.text : c.same);
    }
}

TEST(Filter, AMistakeIsSaidWithItsPlace) {
    struct Case {
        std::string_view text, why;
    };
    // clang-format off
    const Case cases[] = {
        {"", "at character 1: the filter is empty"},
        {"plan", "at character 1: what must plan be?"},
        {"openend and vip = true", "at character 1: did you mean opened?"},
        {"plan = pro", "at character 8: expected a value after =, not pro; a text stands in quotes"},
        {"plan = ", "at character 8: expected a value after =, not the end"},
        {"plan = \"pro", "at character 8: the \" that begins here has no end"},
        {"Größe = 1 and", "at character 14: expected a test"},
        {"a = 1 b = 2", "at character 7: expected and, or, or the end, not b"},
        {"(a = 1", "at character 7: expected ) after what is in brackets, not the end"},
        {"a = 1)", "at character 6: expected and, or, or the end, not )"},
        {"a in ()", "at character 7: expected a value after (, not )"},
        {"a in 1", "at character 6: expected ( after in, not 1"},
        {"a is 1", "at character 6: expected missing after is, not 1"},
        {"a between 1 or 2", "at character 13: expected and after the lower end, not or"},
        {"a contains 1", "at character 12: expected a text in quotes after contains, not 1"},
        {"a begins \"x\"", "at character 10: expected with after begins"},
        {"tag > \"x\"", "at character 5: expected = or in after tag, not >"},
        {"tag in (1)", "tag in takes texts"},
        {"opened within days", "at character 15: expected a number after within, not days"},
        {"opened within 30 dogs", "at character 18: expected minutes, hours, days"},
        {"opened within 1.5 days", "must be a whole number of days"},
        {"opened within 99999999 years", "must be a whole number of years, at most 200"},
        {"opened since yesterday", "at character 14: expected a time such as 2026-01-31"},
        {"opened at least 0 times", "at character 17: expected how often, 1 or more, not 0"},
        {"opened at least 2 times before today", "how often is counted within or since a time"},
        {"opened at least 11 times since today", "at least 10 times is the most"},
        {"opened template", "expected a text in quotes after template, not the end"},
        {"opened template \"\"", "template has a name"},
        {"sent template \"a\"", "at character 6: what was sent is known by person only"},
        {"topic = \"a\" is maybe", "expected in, out or pending after is, not maybe"},
        {"tag = \"a\" is in", "expected and, or, or the end, not is"},
        {"a = 2026-02-30", "at character 5: expected a time such as"},
        {"a = 12x", "at character 5: expected a time such as"},
        {"a ; b", "at character 3: a filter has no ;"},
        {"= 1", "at character 1: expected a test such as"},
        {"a.=1", "at character 3: expected a test such as"},
        {"``=1", "an attribute has a name"},
        {"tag = \"\"", "tag has a name"},
        {"a < 0000-01-01T00:00:00+01:00", "expected a time such as"},
        {"\xff = 1", "the filter is not UTF-8"},
    };
    // clang-format on
    for (const auto& c : cases) {
        const auto filter = parse_filter(c.text);
        ASSERT_FALSE(filter) << c.text;
        EXPECT_NE(filter.error().text().find(c.why), std::string::npos)
            << c.text << ": " << filter.error().text();
    }
}

TEST(Filter, WhatIsTooMuchIsRefusedInBothForms) {
    const std::string deep_text = std::string(80, '(') + "a = 1" + std::string(80, ')');
    EXPECT_NE(parse_filter(deep_text).error().text().find("32 tests inside"), std::string::npos);
    std::string nots, many_text = "a = 1", many_json = R"({"tag":"a"})", values = "1";
    std::string deep_json = R"({"tag":"a"})";
    for (int i = 0; i < 40; ++i) nots += "not ", deep_json = R"({"not":)" + deep_json + "}";
    for (int i = 0; i < 600; ++i) many_text += " or a = 1", many_json += R"(,{"tag":"a"})";
    for (int i = 0; i < 1200; ++i) values += ",1";
    EXPECT_FALSE(parse_filter(nots + "a = 1"));
    EXPECT_TRUE(parse_filter(std::string(40, '(') + "a = 1" + std::string(40, ')')));
    EXPECT_NE(parse_filter(many_text).error().text().find("500 tests"), std::string::npos);
    EXPECT_NE(parse_filter("a in (" + values + ")").error().text().find("1000 values"),
              std::string::npos);
    EXPECT_NE(parse_filter(std::string(20'000, ' ') + "a=1").error().text().find("longer"),
              std::string::npos);
    EXPECT_FALSE(read_filter(deep_json));
    EXPECT_FALSE(read_filter(R"({"any":[)" + many_json + "]}"));
    EXPECT_FALSE(read_filter(R"({"attribute":"a","one_of":[)" + values + "]}"));
}

TEST(Filter, JsonIsReadAndWrittenInOneWay) {
    struct Case {
        std::string_view json, text;
    };
    // clang-format off
    const Case cases[] = {
        {R"({"all":[]})", "all"},
        {R"({"attribute":"plan","equals":"pro"})", "plan = \"pro\""},
        {R"({"all":[{"tag":"a"},{"not":{"topic":"b"}}]})", "tag = \"a\" and not topic = \"b\""},
        {R"({"any":[{"tag":["a","b"]},{"segment":"c"}]})", "tag in (\"a\", \"b\") or segment = \"c\""},
        {R"({"attribute":["address","city"],"exists":true})", "address.city exists"},
        {R"({"attribute":"n","one_of":[1,{"number":"2.5"},true,{"moment":"today"}]})",
         "n in (1, 2.5, true, today)"},
        {R"({"attribute":"n","contains":"x"})", "n contains \"x\""},
        {R"({"did":"opened","since":"30 days ago"})", "opened within 30 days"},
        {R"({"did":"sent","before":"2026-01-05"})", "sent before 2026-01-05"},
        {R"({"did":"clicked","times":3})", "clicked at least 3 times"},
        {R"({"did":"clicked","since":"now","times":3})", "clicked at least 3 times since now"},
        {R"({"did":"opened","template":"a","since":"now"})", "opened template \"a\" since now"},
        {R"({"topic":"a","is":"pending"})", "topic = \"a\" is pending"},
    };
    // clang-format on
    for (const auto& c : cases) {
        const auto filter = read_filter(c.json);
        ASSERT_TRUE(filter) << c.json << ": " << filter.error().text();
        EXPECT_EQ(text_of(*filter), c.text);
        EXPECT_EQ(json_of(*filter), c.json);
    }
    EXPECT_EQ(text_of(*read_filter(R"({"attribute":"n","exists":false})")), "not n exists");
    EXPECT_EQ(text_of(*read_filter(R"({"attribute":"n","below":2.5})")), "n < 2.5");
    EXPECT_EQ(text_of(*read_filter(R"({"all":[{"tag":"a"}]})")), "tag = \"a\"");
}

TEST(Filter, AMistakeInJsonIsSaidWithItsPlace) {
    struct Case {
        std::string_view json, why;
    };
    // clang-format off
    const Case cases[] = {
        {R"([])", "must be an object"},
        {R"({})", "must be a test"},
        {R"({"tagg":"a"})", "tagg is no test"},
        {R"({"tag":"a","topic":"b"})", "tag does not belong to topic"},
        {R"({"tag":"a","tag":"b"})", "tag is there twice"},
        {R"({"all":[{"tag":"a"},{"tag":5}]})", "all[1].tag must be text"},
        {R"({"tag":[]})", "tag must not be empty"},
        {R"({"tag":["a",""]})", "tag must not be empty"},
        {R"({"topic":""})", "topic must not be empty"},
        {R"({"any":[]})", "any must not be empty"},
        {R"({"all":{}})", "all must be a list"},
        {R"({"not":[]})", "not must be an object"},
        {R"({"attribute":"a"})", "must say what the attribute is"},
        {R"({"attribute":"a","is":1})", "is is no comparison"},
        {R"({"attribute":"a","equals":1,"above":2})", "above does not belong to equals"},
        {R"({"attribute":"a","equals":null})", "equals must be a text, a number"},
        {R"({"attribute":"a","equals":{"moment":"soon"}})", "equals.moment must be a time"},
        {R"({"attribute":"a","equals":{"number":"x"}})", "equals.number must be a number"},
        {R"({"attribute":"a","contains":1})", "contains must be text"},
        {R"({"attribute":"a","one_of":[]})", "one_of must not be empty"},
        {R"({"attribute":"a","exists":"yes"})", "exists must be true or false"},
        {R"({"did":"ate"})", "did must be sent, delivered"},
        {R"({"did":"opened","since":"now","before":"now"})", "before cannot stand beside"},
        {R"({"did":"opened","before":"now","times":2})", "times is counted since some time"},
        {R"({"did":"opened","since":"now","times":11})", "times must be at most 10"},
        {R"({"topic":"a","is":"maybe"})", "is "},
        {R"({"did":"sent","template":"a"})", "did is known by person only"},
        {R"({"did":"opened","template":"a","broadcast":"b"})", "broadcast cannot stand beside"},
        {R"({"did":"opened","template":""})", "template must not be empty"},
        {R"({"did":"opened","times":0})", "times must be 1 or more"},
    };
    // clang-format on
    for (const auto& c : cases) {
        const auto filter = read_filter(c.json);
        ASSERT_FALSE(filter) << c.json;
        EXPECT_NE(filter.error().text().find(c.why), std::string::npos)
            << c.json << ": " << filter.error().text();
    }
}

TEST(Filter, BothFormsOfAnyFilterAreReadAsTheSameFilter) {
    RandomFilters filters(5);
    for (int i = 0; i < 3000; ++i) {
        const auto filter = filters.filter(3);
        const auto text = text_of(filter);
        const auto read = parse_filter(text);
        ASSERT_TRUE(read) << text << ": " << read.error().text();
        ASSERT_TRUE(*read == filter) << text << " as " << text_of(*read);
        const auto from_json = read_filter(json_of(filter));
        ASSERT_TRUE(from_json) << json_of(filter) << ": " << from_json.error().text();
        ASSERT_TRUE(*from_json == filter) << json_of(filter);
    }
}

}  // namespace
}  // namespace mailroom::people
