#include "mime/read/date.h"

#include "base/time_format.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

TEST(MailDate, TakesWhatSendersWriteAndRefusesWhatNamesNoTime) {
    struct Case {
        std::string_view text, want;  // An empty `want` is a refusal.
    };
    // clang-format off
    const Case cases[] = {
        {"Sun, 15 Nov 2026 10:00:05 +0100", "2026-11-15T09:00:05Z"},
        {"15 Nov 2026 10:00:05 -0530", "2026-11-15T15:30:05Z"},
        {"Sun, 15 Nov 2026 10:00 GMT", "2026-11-15T10:00:00Z"},
        {"Sun,15 Nov 2026 10:00:05 UT", "2026-11-15T10:00:05Z"},
        {"Sun, 15 Nov 2026 10:00:05 EST", "2026-11-15T15:00:05Z"},
        {"Sun, 15 Nov 2026 10:00:05 +0000 (UTC)", "2026-11-15T10:00:05Z"},
        {"Sun, 15 Nov 2026 (a (nested) word) 10:00:05 +0000", "2026-11-15T10:00:05Z"},
        {"Sun, 15 Nov 2026\r\n 10:00:05 +0000", "2026-11-15T10:00:05Z"},
        {"Sun, 15 November 2026 10:00:05 +00:00", "2026-11-15T10:00:05Z"},
        {"Mon, 15 Nov 2026 10:00:05 +0000", "2026-11-15T10:00:05Z"},
        {"15 nov 26 10:00:05", "2026-11-15T10:00:05Z"},
        {"15 Nov 99 10:00:05", "1999-11-15T10:00:05Z"},
        {"15 Nov 126 10:00:05", "2026-11-15T10:00:05Z"},
        {"Sun Nov 15 10:00:05 2026", "2026-11-15T10:00:05Z"},
        {"Nov 15 10:00:05 2026", "2026-11-15T10:00:05Z"},
        {"2026-11-15T10:00:05+01:00", "2026-11-15T09:00:05Z"},
        {"Sat, 31 Dec 2016 23:59:60 +0000", "2016-12-31T23:59:59Z"},
        {"Sun, 15 Nov 2026 10.00.05 +0000", "2026-11-15T10:00:05Z"},
        {"", ""},
        {"yesterday", ""},
        {"Sun, 31 Feb 2026 10:00:05 +0000", ""},
        {"Sun, 15 Nov 2026", ""},
        {"Sun, 15 Nov 2026 25:00:05 +0000", ""},
        {"Sun, 15 Foo 2026 10:00:05 +0000", ""},
        {"Sun, 15 Nov 20262 10:00:05 +0000", ""},
        {"Sun, -5 Nov 2026 10:00:05 +0000", ""},
        {"((((((((((", ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        const auto got = parse_mail_date(c.text);
        EXPECT_EQ(got ? format_rfc3339_seconds(*got) : "", c.want);
    }
}

}  // namespace
}  // namespace mailroom::mime
