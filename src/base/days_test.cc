#include "base/days.h"

#include "base/time_format.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

TEST(Days, ADayIsItsLastMoment) {
    const auto day = parse_day_or_time("2025-08-20");
    ASSERT_TRUE(day);
    EXPECT_EQ(format_rfc3339(*day), "2025-08-20T23:59:59.999Z");
    EXPECT_EQ(format_day_or_time(*day), "2025-08-20");
    const auto time = parse_day_or_time("2025-08-20T10:00:00Z");
    ASSERT_TRUE(time);
    EXPECT_EQ(format_day_or_time(*time), "2025-08-20T10:00:00.000Z");
    for (const std::string_view wrong : {"", "2025-8-20", "20.08.2025", "2025-02-30", "tomorrow"}) {
        EXPECT_FALSE(parse_day_or_time(wrong)) << wrong;
        EXPECT_FALSE(is_day(wrong)) << wrong;
    }
    EXPECT_TRUE(is_day("2025-08-20"));
    EXPECT_FALSE(is_day("2025-08-20T10:00:00Z"));
    EXPECT_EQ(format_rfc3339(first_moment(*day)), "2025-08-20T00:00:00.000Z");
}

TEST(Days, StampsGoBothWays) {
    const auto time = *parse_rfc3339("2025-09-01T10:05:00Z");
    EXPECT_EQ(stamp_of(time), "20250901_100500");
    EXPECT_EQ(time_of_stamp("20250901_100500_cust_001"), time);
    for (const std::string_view wrong :
         {"", "20250901_100500", "20250901-100500_x", "2025x901_100500_x", "20251301_100500_x"}) {
        EXPECT_FALSE(time_of_stamp(wrong)) << wrong;
    }
}

TEST(Days, OnlyWholeDaysCount) {
    const auto from = *parse_rfc3339("2025-09-01T10:00:00Z");
    EXPECT_EQ(whole_days(from, from + std::chrono::hours(23)), 0);
    EXPECT_EQ(whole_days(from, from + std::chrono::hours(24 * 8 - 1)), 7);
    EXPECT_EQ(whole_days(from, from - std::chrono::hours(48)), 0);
}

TEST(Days, TimesOfOtherProgramsAreReadAsTheyCome) {
    struct Case {
        std::string_view text, want;  // An empty `want`: none.
    };
    const Case cases[] = {
        {"2025-09-21T15:00:00Z", "2025-09-21T15:00:00.000Z"},
        {"2025-09-21T15:00:00", "2025-09-21T15:00:00.000Z"},
        {"2025-09-21T15:00:00.123456", "2025-09-21T15:00:00.123Z"},
        {"2025-09-21 15:00:00", "2025-09-21T15:00:00.000Z"},
        {"2025-09-21", "2025-09-21T00:00:00.000Z"},
        // The same hour twice, in the night that summer time ends.
        {"2025-10-26T02:30:00+02:00", "2025-10-26T00:30:00.000Z"},
        {"2025-10-26T02:30:00+01:00", "2025-10-26T01:30:00.000Z"},
        {"2025-12-31T23:30:00-05:00", "2026-01-01T04:30:00.000Z"},
        {"yesterday", ""},
        {"", ""},
    };
    for (const auto& c : cases) {
        const auto time = parse_others_time(c.text);
        EXPECT_EQ(time ? format_rfc3339(*time) : "", c.want) << c.text;
    }
}

}  // namespace
}  // namespace mailroom
