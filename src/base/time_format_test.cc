#include "base/time_format.h"

#include <gtest/gtest.h>

#include <optional>

namespace mailroom {
namespace {

using namespace std::string_view_literals;

constexpr std::int64_t year_0000_ms = -62167219200000;
constexpr std::int64_t year_9999_ms = 253402300799999;  // Its last millisecond.

TEST(TimeFormat, WritesEveryForm) {
    struct Case {
        std::int64_t ms;
        std::string_view rfc3339, seconds, http, aws;
    };
    // clang-format off
    const Case cases[] = {
        {1794721884123, "2026-11-15T05:51:24.123Z", "2026-11-15T05:51:24Z", "Sun, 15 Nov 2026 05:51:24 GMT", "20261115T055124Z"},
        {0,             "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00Z", "Thu, 01 Jan 1970 00:00:00 GMT", "19700101T000000Z"},
        {-1,            "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT", "19691231T235959Z"},
        {951782400007,  "2000-02-29T00:00:00.007Z", "2000-02-29T00:00:00Z", "Tue, 29 Feb 2000 00:00:00 GMT", "20000229T000000Z"},
        {year_0000_ms,  "0000-01-01T00:00:00.000Z", "0000-01-01T00:00:00Z", "Sat, 01 Jan 0000 00:00:00 GMT", "00000101T000000Z"},
        {year_9999_ms,  "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT", "99991231T235959Z"},
        {INT64_MAX,     "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT", "99991231T235959Z"},
        {INT64_MIN,     "0000-01-01T00:00:00.000Z", "0000-01-01T00:00:00Z", "Sat, 01 Jan 0000 00:00:00 GMT", "00000101T000000Z"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.rfc3339);
        const auto time = from_unix_ms(c.ms);
        EXPECT_EQ(format_rfc3339(time), c.rfc3339);
        EXPECT_EQ(format_rfc3339_seconds(time), c.seconds);
        EXPECT_EQ(format_http_date(time), c.http);
        EXPECT_EQ(format_aws_time(time), c.aws);
    }
}

TEST(TimeFormat, ParsesRfc3339AndRefusesAllElse) {
    struct Case {
        std::string_view text;
        std::optional<std::int64_t> want_ms;
    };
    const Case cases[] = {
        {"2026-11-15T05:51:24.123Z", 1794721884123},
        {"2026-11-15T05:51:24Z", 1794721884000},
        {"2026-11-15T05:51:24.1Z", 1794721884100},
        {"2026-11-15T05:51:24.12Z", 1794721884120},
        {"2026-11-15T05:51:24.123999Z", 1794721884123},
        {"2026-11-15T05:51:24.123456789Z", 1794721884123},
        {"2026-11-15T06:51:24+01:00", 1794721884000},
        {"2026-11-14T23:21:24.123-06:30", 1794721884123},
        {"2026-11-15T05:51:24-00:00", 1794721884000},
        {"2000-02-29T00:00:00Z", 951782400000},
        {"0000-01-01T00:00:00Z", year_0000_ms},
        {"9999-12-31T23:59:59.999Z", year_9999_ms},
        {"", std::nullopt},
        {"2026-11-15", std::nullopt},
        {"2026-11-15T05:51:24", std::nullopt},
        {"2026-11-15T05:51Z", std::nullopt},
        {"2026-11-15 05:51:24Z", std::nullopt},
        {"2026-11-15t05:51:24z", std::nullopt},
        {"2026-11-15T05:51:24.Z", std::nullopt},
        {"2026-11-15T05:51:24.1234567890Z", std::nullopt},
        {"2026-11-15T05:51:24,123Z", std::nullopt},
        {"2026-11-15T05:51:24.123Z ", std::nullopt},
        {" 2026-11-15T05:51:24.123Z", std::nullopt},
        {"2026-11-15T05:51:24.123Z\0"sv, std::nullopt},
        {"2026-11-15T05:51:24+0100", std::nullopt},
        {"2026-11-15T05:51:24+01", std::nullopt},
        {"2026-11-15T05:51:24+24:00", std::nullopt},
        {"2026-11-15T05:51:24+01:60", std::nullopt},
        {"2026-11-15T05:51:24Z+01:00", std::nullopt},
        {"2026-02-29T00:00:00Z", std::nullopt},
        {"1900-02-29T00:00:00Z", std::nullopt},
        {"2026-04-31T00:00:00Z", std::nullopt},
        {"2026-00-01T00:00:00Z", std::nullopt},
        {"2026-13-01T00:00:00Z", std::nullopt},
        {"2026-01-00T00:00:00Z", std::nullopt},
        {"2026-01-01T24:00:00Z", std::nullopt},
        {"2026-01-01T00:60:00Z", std::nullopt},
        {"2016-12-31T23:59:60Z", std::nullopt},
        {"+026-01-01T00:00:00Z", std::nullopt},
        {"20026-01-01T00:00:00Z", std::nullopt},
        {"9999-12-31T23:59:59-00:01", std::nullopt},
        {"0000-01-01T00:00:00+00:01", std::nullopt},
        {"20261115T055124Z", std::nullopt},
        {"1794721884", std::nullopt},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        const auto got = parse_rfc3339(c.text);
        ASSERT_EQ(static_cast<bool>(got), c.want_ms.has_value());
        if (got) {
            EXPECT_EQ(to_unix_ms(*got), *c.want_ms);
        } else {
            EXPECT_EQ(got.error().code, Errc::invalid);
        }
    }
}

TEST(TimeFormat, ParsesAwsTimesAndRefusesAllElse) {
    const auto good = parse_aws_time("20261115T055124Z");
    ASSERT_TRUE(good);
    EXPECT_EQ(to_unix_ms(*good), 1794721884000);
    for (const auto text :
         {"", "20261115T055124", "20261115T055124z", "20261115 055124Z", "20261115T055124ZZ",
          "20261115T055160Z", "20261115T246000Z", "20261315T055124Z", "20260229T055124Z",
          "2026-11-15T05:51:24Z", "20261115T055124.1Z", "2026111T055124Z"}) {
        EXPECT_FALSE(parse_aws_time(text)) << text;
    }
}

TEST(TimeFormat, ReadsBackWhatItWrites) {
    for (std::int64_t ms = year_0000_ms; ms < year_9999_ms; ms += 86'399'999 * 977LL) {
        const auto time = from_unix_ms(ms);
        const auto read = parse_rfc3339(format_rfc3339(time));
        ASSERT_TRUE(read) << ms;
        EXPECT_EQ(*read, time);
    }
}

}  // namespace
}  // namespace mailroom
