#include "mime/build/build.h"

#include "base/random.h"
#include "base/time_format.h"
#include "mime/header_text.h"
#include "mime/header_writer.h"

#include <gtest/gtest.h>

#include <functional>

namespace mailroom::mime {

namespace {

Message plain_message() {
    Message message;
    message.from = {{"Ann Lee", "ann", "example.com"}};
    message.to = {{"", "bob", "example.org"}};
    message.subject = "Hello";
    message.date = *parse_rfc3339("2026-11-15T05:51:24Z");
    message.message_id = {"id1@example.com"};
    message.text = "Hi Bob\n";
    return message;
}

Message full_message() {
    auto message = plain_message();
    message.text = "Grüße\n";
    message.html = "<p>Grüße <img src=\"cid:logo\"></p>\n";
    message.inline_images = {{"logo", "image/png", "PNG", "logo.png"}};
    message.attachments = {{"C:\\docs\\résumé.pdf", "application/pdf", "PDF bytes"}};
    return message;
}

std::string built(const Message& message, const BuildOptions& options = {}) {
    auto bytes = build(message, options);
    return bytes ? *bytes : "refused: " + bytes.error().message;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Every line end is CRLF, and no line is longer than allowed.
void expect_well_formed(std::string_view bytes) {
    std::size_t line = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (bytes[i] == '\n') {
            ASSERT_TRUE(i > 0 && bytes[i - 1] == '\r');
            ASSERT_LE(line, line_bytes_max + 1);
            line = 0;
        } else {
            ASSERT_TRUE(bytes[i] != '\r' || (i + 1 < bytes.size() && bytes[i + 1] == '\n'));
            ASSERT_LT(static_cast<unsigned char>(bytes[i]), 0x80);
            ++line;
        }
    }
    EXPECT_TRUE(bytes.ends_with("\r\n"));
}

}  // namespace

TEST(Build, APlainTextIsExactlyThis) {
    EXPECT_EQ(built(plain_message()),
              "Date: Sun, 15 Nov 2026 05:51:24 +0000\r\n"
              "From: Ann Lee <ann@example.com>\r\n"
              "To: bob@example.org\r\n"
              "Subject: Hello\r\n"
              "Message-ID: <id1@example.com>\r\n"
              "MIME-Version: 1.0\r\n"
              "Content-Type: text/plain; charset=utf-8\r\n"
              "Content-Transfer-Encoding: 7bit\r\n"
              "\r\n"
              "Hi Bob\r\n");
}

TEST(Build, AllPartsNestAsMixedAlternativeRelated) {
    const auto bytes = built(full_message());
    expect_well_formed(bytes);
    const std::string_view order[] = {
        "Content-Type: multipart/mixed;",
        "Content-Type: multipart/alternative;",
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64",
        "Content-Type: multipart/related; type=\"text/html\";",
        "Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable",
        "<p>Gr=C3=BC=C3=9Fe <img src=3D\"cid:logo\"></p>\r\n",
        "Content-Type: image/png; name=logo.png\r\n"
        "Content-ID: <logo>\r\n"
        "Content-Disposition: inline; filename=logo.png\r\n"
        "Content-Transfer-Encoding: base64\r\n\r\nUE5H\r\n",
        "Content-Type: application/pdf; name=r_sum_.pdf\r\n"
        "Content-Disposition: attachment; filename*=UTF-8''r%C3%A9sum%C3%A9.pdf\r\n"
        "Content-Transfer-Encoding: base64\r\n\r\nUERGIGJ5dGVz\r\n",
    };
    std::size_t at = 0;
    for (const auto part : order) {
        const auto found = bytes.find(part, at);
        ASSERT_NE(found, bytes.npos) << part << "\nin\n" << bytes;
        at = found;
    }
}

TEST(Build, TheSameMessageGivesTheSameBytesAndAnotherOneOtherBoundaries) {
    const auto message = full_message();
    EXPECT_EQ(built(message), built(message));
    auto other = message;
    other.message_id = {"id2@example.com"};
    const auto boundary = [](const std::string& bytes) {
        return bytes.substr(bytes.find("boundary="), 50);
    };
    EXPECT_NE(boundary(built(message)), boundary(built(other)));
}

TEST(Build, ABoundaryNeverStandsInAPart) {
    auto message = full_message();
    const auto first = built(message);
    const auto hash = first.substr(first.find("boundary=\"=_1_") + 14, 32);
    message.text = "--=_1_" + hash + "\n";
    const auto bytes = built(message);
    EXPECT_FALSE(contains(bytes, "boundary=\"=_1_" + hash));
    EXPECT_TRUE(contains(bytes, "--=_1_" + hash));
}

TEST(Build, BccIsInTheEnvelopeOnly) {
    auto message = plain_message();
    message.cc = {{"", "carl", "example.org"}, {"", "BOB", "Example.org"}};
    message.bcc = {{"Eve", "eve", "secret.example"}};
    const auto bytes = built(message);
    EXPECT_FALSE(contains(bytes, "eve"));
    EXPECT_FALSE(contains(bytes, "cc: Eve"));
    const auto recipients = envelope_recipients(message);
    ASSERT_EQ(recipients.size(), 3u);
    EXPECT_EQ(recipients[1].local_part, "carl");
    EXPECT_EQ(recipients[2].local_part, "eve");

    message.to.clear();
    message.cc.clear();
    EXPECT_TRUE(contains(built(message), "\r\nTo: undisclosed-recipients:;\r\n"));
}

TEST(Build, HeadersAreEncodedAndFolded) {
    auto message = plain_message();
    message.subject =
        "Grüße aus Köln: ein langer Betreff, der nicht in eine Zeile passt, mit Umlauten äöü";
    message.to.clear();
    for (int i = 0; i < 50; ++i) {
        message.to.push_back({"Müller, Jörg", "joerg" + std::to_string(i), "bücher.example"});
        message.cc.push_back({"Lee, Ann", "ann" + std::to_string(i), "example.org"});
        message.references.push_back({std::string(60, 'r') + std::to_string(i) + "@example.com"});
    }
    message.in_reply_to = {{"parent@example.com"}};
    message.headers = {{"List-Unsubscribe", "<https://example.com/" + std::string(300, 'u') + ">"},
                       {"X-Note", "schöne Grüße"}};
    const auto bytes = built(message);
    expect_well_formed(bytes);
    EXPECT_TRUE(contains(bytes, "xn--bcher-kva.example"));
    EXPECT_TRUE(contains(bytes, "\"Lee, Ann\" <ann0@example.org>,"));
    EXPECT_TRUE(contains(bytes, "In-Reply-To: <parent@example.com>\r\n"));
    EXPECT_TRUE(contains(bytes, "List-Unsubscribe: <https://example.com/uuu"));
    const auto subject = bytes.find("Subject: ") + 9;
    const auto end = bytes.find("\r\nMessage-ID");
    EXPECT_EQ(decode_header_text(bytes.substr(subject, end - subject)).text, message.subject);
    const auto list = parse_address_list(bytes.substr(
        bytes.find("\r\nTo: ") + 6, bytes.find("\r\nCc: ") - bytes.find("\r\nTo: ") - 6));
    ASSERT_EQ(list.mailboxes.size(), 50u);
    EXPECT_TRUE(list.defects.empty());
    EXPECT_EQ(list.mailboxes[49].display_name, "Müller, Jörg");
}

TEST(Build, ATextIsMadeFromHtmlWhenNoneIsGiven) {
    auto message = plain_message();
    message.text.reset();
    message.html = "<p>Hello <b>Bob</b></p>";
    const auto bytes = built(message);
    EXPECT_TRUE(contains(bytes, "multipart/alternative"));
    EXPECT_TRUE(contains(bytes, "\r\n\r\nHello Bob\r\n"));
    message.text = "";
    EXPECT_FALSE(contains(built(message), "multipart/alternative"));
}

TEST(Build, EightBitIsWrittenOnlyWhenAskedFor) {
    auto message = plain_message();
    message.text = "Grüße\n";
    EXPECT_TRUE(contains(built(message, {.body_bytes = BodyBytes::eight_bit}),
                         "Content-Transfer-Encoding: 8bit\r\n\r\nGrüße\r\n"));
    expect_well_formed(built(message));
}

TEST(Build, AnAttachedMessageIsNotEncoded) {
    auto message = plain_message();
    message.attachments = {{"a.eml", "message/rfc822", "Subject: x\r\n\r\nbody\r\n"}};
    EXPECT_TRUE(contains(built(message),
                         "Content-Type: message/rfc822; name=a.eml\r\n"
                         "Content-Disposition: attachment; filename=a.eml\r\n"
                         "Content-Transfer-Encoding: 7bit\r\n\r\nSubject: x\r\n"));
    message.attachments[0].content = "Subject: \xfc\r\n\r\nbody\r\n";
    EXPECT_TRUE(contains(built(message), "application/octet-stream; name=a.eml"));
}

TEST(Build, ContentTypesKeepTheirParameters) {
    auto message = plain_message();
    message.attachments = {{"", "text/calendar; method=REQUEST; charset=\"utf-8\"", "BEGIN"}};
    EXPECT_TRUE(contains(built(message),
                         "Content-Type: text/calendar; method=REQUEST; charset=utf-8\r\n"
                         "Content-Disposition: attachment\r\n"));
    message.attachments[0].content_type = "";
    EXPECT_TRUE(contains(built(message), "Content-Type: application/octet-stream\r\n"));
}

// clang-format off
TEST(Build, RefusesWhatCannotBeSentAndNamesTheMember) {
    struct Case {
        std::string_view error;
        std::function<void(Message&)> spoil;
    };
    const Case cases[] = {
        {"from: there is none", [](Message& m) { m.from.clear(); }},
        {"sender: several authors", [](Message& m) { m.from.push_back(m.to[0]); }},
        {"to[1]: address", [](Message& m) { m.to.push_back({"", "a\r\nBcc: b", "x.org"}); }},
        {"to[1]: address", [](Message& m) { m.to.push_back({"a\nb", "a", "x.org"}); }},
        {"cc[0]: address", [](Message& m) { m.cc.push_back({"", "a", "x org"}); }},
        {"bcc[0]: address", [](Message& m) { m.bcc.push_back({"", "a", ""}); }},
        {"reply_to[0]: address", [](Message& m) { m.reply_to.push_back({std::string("a\0b", 3), "a", "x.org"}); }},
        {"to: there are too many recipients", [](Message& m) { m.to.resize(message_recipients_max + 1, m.to[0]); }},
        {"subject: it has a line break", [](Message& m) { m.subject = "a\r\nBcc: b"; }},
        {"subject: it has a line break", [](Message& m) { m.subject = "a\nb"; }},
        {"subject: it has a line break", [](Message& m) { m.subject = std::string("a\0b", 3); }},
        {"subject: it has a control", [](Message& m) { m.subject = "a\x1b[31m"; }},
        {"subject: it is not UTF-8", [](Message& m) { m.subject = "\xff"; }},
        {"message_id: the message id is empty", [](Message& m) { m.message_id = {}; }},
        {"message_id: the message id has", [](Message& m) { m.message_id = {"a@b>\r\nBcc: x"}; }},
        {"in_reply_to[0]: the message id has", [](Message& m) { m.in_reply_to = {{"a b@c"}}; }},
        {"references[1]: the message id is too long", [](Message& m) { m.references = {{"a"}, {std::string(900, 'a')}}; }},
        {"headers[0]: the name has", [](Message& m) { m.headers = {{"X Y", "v"}}; }},
        {"headers[0]: the name has", [](Message& m) { m.headers = {{"X:\r\nBcc", "v"}}; }},
        {"headers[0]: the name has", [](Message& m) { m.headers = {{"Ünicode", "v"}}; }},
        {"headers[0]: the name is empty", [](Message& m) { m.headers = {{"", "v"}}; }},
        {"headers[0] \"X-A\": it has a line break", [](Message& m) { m.headers = {{"X-A", "a\r\nBcc: b"}}; }},
        {"headers[1] \"X-B\": it has a line break", [](Message& m) { m.headers = {{"X-A", "a"}, {"X-B", "a\rb"}}; }},
        {"headers[0] \"X-A\": it has a word", [](Message& m) { m.headers = {{"X-A", std::string(990, 'a')}}; }},
        {"headers[0] \"X-A\": it is too long", [](Message& m) { m.headers = {{"X-A", std::string(20'000, ' ')}}; }},
        {"headers[0] \"bcc\": this header cannot", [](Message& m) { m.headers = {{"bcc", "a@b.c"}}; }},
        {"headers[0] \"From\": this header cannot", [](Message& m) { m.headers = {{"From", "a@b.c"}}; }},
        {"headers[0] \"Content-Type\": this header", [](Message& m) { m.headers = {{"Content-Type", "a/b"}}; }},
        {"headers[0] \"DKIM-Signature\": this header", [](Message& m) { m.headers = {{"DKIM-Signature", "v=1"}}; }},
        {"headers[0] \"Resent-To\": this header", [](Message& m) { m.headers = {{"Resent-To", "a@b.c"}}; }},
        {"headers: there are too many", [](Message& m) { m.headers.resize(custom_headers_max + 1, {"X-A", "a"}); }},
        {"text: it is not UTF-8", [](Message& m) { m.text = "\xff"; }},
        {"html: it is not UTF-8", [](Message& m) { m.html = "\xff"; }},
        {"inline_images: there is no HTML", [](Message& m) { m.inline_images.resize(1); }},
        {"inline_images[0].content_id: the message id has", [](Message& m) { m.html = "x"; m.inline_images = {{"a\r\nb", "image/png", "x", ""}}; }},
        {"attachments[0].filename: the name has a control", [](Message& m) { m.attachments = {{"a\r\nb", "", "x"}}; }},
        {"attachments[0].filename: the name is too long", [](Message& m) { m.attachments = {{std::string(256, 'a'), "", "x"}}; }},
        {"attachments[0].content_type: it has a line break", [](Message& m) { m.attachments = {{"a", "a/b\r\nBcc: x", "x"}}; }},
        {"attachments[0].content_type: it is not a media type", [](Message& m) { m.attachments = {{"a", "pdf", "x"}}; }},
        {"attachments[0].content_type: it cannot be a multipart", [](Message& m) { m.attachments = {{"a", "multipart/mixed", "x"}}; }},
        {"attachments: the message is too large", [](Message& m) { m.attachments = {{"a", "", std::string(800'000, 'x')}}; }},
    };
    for (const auto& c : cases) {
        auto message = plain_message();
        c.spoil(message);
        const auto result = build(message, {.message_bytes_max = 1'000'000});
        ASSERT_FALSE(result) << c.error;
        EXPECT_EQ(result.error().message.substr(0, c.error.size()), c.error);
    }
}
// clang-format on

TEST(Build, Smtputf8IsNeededForLocalPartsOnly) {
    auto message = plain_message();
    message.to = {{"Jörg", "j", "bücher.example"}};
    EXPECT_FALSE(needs_smtputf8(message));
    message.bcc = {{"", "jörg", "example.com"}};
    EXPECT_TRUE(needs_smtputf8(message));
}

}  // namespace mailroom::mime
