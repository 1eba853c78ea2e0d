#include "mime/report/status.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

TEST(ReportStatus, CodesAreFoundAndAddressesAreNotTakenForThem) {
    struct Case {
        std::string_view text, status;
        int code;
    };
    // clang-format off
    const Case cases[] = {
        {"550 5.1.1 No such user", "5.1.1", 550},
        {"550-5.1.1 No such user", "5.1.1", 550},
        {"552: 5.2.2 Mailbox over quota", "5.2.2", 552},
        {"(#5.1.1)", "5.1.1", 0},
        {"5.7.500 access denied", "5.7.500", 0},
        {"host [4.3.2.1] said 451 try later", "", 451},
        {"version 5.1.1.2", "", 0},
        {"x5.1.1", "", 0},
        {"mx4.2.2.example.com", "", 0},
        {"3.1.1", "", 0},
        {"in 5500 days, 45 of them", "", 0},
        {"", "", 0},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(find_enhanced_status(c.text).value_or(""), c.status);
        EXPECT_EQ(find_reply_code(c.text).value_or(0), c.code);
    }
}

TEST(ReportStatus, AFailureIsPermanentUnlessACodeSaysOtherwise) {
    EXPECT_EQ(failure_outcome("4.2.2", "550 no"), Outcome::failed_for_now);
    EXPECT_EQ(failure_outcome("5.1.1", "450 no"), Outcome::failed_permanently);
    EXPECT_EQ(failure_outcome(std::nullopt, "450 later"), Outcome::failed_for_now);
    EXPECT_EQ(failure_outcome(std::nullopt, "no such user"), Outcome::failed_permanently);
}

TEST(ReportStatus, ADiagnosticIsOneTidyLine) {
    EXPECT_EQ(tidy_diagnostic(" 550 no\r\n\tsuch   user "), "550 no such user");
    EXPECT_EQ(tidy_diagnostic(" \r\n "), std::nullopt);
    EXPECT_EQ(tidy_diagnostic("caf\xe9"), "café");
    EXPECT_LE(tidy_diagnostic(std::string(100'000, 'x'))->size(), diagnostic_bytes_max);
}

}  // namespace
}  // namespace mailroom::mime
