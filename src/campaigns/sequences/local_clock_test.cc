#include "campaigns/sequences/local_clock.h"

#include "campaigns/sequences/moments.h"
#include "campaigns/sequences/sequences_for_tests.h"

#include <gtest/gtest.h>

namespace mailroom::campaigns {
namespace {

LocalClock clock_in(const char* zone) {
    static const liquid::TimeZones zones;
    const auto found = zones.find(zone);
    EXPECT_TRUE(found) << zone;
    return LocalClock(found ? *found : nullptr);
}

Time when_it_shows(const char* zone, std::string_view wall) {
    const auto time = at(std::string(wall) + ":00Z");
    const auto utc = LocalClock().at(time);
    return clock_in(zone).when(utc);
}

TEST(SequenceTimesTest, AreWrittenAsTheyAreRead) {
    for (const auto* text : {"00:00", "09:30", "23:59"}) {
        ASSERT_TRUE(TimeOfDay::parse(text)) << text;
        EXPECT_EQ(TimeOfDay::parse(text)->text(), text);
    }
    for (const auto* text : {"1 hour", "2 weeks", "10 years", "3660 days"}) {
        ASSERT_TRUE(Period::parse(text)) << text;
        EXPECT_EQ(Period::parse(text)->text(), text);
    }
    EXPECT_EQ(Offset::parse("1 days before")->text(), "1 day before");
    EXPECT_EQ(CalendarDay::parse("2026-12-24")->text(), "2026-12-24");
    EXPECT_EQ(DayHours::parse("20:00-08:00")->text(), "20:00-08:00");
    for (const auto* bad : {"", "9:00", "24:00", "09:60", "09:00 ", "-1:00"}) {
        EXPECT_FALSE(TimeOfDay::parse(bad)) << bad;
        EXPECT_FALSE(DayHours::parse(bad)) << bad;
    }
    for (const auto* bad : {"", "0 days", "-1 days", "days", "1", "1 fortnight", "11 years",
                            "99999999999999999999 days", "1.5 days", " 1 day"}) {
        EXPECT_FALSE(Period::parse(bad)) << bad;
        EXPECT_FALSE(Offset::parse(std::string(bad) + " before")) << bad;
    }
    EXPECT_FALSE(Offset::parse("5 days"));
    EXPECT_FALSE(Offset::parse("5 days ago"));
    EXPECT_FALSE(DayHours::parse("08:00-08:00"));
    EXPECT_FALSE(CalendarDay::parse("2026-02-30"));
}

TEST(LocalClockTest, LeapsAndFallsBackWithTheZone) {
    struct Case {
        const char *zone, *wall, *utc;
    };
    // Clocks go from 2 to 3 on 29 March 2026 in Berlin, and back from 3 to 2 on 25 October.
    for (const auto& c : {Case{"Europe/Berlin", "2026-01-01T09:00", "2026-01-01T08:00:00Z"},
                          {"Europe/Berlin", "2026-07-01T09:00", "2026-07-01T07:00:00Z"},
                          {"Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:00:00Z"},
                          {"Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00:00Z"},
                          {"Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00Z"},
                          {"Australia/Lord_Howe", "2026-10-04T02:15", "2026-10-03T15:30:00Z"},
                          {"Asia/Kolkata", "2026-01-01T00:00", "2025-12-31T18:30:00Z"},
                          {"America/St_Johns", "2026-07-01T12:00", "2026-07-01T14:30:00Z"},
                          // The 30th of December 2011 was left out there.
                          {"Pacific/Apia", "2011-12-30T12:00", "2011-12-30T10:00:00Z"},
                          {"UTC", "1969-12-31T23:59", "1969-12-31T23:59:00Z"}}) {
        EXPECT_EQ(format_rfc3339_seconds(when_it_shows(c.zone, c.wall)), c.utc)
            << c.zone << " " << c.wall;
    }
    const auto berlin = clock_in("Europe/Berlin");
    EXPECT_EQ(berlin.each_time(LocalClock().at(at("2026-10-25T02:30:00Z"))).size(), 2U);
    EXPECT_EQ(berlin.each_time(LocalClock().at(at("2026-03-29T02:30:00Z"))).size(), 0U);
}

TEST(LocalClockTest, ShowsWhatItWasAskedFor) {
    for (const auto* zone : {"Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "UTC",
                             "Africa/Casablanca", "Pacific/Kiritimati"}) {
        const auto clock = clock_in(zone);
        for (auto time = at("2026-01-01T00:07:31Z"); time < at("2027-01-10T00:00:00Z");
             time += std::chrono::minutes(173)) {
            const auto wall = clock.at(time);
            const auto again = clock.when(wall);
            ASSERT_EQ(clock.at(again), wall) << zone << format_rfc3339(time);
            ASSERT_LE(again, time);
        }
    }
}

TEST(LocalClockTest, MovesByTheCalendarOfThePerson) {
    const auto berlin = clock_in("Europe/Berlin");
    struct Case {
        const char *from, *offset, *to;
    };
    for (const auto& c : {Case{"2026-03-28T08:00:00Z", "1 day after", "2026-03-29T07:00:00Z"},
                          {"2026-03-28T08:00:00Z", "24 hours after", "2026-03-29T08:00:00Z"},
                          {"2026-10-31T08:00:00Z", "1 week before", "2026-10-24T07:00:00Z"},
                          {"2026-05-31T10:00:00Z", "1 month before", "2026-04-30T10:00:00Z"},
                          {"2024-02-29T10:00:00Z", "1 year after", "2025-02-28T10:00:00Z"},
                          {"2026-01-01T00:00:00Z", "90 minutes before", "2025-12-31T22:30:00Z"}}) {
        EXPECT_EQ(format_rfc3339_seconds(berlin.moved(at(c.from), *Offset::parse(c.offset))), c.to)
            << c.from << " " << c.offset;
    }
}

TEST(SendingWindowTest, OpensAtTheFirstMomentThatIsRight) {
    const std::vector<Weekday> business = {Weekday::mon, Weekday::tue, Weekday::wed, Weekday::thu,
                                           Weekday::fri};
    const auto quiet = [](const char* hours) {
        return SendingWindow{{}, std::nullopt, DayHours::parse(hours)};
    };
    struct Case {
        SendingWindow window;
        const char *zone, *now, *opens;
    };
    const Case cases[] = {
        {{}, "UTC", "2026-01-01T03:00:00Z", "2026-01-01T03:00:00Z"},
        {quiet("20:00-08:00"), "America/Los_Angeles", "2025-09-05T10:00:00Z",
         "2025-09-05T15:00:00Z"},
        {quiet("20:00-02:30"), "Europe/Berlin", "2026-03-28T23:30:00Z", "2026-03-29T01:00:00Z"},
        {quiet("20:00-02:30"), "Europe/Berlin", "2026-10-25T00:10:00Z", "2026-10-25T00:30:00Z"},
        // The clock shows 2:10 for the second time.
        {quiet("20:00-02:30"), "Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-25T01:30:00Z"},
        {{business, DayHours::parse("09:00-17:00"), std::nullopt},
         "Pacific/Kiritimati",
         "2025-09-05T10:00:00Z",
         "2025-09-07T19:00:00Z"},
        {{{Weekday::fri}, std::nullopt, std::nullopt},
         "Pacific/Apia",
         "2011-12-24T12:00:00Z",
         "2012-01-05T10:00:00Z"},
        {{{Weekday::mon}, DayHours::parse("22:00-02:00"), std::nullopt},
         "UTC",
         "2026-01-06T00:30:00Z",
         "2026-01-12T00:00:00Z"},
    };
    for (const auto& c : cases) {
        const auto opens = c.window.opens(at(c.now), clock_in(c.zone));
        EXPECT_EQ(format_rfc3339_seconds(opens), c.opens) << c.zone << " " << c.now;
    }
}

TEST(SendingWindowTest, IsOpenWhenItSaysAndNotAMomentBefore) {
    const SendingWindow window{{Weekday::mon, Weekday::wed, Weekday::sat},
                               DayHours::parse("18:15-11:45"),
                               DayHours::parse("23:00-06:20")};
    for (const auto* zone : {"Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns"}) {
        const auto clock = clock_in(zone);
        for (auto now = at("2026-01-01T00:03:07Z"); now < at("2026-12-10T00:00:00Z");
             now += std::chrono::minutes(607)) {
            const auto opens = window.opens(now, clock);
            ASSERT_TRUE(window.is_open(clock.at(opens))) << zone << format_rfc3339(now);
            if (opens == now) continue;
            ASSERT_FALSE(window.is_open(clock.at(opens - std::chrono::milliseconds(1))));
            for (auto between = now; between < opens; between += std::chrono::minutes(29)) {
                ASSERT_FALSE(window.is_open(clock.at(between))) << zone << format_rfc3339(between);
            }
        }
    }
}

// The target of a wait, for somebody in Berlin with these attributes.
std::string target(const std::string& wait, const char* arrived, std::string_view attributes) {
    const auto definition = definition_of(sequence_text(R"({"type": "wait", )" + wait + "}"));
    auto row = item_of(attributes);
    row.set("PK", table::Value("SUB#a@example.com")).set("SK", table::Value("PROFILE"));
    const auto found = target_of(std::get<WaitStep>(definition.steps[0].what), at(arrived),
                                 *people::read_profile(row), clock_in("Europe/Berlin"));
    if (!found.time) return "none";
    return format_rfc3339_seconds(*found.time) + (found.has_passed ? " passed" : "");
}

TEST(WaitTest, EndsAtTheMomentThatItNames) {
    const std::string renewal = R"("until": {"attribute": "renewal", "offset": "5 days before"})";
    const auto yearly = [](const std::string& attribute) {
        return R"("until": {"attribute": ")" + attribute + R"(", "yearly": true}, "at": "09:00")";
    };
    constexpr auto now = "2026-03-01T10:00:00Z";
    constexpr std::string_view dates = R"({"renewal": "2026-04-01", "exact": "2026-04-01T12:00:00Z",
        "unix": 1775044800, "ms": 1775044800000, "born": "1990-02-28", "leap": "1992-02-29",
        "odd": "soon", "far": "99999999999999999999", "past": "2026-02-01", "flag": true})";
    struct Case {
        std::string wait;
        const char *arrived, *target;
    };
    const Case cases[] = {
        // 5 days before: the other side of the change of the clocks.
        {renewal, now, "2026-03-26T23:00:00Z"},
        {renewal + R"(, "at": "09:00")", now, "2026-03-27T08:00:00Z"},
        {renewal + R"(, "at": "09:00", "window": {"days": ["mon"]})", now, "2026-03-29T22:00:00Z"},
        {R"("until": {"attribute": "exact"})", now, "2026-04-01T12:00:00Z"},
        {R"("until": {"attribute": "unix", "offset": "1 hour after"})", now,
         "2026-04-01T13:00:00Z"},
        {R"("until": {"attribute": "ms"})", now, "2026-04-01T12:00:00Z"},
        {R"("until": {"attribute": "past"})", now, "2026-01-31T23:00:00Z passed"},
        {R"("until": {"attribute": "odd"})", now, "none"},
        {R"("until": {"attribute": "far"})", now, "none"},
        {R"("until": {"attribute": "flag"})", now, "none"},
        {R"("until": {"attribute": "missing"})", now, "none"},
        {yearly("born"), now, "2027-02-28T08:00:00Z"},
        {yearly("born"), "2026-02-28T08:00:00Z", "2026-02-28T08:00:00Z"},
        {yearly("leap"), now, "2027-02-28T08:00:00Z"},
        {yearly("leap"), "2028-02-01T00:00:00Z", "2028-02-29T08:00:00Z"},
        {R"("until": {"date": "2026-12-24"}, "at": "18:00")", now, "2026-12-24T17:00:00Z"},
        {R"("until": {"date": "2026-03-29"}, "at": "02:30")", now, "2026-03-29T01:00:00Z"},
        {R"("until": {"time": "2026-12-24T18:00:00Z"})", now, "2026-12-24T18:00:00Z"},
        // A length is of seconds that pass; a time of day is that of the clock after it.
        {R"("days": 1)", "2026-03-28T08:00:00Z", "2026-03-29T08:00:00Z"},
        {R"("days": 1, "at": "09:00")", "2026-03-28T08:00:00Z", "2026-03-30T07:00:00Z"},
        {R"("at": "09:00")", "2026-03-28T08:00:00Z", "2026-03-28T08:00:00Z"},
        {R"("window": {"quiet": "20:00-08:00"})", "2026-10-24T18:00:00Z", "2026-10-25T07:00:00Z"},
    };
    for (const auto& c : cases) EXPECT_EQ(target(c.wait, c.arrived, dates), c.target) << c.wait;
}

}  // namespace
}  // namespace mailroom::campaigns
