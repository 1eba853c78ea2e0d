#include "mime/build/seven_bit.h"

#include "mime/read/parse.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mailroom::mime {
namespace {

// What a reader is shown.
std::string shown(const std::string& message) {
    const auto mail = parse(message);
    std::string text = "subject: " + mail.subject + "\n";
    for (const auto* list : {&mail.from, &mail.reply_to, &mail.to, &mail.cc}) {
        for (const auto& one : *list) text += one.display_name + " <" + one.address() + ">, ";
        text += "\n";
    }
    text += "text: " + mail.text + "\nhtml: " + mail.html.value_or("-") + "\n";
    for (const auto& attachment : mail.attachments) {
        text += "attachment: " + attachment.name() + " " + attachment.content() + "\n";
    }
    return text;
}

const std::string head =
    "From: =?utf-8?q?J=C3=B6rg?= <a@example.com>\r\nTo: b@example.org\r\nSubject: x\r\n"
    "MIME-Version: 1.0\r\n";

struct Case {
    std::string name, message;
};

std::vector<Case> convertible() {
    const std::string text = "Content-Type: text/plain; charset=utf-8\r\n";
    const std::string eight = "Content-Transfer-Encoding: 8bit\r\n";
    const std::string inner = "From: c@example.net\r\nSubject: Prüfung\r\n\r\nInnen größer\r\n";
    return {
        {"text", head + text + eight + "\r\nGrüße = \r\nFrom here\r\nEnde \r\n"},
        {"no last line end", head + text + eight + "\r\nGrüße"},
        {"latin 1", head + "Content-Type: text/plain; charset=iso-8859-1\r\n" + eight +
                        "\r\nGr\xfc\xdf"
                        "e\r\n"},
        {"mostly not ASCII", head + text + eight + "\r\nПривет, как дела сегодня?\r\n"},
        {"no MIME at all", "From: a@example.com\r\nSubject: x\r\n\r\nGrüße\r\n"},
        {"no MIME, no UTF-8",
         "From: a@example.com\r\nSubject: x\r\n\r\nGr\xfc\xdf"
         "e\r\n"},
        {"subject",
         "From: a@example.com\r\nSubject: Grüße an alle, die lange genug warten, und "
         "noch ein paar mehr, damit gefaltet wird\r\n\r\nx\r\n"},
        {"folded subject",
         "From: a@example.com\r\nSubject: Grüße\r\n an =?utf-8?q?Bj=C3=B6rn?=\r\n"
         "\r\nx\r\n"},
        {"names",
         "From: Jörg Müller <a@example.com>\r\nTo: \"Ünal, Ä\" <b@example.org>, "
         "Plain <c@example.org>, d@example.org\r\nCc: Gruppe ä: e@example.org, "
         "f@example.org;, g@example.org\r\nReply-To: leer:;, Ö <h@example.org>\r\n"
         "Subject: x\r\n\r\nx\r\n"},
        {"domain", "From: A <a@exämple.com>\r\nSubject: x\r\n\r\nx\r\n"},
        {"multipart",
         head + "Content-Type: multipart/mixed; boundary=\"b b\"\r\n" + eight +
             "\r\nVorwört\r\n--b b\r\nContent-Type: multipart/alternative; boundary=i\r\n\r\n"
             "--i\r\n" +
             text + eight +
             "\r\nGrüße\r\n--i\r\nContent-Type: text/html; charset=utf-8\r\n"
             "\r\n<p>Grüße</p>\r\n--i--\r\n--b b\r\n"
             "Content-Type: application/pdf; name=\"Übersicht.pdf\"\r\n"
             "Content-Disposition: attachment; filename=\"Übersicht.pdf\"\r\n"
             "Content-Transfer-Encoding: binary\r\n\r\n%PDF \xff\xfe\r\n--b b\r\n"
             "Content-Disposition: attachment; filename=a.txt\r\n\r\nohne Typ ä\r\n"
             "--b b--\r\nNachwört\r\n"},
        {"message in a message", head + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" +
                                     text + eight +
                                     "\r\nä\r\n--b\r\nContent-Type: message/rfc822\r\n"
                                     "Content-Transfer-Encoding: 8bit\r\n\r\n" +
                                     inner + "--b--\r\n"},
        {"boundary that does not close", head +
                                             "Content-Type: multipart/mixed; boundary=b\r\n\r\n"
                                             "--b\r\n" +
                                             text + "\r\nä\r\n"},
    };
}

TEST(SevenBit, ReadersReadTheSameAfterwardsAndNothingIsLeftIn8Bits) {
    for (const auto& c : convertible()) {
        SCOPED_TRACE(c.name);
        const auto converted = to_seven_bit(c.message);
        EXPECT_TRUE(is_seven_bit(converted)) << converted;
        if (c.name == "message in a message") {
            // The message itself is shown as an attachment, which has changed.
            const auto before = parse(c.message), after = parse(converted);
            EXPECT_EQ(before.text, after.text);
            const auto inner_before = before.attachments.at(0).content();
            const auto inner_after = after.attachments.at(0).content();
            EXPECT_EQ(shown(inner_before), shown(inner_after));
            EXPECT_NE(converted.find("message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n"),
                      std::string::npos)
                << "RFC 2046, 5.2.1: it must not be encoded itself";
        } else if (c.name != "domain") {
            EXPECT_EQ(shown(converted), shown(c.message)) << converted;
        }
        EXPECT_EQ(to_seven_bit(converted), converted) << "once is enough";
    }
}

TEST(SevenBit, WhatIsAsciiStaysAsItIsToTheByte) {
    const std::string plain = "From:  a@example.com\r\nSubject: x\r\n\r\nGr=C3=BC\r\n";
    EXPECT_EQ(to_seven_bit(plain), plain);
    const auto fields = "X-Odd :  kept\r\n  folded\r\nFrom:   a@example.com\r\n";
    const auto converted = to_seven_bit(std::string(fields) + "Subject: ä\r\n\r\nx\r\n");
    EXPECT_TRUE(converted.starts_with(fields)) << converted;
    EXPECT_TRUE(converted.ends_with("\r\n\r\nx\r\n")) << converted;
}

TEST(SevenBit, WhatIsSignedIsNotTouched) {
    const std::string signed_part =
        "--s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        "Grüße\r\n--s\r\nContent-Type: application/pgp-signature\r\n\r\nsig\r\n--s--\r\n";
    const auto pgp = to_seven_bit(
        "From: a@example.com\r\nSubject: Grüße\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/signed; boundary=s\r\n\r\n" +
        signed_part);
    EXPECT_TRUE(pgp.ends_with("\r\n\r\n" + signed_part)) << pgp;
    EXPECT_NE(pgp.find("Subject: =?"), std::string::npos) << "its own header is not signed";

    const std::string dkim =
        "DKIM-Signature: v=1\r\nFrom: a@example.com\r\nSubject: ä\r\n\r\nü\r\n";
    EXPECT_EQ(to_seven_bit(dkim), dkim);
}

TEST(SevenBit, WhatOnly8BitsCanSayStays) {
    const std::string address = "From: jörg@example.com\r\n";
    EXPECT_TRUE(to_seven_bit(address + "Subject: ä\r\n\r\nü\r\n").starts_with(address));
    for (const std::string message :
         {"Message-ID: <ä@example.com>\r\n\r\nx\r\n", "ä without a header\r\n", "\xff",
          "Content-Type: multipart/mixed; boundary=\"ä\"\r\n\r\n--ä\r\n\r\nü\r\n--ä--\r\n"}) {
        const auto converted = to_seven_bit(message);
        EXPECT_EQ(parse(converted).text, parse(message).text) << message;
    }
}

TEST(SevenBit, DepthAndNonsenseEnd) {
    std::string deep;
    for (int i = 0; i < 1000; ++i) {
        deep += "Content-Type: multipart/mixed; boundary=b" + std::to_string(i) + "\r\n\r\n--b" +
                std::to_string(i) + "\r\n";
    }
    deep += "\r\nä\r\n";
    EXPECT_GE(to_seven_bit(deep).size(), deep.size());
}

}  // namespace
}  // namespace mailroom::mime
