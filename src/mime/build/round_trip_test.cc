// What is built is read back the same.
#include "base/random.h"
#include "base/time_format.h"
#include "mime/build/build.h"
#include "mime/read/parse.h"

#include <gtest/gtest.h>

namespace mailroom::mime {

namespace {

Message message_with(std::string text) {
    Message message;
    message.from = {{"Ann \"A\" Lée", "ann", "example.com"}};
    message.sender = Mailbox{"", "robot", "example.com"};
    message.reply_to = {{"Answers, please", "reply", "example.com"}};
    message.to = {{"日本太郎", "taro", "例え.jp"}, {"", "a b", "example.org"}};
    message.cc = {{"C", "c", "example.org"}};
    message.subject =
        "Grüße: 日本語 and a long rest of the subject that does not fit in one line 😀";
    message.date = *parse_rfc3339("2026-02-28T23:59:59Z");
    SeededRandom random(7);
    message.message_id = make_message_id(random, "example.com");
    message.in_reply_to = {{"parent@example.org"}};
    for (int i = 0; i < 40; ++i) message.references.push_back({std::to_string(i) + "@example.org"});
    message.headers = {{"X-Note", "schöne Grüße"}, {"List-Id", "<news.example.com>"}};
    message.text = std::move(text);
    return message;
}

void expect_same(const std::vector<Mailbox>& got, const std::vector<Mailbox>& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i].display_name, want[i].display_name);
        EXPECT_EQ(canonical(got[i]), canonical(want[i]));
    }
}

std::string repeated(std::string_view piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
}

}  // namespace

TEST(RoundTrip, HeadersComeBack) {
    const auto message = message_with("Hi\n");
    const auto bytes = build(message);
    ASSERT_TRUE(bytes);
    const auto mail = parse(*bytes);
    EXPECT_TRUE(mail.defects.empty());
    expect_same(mail.from, message.from);
    expect_same(mail.reply_to, message.reply_to);
    expect_same(mail.to, message.to);
    expect_same(mail.cc, message.cc);
    EXPECT_EQ(mail.sender, message.sender);
    EXPECT_EQ(mail.subject, message.subject);
    EXPECT_EQ(mail.date, message.date);
    EXPECT_EQ(mail.message_id, message.message_id);
    EXPECT_EQ(mail.in_reply_to, message.in_reply_to);
    EXPECT_EQ(mail.references, message.references);
    EXPECT_EQ(mail.header("X-Note"), "schöne Grüße");
    EXPECT_EQ(mail.header("List-Id"), "<news.example.com>");
}

TEST(RoundTrip, TextsOfAnyShapeComeBackInEveryStructure) {
    const std::string texts[] = {
        "Hi",
        "Hi\n",
        "two\n\nend\n\n",
        "trailing space \nand tab\t\n",
        "From here\n.\n..\n",
        repeated("long line ", 300),
        repeated("Grüße ", 40) + "\n",
        repeated("日本語", 200) + "\n",
        "a = b; =3D =?utf-8?q?x?=\n",
    };
    for (const auto& text : texts) {
        SCOPED_TRACE(text.substr(0, 20));
        for (const bool has_html : {false, true}) {
            auto message = message_with(text);
            if (has_html) message.html = "<p>" + text + "</p>\n";
            if (has_html) message.inline_images = {{"logo@x", "image/png", "\x89PNG", "logo.png"}};
            message.attachments = {{"Größe 日本.pdf", "application/pdf", std::string(1000, '\0')}};
            const auto bytes = build(message);
            ASSERT_TRUE(bytes);
            const auto mail = parse(*bytes);
            EXPECT_TRUE(mail.defects.empty());
            EXPECT_EQ(mail.text, text);
            EXPECT_EQ(mail.html, message.html);
            ASSERT_EQ(mail.attachments.size(), has_html ? 2u : 1u);
            const auto& file = mail.attachments.back();
            EXPECT_EQ(file.name(), "Größe 日本.pdf");
            EXPECT_EQ(file.media_type(), "application/pdf");
            EXPECT_EQ(file.content(), std::string(1000, '\0'));
        }
    }
}

}  // namespace mailroom::mime
