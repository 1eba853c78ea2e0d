#include "liquid/civil_time.h"
#include "liquid/date_parse.h"
#include "liquid/rendering_for_tests.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>

namespace mailroom::liquid {
namespace {

struct Row {
    std::string_view expression, want;
};

void expect_rows(std::span<const Row> rows, const RenderOptions& options) {
    for (const auto& [expression, want] : rows) {
        const auto text = "{{ " + std::string(expression) + " }}";
        EXPECT_EQ(render_text(text, OwnedValue::object(), options), want) << text;
    }
}

TEST(Dates, AreWrittenInEveryForm) {
    const Row rows[] = {
        {"'now' | date: '%Y-%m-%d %H:%M:%S.%L'", "2026-11-15 06:07:08.009"},
        {"'now' | date", "Sunday, November 15, 2026 at 6:07 am +0000"},
        {"'2026-01-05T15:04:05Z' | date: '%a %b %-d %e %I%p %k %l %P %j %U %W %u %w %y %C %q'",
         "Mon Jan 5  5 03PM 15  3 pm 005 01 01 1 1 26 20 th"},
        {"'2026-01-05T15:04:05Z' | date: '%^a %#B %10d %_m %-m %:z %Z %s %N %3N %% %Q'",
         "MON JANUARY 0000000005  1 1 +00:00 UTC 1767625445 000000000 000 % %Q"},
        {"'2026-01-05T15:04:05Z' | date: '%c|%x|%X'", "1/5/2026, 3:04:05 PM|1/5/2026|3:04:05 PM"},
        {"0 | date: '%F%Y'", "%F1970"},
        {"'1700000000' | date_to_xmlschema", "2023-11-14T22:13:20+00:00"},
        {"1700000000 | date_to_rfc822", "Tue, 14 Nov 2023 22:13:20 +0000"},
        {"'2026-07-22' | date_to_string: 'ordinal', 'US'", "Jul 22nd, 2026"},
        {"'2026-07-11' | date_to_long_string: 'ordinal'", "11th July 2026"},
        {"'not a date' | date: '%Y'", "not a date"},
        {"nil | date: '%Y'", ""},
    };
    expect_rows(rows, {.clock = test_clock()});
}

TEST(Dates, FollowTheZoneOfTheFilterOrOfTheRender) {
    const TimeZones zones;
    const RenderOptions options{
        .clock = test_clock(), .time_zones = &zones, .time_zone = "Europe/Berlin"};
    const Row rows[] = {
        {"'2026-03-29T00:59:59Z' | date: '%H:%M %z %Z'", "01:59 +0100 Europe/Berlin"},
        {"'2026-03-29T01:00:00Z' | date: '%H:%M %z'", "03:00 +0200"},
        {"'2090-07-01T12:00:00Z' | date: '%H:%M %z'", "14:00 +0200"},
        {"'2026-07-05T12:00:00Z' | date: '%H:%M %Z', 'America/New_York'", "08:00 America/New_York"},
        {"'2026-07-05T12:00:00Z' | date: '%H:%M %z', 'Asia/Kolkata'", "17:30 +0530"},
        {"'2026-07-05T12:00:00Z' | date: '%H:%M %z', '-03:30'", "08:30 -0330"},
        {"'2026-07-05T12:00:00Z' | date: '%H:%M %z', 240", "08:00 -0400"},
        {"'1900-01-01T12:00:00Z' | date: '%H:%M', 'America/New_York'", "07:00"},
        {"'now' | date: '%H', '../../etc/passwd'", "error: unknown time zone ../../etc/passwd"},
        {"'now' | date: '%H', 'Mars/Base'", "error: unknown time zone Mars/Base"},
    };
    expect_rows(rows, options);
}

TEST(Dates, AreReadFromManyForms) {
    struct Case {
        std::string_view text;
        std::optional<std::int64_t> want;
    };
    const Case cases[] = {
        {"2026-07-05", 1783209600000},
        {"2026-07-05T10:30:15.123Z", 1783247415123},
        {"2026-07-05T10:30:15+02:00", 1783240215000},
        {"2026-07-05 10:30:15 +0200", 1783240215000},
        {"Sun, 05 Jul 2026 10:30:15 GMT", 1783247415000},
        {"July 5, 2026 10:30:15 am", 1783247415000},
        {"7/5/2026 10:30:15 PM", 1783290615000},
        {"5-Jul-2026", 1783209600000},
        {"2026-02-30", 1772409600000},
        {"2026-02-32", std::nullopt},
        {"2026-13-01", std::nullopt},
        {"2026-07-05T25:00", std::nullopt},
        {"13:30 pm July 5 2026", std::nullopt},
        {"tomorrow", std::nullopt},
        {"", std::nullopt},
        {"275760-09-14", std::nullopt},
    };
    for (const auto& c : cases) EXPECT_EQ(parse_date(c.text), c.want) << c.text;
}

TEST(Dates, EveryDayOfFourCenturiesIsCountedOnce) {
    for (std::int64_t day = -80'000; day < 70'000; ++day) {
        const auto civil = civil_from_ms(day * 86'400'000);
        ASSERT_EQ(days_from_civil(civil.year, civil.month, civil.day), day);
        ASSERT_EQ(civil.weekday, weekday_of(day));
        ASSERT_LE(civil.day, days_in_month(civil.year, civil.month));
    }
}

TEST(TimeZones, RefuseNamesThatLeaveTheDirectory) {
    const TimeZones zones;
    EXPECT_TRUE(zones.find("Europe/Berlin"));
    EXPECT_TRUE(zones.find("Etc/GMT+5"));
    const std::string_view names[] = {"",        "/etc/passwd", "../zoneinfo/UTC", "Europe/../UTC",
                                      "Europe/", ".",           "Europe//Berlin",  "Europe\\Berlin",
                                      "A b"};
    for (const auto name : names) {
        const auto found = zones.find(name);
        ASSERT_FALSE(found) << name;
        EXPECT_EQ(found.error().code, Errc::invalid) << name;
    }
    EXPECT_EQ(zones.find("Europe").error().code, Errc::not_found);
    EXPECT_EQ(zones.find("Nowhere/Land").error().code, Errc::not_found);
}

TEST(TimeZones, RefuseFilesThatAreCutOrNoZones) {
    std::ifstream file("/usr/share/zoneinfo/Europe/Berlin", std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    ASSERT_TRUE(TimeZone::parse(whole));
    EXPECT_FALSE(TimeZone::parse(""));
    EXPECT_FALSE(TimeZone::parse(std::string(4000, 'x')));
    for (std::size_t bytes = 0; bytes + 40 < whole.size(); bytes += 37) {
        EXPECT_FALSE(TimeZone::parse(std::string_view(whole).substr(0, bytes))) << bytes;
    }
}

TEST(ZoneRule, FollowsThePosixGrammar) {
    struct Case {
        std::string_view rule;
        std::int64_t winter, summer;  // Offsets on 2027-01-15 and 2027-07-15.
    };
    const Case cases[] = {
        {"CET-1CEST,M3.5.0,M10.5.0/3", 3600, 7200},
        {"EST5EDT,M3.2.0,M11.1.0", -18000, -14400},
        {"AEST-10AEDT,M10.1.0,M4.1.0/3", 39600, 36000},
        {"<+0530>-5:30", 19800, 19800},
        {"IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3600},
        {"XXX3YYY,J60,J300", -10800, -7200},
        {"XXX3YYY,59/0,299", -10800, -7200},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.rule);
        const auto rule = ZoneRule::parse(c.rule);
        ASSERT_TRUE(rule);
        EXPECT_EQ(rule->offset_at(1799971200), c.winter);
        EXPECT_EQ(rule->offset_at(1815609600), c.summer);
    }
    for (const auto text :
         {"", "C", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3"}) {
        EXPECT_FALSE(ZoneRule::parse(text)) << text;
    }
}

}  // namespace
}  // namespace mailroom::liquid
