#include "base/time_format.h"
#include "outbox/accept/compose.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

class AdoptTest : public ::testing::Test {
protected:
    Result<Composed, BadField> adopt(std::string message, std::vector<std::string> recipients = {},
                                     std::string sender = "") {
        return outbox::adopt({std::move(sender), std::move(recipients), std::move(message)}, clock,
                             random);
    }

    ManualClock clock{*parse_rfc3339("2025-11-20T10:00:00Z")};
    SeededRandom random{1};
};

constexpr std::string_view whole =
    "From: Ann <ann@example.com>\r\n"
    "To: b@example.org\r\n"
    "Date: Thu, 20 Nov 2025 09:00:00 +0000\r\n"
    "Message-ID: <one@example.com>\r\n"
    "Subject: s\r\n"
    "\r\n"
    "Bcc: is no header here\r\n";

TEST_F(AdoptTest, LeavesAWholeMessageAsItIs) {
    const auto made = adopt(std::string(whole));
    ASSERT_TRUE(made);
    EXPECT_EQ(made->message, whole);
    EXPECT_EQ(made->sender, "ann@example.com");
    EXPECT_EQ(made->recipients, std::vector<std::string>{"b@example.org"});
    EXPECT_EQ(made->message_id, "<one@example.com>");
}

TEST_F(AdoptTest, TakesBccOutAndAddsWhatIsMissing) {
    const auto made = adopt(
        "Received: from x\r\n by y\r\n"
        "BCC: c@example.org,\r\n\td@example.org\r\n"
        "From: ann@example.com\r\n"
        "Cc: b@example.org, C@example.org\r\n"
        "Resent-Bcc: z@example.org\r\n"
        "bcc : e@example.org\r\n"
        "\r\n"
        "text\r\n");
    ASSERT_TRUE(made) << made.error().why;
    EXPECT_EQ(made->message, "Message-ID: " + made->message_id +
                                 "\r\nDate: Thu, 20 Nov 2025 10:00:00 +0000\r\n"
                                 "Received: from x\r\n by y\r\n"
                                 "From: ann@example.com\r\n"
                                 "Cc: b@example.org, C@example.org\r\n"
                                 "\r\n"
                                 "text\r\n");
    EXPECT_TRUE(made->message_id.ends_with("@example.com>"));
    EXPECT_EQ(made->recipients, (std::vector<std::string>{"b@example.org", "C@example.org",
                                                          "d@example.org", "e@example.org"}));
}

TEST_F(AdoptTest, LineEndsBecomeCrlf) {
    const auto made = adopt(
        "From: a@example.com\nTo: b@example.org\rDate: x\r\nMessage-ID: "
        "<i@x>\n\none\r\ntwo\rthree");
    ASSERT_TRUE(made) << made.error().why;
    EXPECT_EQ(made->message,
              "From: a@example.com\r\nTo: b@example.org\r\nDate: x\r\nMessage-ID: <i@x>\r\n\r\n"
              "one\r\ntwo\r\nthree\r\n");
}

TEST_F(AdoptTest, WhatIsGivenGoesBeforeWhatTheMessageSays) {
    const auto made =
        adopt(std::string(whole), {"x@example.net", "X@example.net"}, "s@example.net");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->sender, "s@example.net");
    EXPECT_EQ(made->recipients, std::vector<std::string>{"x@example.net"});
    EXPECT_EQ(made->message, whole);
}

TEST_F(AdoptTest, AnIdThatIsNoneIsReplaced) {
    const auto made = adopt(
        "From: a@example.com\r\nTo: b@example.org\r\nDate: x\r\n"
        "Message-ID:\r\n\r\nx\r\n");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->message, "Message-ID: " + made->message_id +
                                 "\r\nFrom: a@example.com\r\nTo: b@example.org\r\nDate: x\r\n"
                                 "\r\nx\r\n");
}

TEST_F(AdoptTest, AMessageOfHeadersAloneIsOne) {
    const auto made = adopt("From: a@example.com\nTo: b@example.org");
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->message.ends_with("To: b@example.org\r\n"));
}

// A field of so many bytes, in lines of a fair length.
std::string folded(std::size_t bytes) {
    std::string field = "X: y\r\n";
    while (field.size() < bytes) field += " " + std::string(70, 'x') + "\r\n";
    return field;
}

TEST_F(AdoptTest, Refuses) {
    struct Case {
        std::string message;
        std::vector<std::string> recipients;
        std::string sender;
        std::string_view field, why;  // `why` is in it.
    };
    const std::string head = "From: a@example.com\r\nTo: b@example.org\r\n";
    // clang-format off
    const Case cases[] = {
        {"", {}, "", "From", "once"},
        {"To: b@example.org\r\n\r\nx", {}, "", "From", "once"},
        {head + "from: c@example.com\r\n\r\nx", {}, "", "From", "once"},
        {"From: nobody\r\nTo: b@example.org\r\n\r\n", {}, "", "From", "e-mail address"},
        {"From: a@localhost\r\nTo: b@example.org\r\n\r\n", {}, "", "From", "dot"},
        {"From: a@example.com\r\n\r\nx", {}, "", "To", "at least one"},
        {"From: a@example.com\r\nTo: undisclosed-recipients:;\r\n\r\nx", {}, "", "To", "at least one"},
        {"From: a@example.com\r\nCc: b@localhost\r\n\r\nx", {}, "", "Cc", "dot"},
        {head + "no header\r\n\r\nx", {}, "", "message", "line 3"},
        {"From x@y Thu Nov 20 10:00:00 2025\r\n" + head, {}, "", "message", "line 1"},
        {" folded: x\r\n" + head, {}, "", "message", "line 1"},
        {head + "\r\na" + std::string(1, '\0'), {}, "", "message", "NUL"},
        {head, {"nobody"}, "", "recipients[0]", "e-mail address"},
        {head, {"x@example.org", "y@example.org\r\nRCPT TO:<z@example.org>"}, "", "recipients[1]", "e-mail address"},
        {head, {}, "s@example.com>\r\nRCPT", "sender", "e-mail address"},
        {head + "\r\n" + std::string(raw_bytes_max, 'x'), {}, "", "message", "larger than 40 MB"},
        {head + folded(2 * 1024 * 1024) + "\r\n", {}, "", "message", "too long headers"},
        {head + "X: " + std::string(996, 'x') + "\r\n\r\n", {}, "", "message", "more than 998 bytes"},
        {head + "\r\n" + std::string(999, 'x'), {}, "", "message", "line 4"},
        {head, std::vector<std::string>(1001, "x@example.org"), "", "", ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.message.substr(0, 100));
        const auto made = adopt(c.message, c.recipients, c.sender);
        if (c.field.empty()) {
            EXPECT_TRUE(made) << "the same recipient again and again is one";
            continue;
        }
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().field, c.field);
        EXPECT_NE(made.error().why.find(c.why), std::string::npos) << made.error().why;
    }
}

TEST_F(AdoptTest, RefusesTooManyRecipients) {
    std::vector<std::string> recipients;
    for (int i = 0; i < 1001; ++i) recipients.push_back("x" + std::to_string(i) + "@example.org");
    const auto made = adopt(std::string(whole), recipients);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().field, "recipients[1000]");
}

}  // namespace
}  // namespace mailroom::outbox
