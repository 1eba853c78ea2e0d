#include "reminders/calendar.h"

#include "base/days.h"
#include "base/time_format.h"

#include <gtest/gtest.h>

namespace mailroom::reminders {
namespace {

Time at(std::string_view text) { return *parse_rfc3339(text); }

SendingTimes times(std::string_view quiet, std::vector<std::string> days = {},
                   std::vector<std::string> holidays = {}) {
    return {*QuietHours::parse(quiet), std::move(days), std::move(holidays), "UTC"};
}

const std::vector<std::string> business = {"mon", "tue", "wed", "thu", "fri"};

TEST(QuietHoursTest, AreWrittenAsTheyAreRead) {
    for (const auto* good : {"off", "20:00-08:00", "12:00-13:30", "00:00-06:00"}) {
        const auto hours = QuietHours::parse(good);
        ASSERT_TRUE(hours) << good;
        EXPECT_EQ(hours->text(), good);
    }
    for (const auto* bad : {"", "20-8", "20:00", "24:00-08:00", "20:60-08:00", "08:00-08:00",
                            "00:00-23:30", "20:00-08:00 ", "-1:00-02:00", "20:00–08:00"}) {
        EXPECT_FALSE(QuietHours::parse(bad)) << bad;
    }
}

TEST(CalendarTest, OpensWhenQuietHoursAndDaysOffAreOverWhereTheCustomerIs) {
    struct Case {
        const char* what;
        SendingTimes times;
        const char* zone;
        const char* now;
        const char* opens;  // Empty: it is open.
    };
    const Case cases[] = {
        {"no rules", times("off"), "", "2025-09-06T03:00:00Z", ""},
        {"in the day", times("20:00-08:00"), "", "2025-09-05T08:00:00Z", ""},
        {"the last second", times("20:00-08:00"), "", "2025-09-05T19:59:59Z", ""},
        {"before midnight", times("20:00-08:00"), "", "2025-09-05T20:00:00Z",
         "2025-09-06T08:00:00Z"},
        {"after midnight", times("20:00-08:00"), "", "2025-09-06T07:59:59.5Z",
         "2025-09-06T08:00:00Z"},
        {"a siesta", times("13:07-15:23"), "", "2025-09-05T13:30:30Z", "2025-09-05T15:23:00Z"},
        {"another zone", times("20:00-08:00"), "America/Los_Angeles", "2025-09-05T10:00:00Z",
         "2025-09-05T15:00:00Z"},
        {"half an hour off", times("20:00-08:00"), "Asia/Kolkata", "2025-09-05T15:00:00Z",
         "2025-09-06T02:30:00Z"},
        {"a day ahead", times("off", business), "Pacific/Kiritimati", "2025-09-05T10:00:00Z",
         "2025-09-07T10:00:00Z"},
        {"a day behind", times("off", business), "Pacific/Pago_Pago", "2025-09-06T10:59:59Z", ""},
        {"the weekend", times("20:00-08:00", business), "Europe/Berlin", "2025-09-05T18:00:00Z",
         "2025-09-08T06:00:00Z"},
        {"a week of other days", times("off", {"sun", "mon", "tue", "wed", "thu"}), "Asia/Riyadh",
         "2025-09-05T00:00:00Z", "2025-09-06T21:00:00Z"},
        {"holidays", times("20:00-08:00", business, {"12-25", "12-26", "2025-12-29"}), "",
         "2025-12-24T21:00:00Z", "2025-12-30T08:00:00Z"},
        {"of another year", times("off", {}, {"2025-12-29"}), "", "2026-12-29T10:00:00Z", ""},
        // Clocks go from 2 to 3 on 30 March 2025 in Berlin, and back on 26 October.
        {"an hour that is not there", times("20:00-02:30"), "Europe/Berlin", "2025-03-29T23:30:00Z",
         "2025-03-30T01:00:00Z"},
        {"the night is short", times("20:00-08:00"), "Europe/Berlin", "2025-03-29T19:00:00Z",
         "2025-03-30T06:00:00Z"},
        {"the night is long", times("20:00-08:00"), "Europe/Berlin", "2025-10-25T18:00:00Z",
         "2025-10-26T07:00:00Z"},
        {"an hour that is there twice, the first", times("20:00-02:30"), "Europe/Berlin",
         "2025-10-26T00:10:00Z", "2025-10-26T00:30:00Z"},
        {"the second", times("20:00-02:30"), "Europe/Berlin", "2025-10-26T01:10:00Z",
         "2025-10-26T01:30:00Z"},
        {"a zone that is gone", times("20:00-08:00"), "Mars/Crater", "2025-09-05T21:00:00Z",
         "2025-09-06T08:00:00Z"},
        {"before 1970", times("20:00-08:00", business), "", "1969-12-27T10:00:00Z",
         "1969-12-29T08:00:00Z"},
    };
    for (const auto& c : cases) {
        const auto opens = Calendar(c.times).opens(at(c.now), c.zone);
        EXPECT_EQ(opens ? format_rfc3339_seconds(*opens) : "", c.opens) << c.what;
    }
}

TEST(CalendarTest, IsOpenAtEachMomentThatItNames) {
    const Calendar calendar(times("18:15-09:45", business, {"05-01"}));
    for (const auto* zone : {"Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "UTC"}) {
        for (auto now = at("2025-03-01T00:03:07Z"); now < at("2025-11-10T00:00:00Z");
             now += std::chrono::minutes(307)) {
            const auto opens = calendar.opens(now, zone);
            if (!opens) continue;
            ASSERT_GT(*opens, now);
            ASSERT_FALSE(calendar.opens(*opens, zone)) << zone << format_rfc3339(now);
            ASSERT_TRUE(calendar.opens(*opens - std::chrono::milliseconds(1), zone));
            ASSERT_LT(*opens - now, std::chrono::hours(24 * 5));
        }
    }
}

TEST(CalendarTest, ADayEndsWhereTheCustomerIs) {
    const Calendar calendar(times("off"));
    const auto day = *parse_day_or_time("2025-09-05");
    EXPECT_EQ(calendar.end_of(day, ""), day);
    EXPECT_EQ(calendar.end_of(day, "America/Los_Angeles"), at("2025-09-06T06:59:59.999Z"));
    EXPECT_EQ(calendar.end_of(day, "Asia/Tokyo"), at("2025-09-05T14:59:59.999Z"));
    EXPECT_EQ(calendar.end_of(at("2025-09-05T12:00:00Z"), "Asia/Tokyo"), at("2025-09-05T12:00:00Z"))
        << "an hour is one everywhere";
}

TEST(CalendarTest, KnowsWhatMayBeSaid) {
    EXPECT_TRUE(is_holiday("2025-12-25") && is_holiday("12-25") && is_holiday("02-29"));
    EXPECT_FALSE(is_holiday("13-25") || is_holiday("25.12.") || is_holiday(""));
    EXPECT_TRUE(is_day_of_week("mon"));
    EXPECT_FALSE(is_day_of_week("Monday"));
}

}  // namespace
}  // namespace mailroom::reminders
