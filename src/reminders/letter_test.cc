#include "reminders/letter.h"

#include <gtest/gtest.h>

namespace mailroom::reminders {
namespace {

TEST(Letter, AModelsTextIsTakenApart) {
    struct Case {
        std::string_view name, text, subject, body;
    };
    const Case cases[] = {
        {"as asked", "Subject: Past due\n\nDear John", "Past due", "Dear John"},
        {"other case and line ends", "\nSUBJECT: Past due\r\n\nDear John", "Past due", "Dear John"},
        {"no subject", "Dear John,\nplease pay", "Usual", "Dear John,\nplease pay"},
        {"an empty subject", "Subject:\nDear John", "Usual", "Dear John"},
        {"a lone return is a line end", "Subject: a\rBcc: b\n\nText", "a", "Bcc: b\n\nText"},
        {"later than the first line", "Hello\nsubject: x\n\n\nText", "x", "Hello\nText"},
        {"only the first such line", "Subject: a\nSubject: b\nText", "a", "Subject: b\nText"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto letter = letter_of_model_text(c.text, "Usual", "Shop");
        EXPECT_EQ(letter.subject, c.subject);
        EXPECT_EQ(letter.text, c.body);
        EXPECT_EQ(letter.subject.find_first_of("\r\n"), std::string::npos);
    }
}

TEST(Letter, ALongSubjectIsCutBetweenCharacters) {
    std::string text = "Subject: ";
    for (int i = 0; i < 300; ++i) text += "é";
    const auto letter = letter_of_model_text(text + "\nText", "Usual", "Shop");
    EXPECT_EQ(letter.subject.size(), 400u);
    EXPECT_TRUE(check_letter(letter));
}

TEST(Letter, HtmlIsEscapedAndInParagraphs) {
    const auto html = html_of("Dear <b>Eve</b> & co\n\none\ntwo\n", "A & B");
    EXPECT_NE(html.find("<p>Dear &lt;b&gt;Eve&lt;/b&gt; &amp; co</p>"), std::string::npos) << html;
    EXPECT_NE(html.find("<p>one<br>\ntwo</p>"), std::string::npos) << html;
    EXPECT_NE(html.find("A &amp; B"), std::string::npos) << html;
}

TEST(Letter, WhatCannotBeSentIsRefused) {
    struct Case {
        std::string_view name;
        Letter letter;
        std::string_view field;  // Empty: it is fine.
    };
    const Case cases[] = {
        {"fine", {"Hello", "Text", "<p>Text</p>"}, ""},
        {"no subject", {" ", "Text", ""}, "email_subject"},
        {"a header in the subject", {"Hello\r\nBcc: eve@example.com", "Text", ""}, "email_subject"},
        {"a long subject", {std::string(201, 'x'), "Text", ""}, "email_subject"},
        {"no text", {"Hello", "\n", ""}, "email_content"},
        {"a long text", {"Hello", std::string(64 * 1024 + 1, 'x'), ""}, "email_content"},
        {"no UTF-8", {"Hello", "\xff", ""}, "email_content"},
    };
    for (const auto& c : cases) {
        const auto checked = check_letter(c.letter);
        EXPECT_EQ(checked ? "" : checked.error().field, c.field) << c.name;
    }
}

}  // namespace
}  // namespace mailroom::reminders
