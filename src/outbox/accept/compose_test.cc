#include "outbox/accept/compose.h"

#include "base/time_format.h"
#include "mime/read/parse.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

class ComposeTest : public ::testing::Test {
protected:
    Request request(std::string_view text) {
        json::Parser parser;
        const auto view = parser.parse(text);
        EXPECT_TRUE(view) << text;
        auto parsed = parse_request(*view, clock.now());
        EXPECT_TRUE(parsed) << parsed.error().text();
        return parsed ? std::move(*parsed) : Request{};
    }
    Result<Composed, BadField> compose(std::string_view text, const Contents& contents = {}) {
        return outbox::compose(request(text), contents, clock, random, zones, clock.now());
    }
    std::string message(std::string_view text, const Contents& contents = {}) {
        auto made = compose(text, contents);
        EXPECT_TRUE(made) << made.error().field << " " << made.error().why;
        return made ? made->message : "";
    }

    ManualClock clock{*parse_rfc3339("2025-11-20T10:00:00Z")};
    SeededRandom random{1};
    liquid::TimeZones zones;
};

std::string base(std::string_view more) {
    return R"({"from":"a@example.com","to":"b@example.org","subject":"Ciao",)" + std::string(more) +
           "}";
}

// Scenario 8, in a form that mail programs know: MIME-Version, Message-ID, no needless multipart.
TEST_F(ComposeTest, GoldenEml) {
    const auto made = compose(R"({"id":"11111111-2222-4333-8444-555555555555",
        "from":"a@example.com","to":"b@example.org","subject":"Ciao","text":"Riga è",
        "headers":{"X-Camp":"7"}})");
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->message_id.starts_with("<") && made->message_id.ends_with("@example.com>"));
    EXPECT_EQ(made->message,
              "Date: Thu, 20 Nov 2025 10:00:00 +0000\r\n"
              "From: a@example.com\r\n"
              "To: b@example.org\r\n"
              "Subject: Ciao\r\n"
              "Message-ID: " +
                  made->message_id +
                  "\r\n"
                  "X-Camp: 7\r\n"
                  "MIME-Version: 1.0\r\n"
                  "Content-Type: text/plain; charset=utf-8\r\n"
                  "Content-Transfer-Encoding: base64\r\n"
                  "\r\n"
                  "UmlnYSDDqA==\r\n");
    EXPECT_EQ(made->sender, "a@example.com");
    EXPECT_EQ(made->recipients, std::vector<std::string>{"b@example.org"});
}

// Scenario 9: the texts are alternatives, and the attachment stands beside them.
TEST_F(ComposeTest, TwoBodiesAndAnAttachment) {
    const auto bytes = message(base(R"("text":"T","html":"<p>H</p>","reply_to":"c@example.com",
                                       "attachments":[{"path":"/d/n.txt"}])"),
                               {"MailCulator"});
    const auto mail = mime::parse(bytes);
    ASSERT_EQ(mail.structure.type.value, "multipart/mixed");
    ASSERT_EQ(mail.structure.children.size(), 2u);
    EXPECT_EQ(mail.structure.children[0].type.value, "multipart/alternative");
    EXPECT_EQ(mail.structure.children[0].children[0].type.value, "text/plain");
    EXPECT_EQ(mail.structure.children[0].children[1].type.value, "text/html");
    EXPECT_EQ(mail.structure.children[1].type.value, "text/plain");
    EXPECT_NE(bytes.find("TWFpbEN1bGF0b3I="), bytes.npos);
    EXPECT_NE(bytes.find("filename=n.txt"), bytes.npos);
    EXPECT_NE(bytes.find("Reply-To: c@example.com"), bytes.npos);
    EXPECT_EQ(message(base(R"("text":"T")")).find("Reply-To"), std::string::npos);
}

// Scenario 10: a folded line begins with one space, and unfolds to what it was.
TEST_F(ComposeTest, Folding) {
    const std::string subject =
        "This is a very long subject line that exceeds seventy six characters for testing";
    const auto bytes = message(R"({"from":"a@example.com","to":"b@example.org","text":"x",
                                   "subject":")" +
                               subject + "\"}");
    EXPECT_NE(bytes.find("characters\r\n for testing\r\n"), bytes.npos) << bytes;
    EXPECT_EQ(mime::parse(bytes).subject, subject);
}

TEST_F(ComposeTest, ImagesStandWithTheHtmlAndTypesFollowFileNames) {
    const auto bytes = message(base(R"("html":"<img src=\"cid:logo\">","attachments":[
                {"content":"aGk=","filename":"a.PNG","content_id":"logo"},
                {"url":"https://example.com/files/bill.pdf?x=1"},
                {"content":"aGk=","filename":"b.unknown"}])"),
                               {"", "%PDF", ""});
    const auto mail = mime::parse(bytes);
    ASSERT_EQ(mail.structure.children.size(), 3u);
    EXPECT_NE(bytes.find("Content-ID: <logo>"), bytes.npos);
    EXPECT_NE(bytes.find("Content-Type: image/png"), bytes.npos);
    EXPECT_EQ(mail.structure.children[1].type.value, "application/pdf");
    EXPECT_NE(bytes.find("filename=bill.pdf"), bytes.npos);
    EXPECT_EQ(mail.structure.children[2].type.value, "application/octet-stream");
}

TEST_F(ComposeTest, RendersTemplatesAndEscapesInHtmlOnly) {
    const auto bytes = message(R"({"from":"a@example.com","to":"b@example.org","subject":"unused",
        "template":{"subject":"For {{ name }}","text":"Hi {{ name }}","html":"<p>{{ name }}</p>"},
        "data":{"name":"A & B"}})");
    const auto mail = mime::parse(bytes);
    EXPECT_EQ(mail.subject, "For A & B");
    EXPECT_NE(bytes.find("Hi A & B"), bytes.npos);
    EXPECT_NE(bytes.find("<p>A &amp; B</p>"), bytes.npos);
}

TEST_F(ComposeTest, RecipientsAreOnceEachAndBccIsNotInTheMessage) {
    const auto made = compose(R"({"from":"a@example.com","to":["b@example.org","B@EXAMPLE.org"],
        "cc":"c@bücher.example","bcc":["d@example.org","b@example.org"],"subject":"s",
        "text":"x"})");
    ASSERT_TRUE(made);
    EXPECT_EQ(made->recipients, (std::vector<std::string>{
                                    "b@example.org", "c@xn--bcher-kva.example", "d@example.org"}));
    EXPECT_EQ(made->message.find("d@example.org"), std::string::npos);
}

TEST_F(ComposeTest, RefusesByTheNameOfTheField) {
    struct Case {
        std::string more;
        std::string_view field, why;  // `why` is in it.
    };
    // clang-format off
    const Case cases[] = {
        {R"("text":"x","headers":{"X-A":"1","X-B":"1\r\nBcc: x@example.org"})", "headers.X-B", "line break"},
        {R"("text":"x","headers":{"X-A\r\nBcc":"x@example.org"})", "headers.X-A\r\nBcc", "character"},
        {R"("text":"x","headers":{"X A":"1"})", "headers.X A", "character"},
        {R"("text":"x","headers":{"":"1"})", "headers.", "empty"},
        {R"("text":"x","headers":{"bcc":"x@example.org"})", "headers.bcc", "custom"},
        {R"("text":"x","headers":{"Content-Type":"text/html"})", "headers.Content-Type", "custom"},
        {R"("text":"x","headers":{"X-A":"a\u0000b"})", "headers.X-A", "NUL"},
        {R"("text":"x","attachments":[{"content":"","content_id":"a"}])", "attachments[0].content_id", "no HTML"},
        {R"("html":"x","attachments":[{"content":""},{"content":"","content_id":"a b"}])", "attachments[1].content_id", "character"},
        {R"("html":"x","attachments":[{"content":"","content_id":"a"},{"content":"","content_type":"x"}])", "attachments[1].content_type", "media type"},
        {R"("text":"x","attachments":[{"content":"","filename":"a\r\nb"}])", "attachments[0].filename", "control"},
        {R"("template":{"text":"{{ a.b }} {{ c }}"},"data":{"x":1})", "template.text", "data does not have a, c"},
        {R"("template":{"text":"{{ c }}"})", "template.text", "data does not have c"},
        {R"("template":{"html":"{% if %}"})", "template.html", "line 1"},
        {R"("template":{"html":"{{ x"})", "template.html", "line 1"},
        {R"("text":"x","template":{"subject":"{{ s }}"},"data":{"s":"a\r\nBcc: x@example.org"})", "template.subject", "line break"},
        {R"("text":"x","template":{"subject":"{{ s }}"},"data":{"s":""})", "template.subject", "renders to nothing"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.more);
        const auto made = compose(base(c.more));
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().field, c.field);
        EXPECT_NE(made.error().why.find(c.why), std::string::npos) << made.error().why;
    }
}

TEST_F(ComposeTest, RefusesALineBreakInTheSubject) {
    const auto made = compose(R"({"from":"a@example.com","to":"b@example.org","text":"x",
                                  "subject":"a\nBcc: x@example.org"})");
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().field, "subject");
}

TEST_F(ComposeTest, EveryMessageHasAnIdOfItsOwn) {
    const auto one = compose(base(R"("text":"x")")), two = compose(base(R"("text":"x")"));
    ASSERT_TRUE(one && two);
    EXPECT_NE(one->message_id, two->message_id);
}

}  // namespace
}  // namespace mailroom::outbox
