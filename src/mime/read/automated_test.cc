#include "mime/read/automated.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

Headers one(std::string_view name, std::string_view value) {
    Headers headers;
    headers.add({name, value});
    return headers;
}

TEST(Automated, HeadersDecideAlone) {
    struct Case {
        std::string_view name, value;
        bool want;
    };
    // clang-format off
    const Case cases[] = {
        {"Auto-Submitted", "auto-replied", true},
        {"auto-submitted", "Auto-Generated; owner=\"x\"", true},
        {"Auto-Submitted", "no", false},
        {"Auto-Submitted", "No (a person)", false},
        {"X-Autoreply", "yes", true},
        {"X-Autoreply", "no", false},
        {"X-Autorespond", "", true},
        {"X-Auto-Response-Suppress", "All", true},
        {"X-Auto-Response-Suppress", "DR, OOF, AutoReply", true},
        {"X-Auto-Response-Suppress", "DR, RN, NRN", false},
        {"X-Auto-Response-Suppress", "None", false},
        {"Precedence", "bulk", true},
        {"Precedence", "Junk", true},
        {"Precedence", "auto_reply", true},
        {"Precedence", "list", false},
        {"Precedence", "first-class", false},
        {"Return-Path", "<>", true},
        {"Return-Path", "<ann@example.com>", false},
        {"Content-Type", "multipart/report; report-type=delivery-status", true},
        {"Content-Type", "multipart/mixed", false},
        {"List-Id", "<dev.example.com>", false},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(std::string(c.name) + ": " + std::string(c.value));
        const auto got = detect_automated(one(c.name, c.value), "Offer", "Hello");
        EXPECT_EQ(got.is_automated, c.want);
        EXPECT_EQ(got.reasons.empty(), !c.want);
    }
}

TEST(Automated, PhrasesCountInTheSubjectOrTwoAtTheBeginning) {
    const std::string far(300, 'x');
    struct Case {
        std::string_view name, subject;
        std::string text;
        bool want;
    };
    // clang-format off
    const Case cases[] = {
        {"subject alone", "Automatic reply: Offer", "Back on Monday", true},
        {"subject, another case", "OUT OF OFFICE", "", true},
        {"subject, German", "Abwesenheitsnotiz: Angebot", "", true},
        {"one in the text", "Offer", "I am out of office today, call me", false},
        {"two in the text", "Offer", "This is an automatic reply: I am out of the office", true},
        {"the same twice", "Offer", "out of office, really out of office", false},
        {"second one too far away", "Offer", "out of office" + far + "automatic reply", false},
        {"everyday word in the subject", "Our bounce rate", "Hello", false},
        {"everyday word in the text", "Offer", "We offer vacation homes", false},
        {"two everyday words", "Vacation", "My mail may bounce", true},
        {"nothing", "Offer", "Hello", false},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(detect_automated({}, c.subject, c.text).is_automated, c.want);
    }
}

TEST(Automated, AMailingListIsSaidApart) {
    EXPECT_TRUE(detect_automated(one("List-Id", "<dev.example.com>"), "", "").is_list);
    EXPECT_TRUE(detect_automated(one("Precedence", "list"), "", "").is_list);
    EXPECT_FALSE(detect_automated(one("Precedence", "bulk"), "", "").is_list);
}

}  // namespace
}  // namespace mailroom::mime
