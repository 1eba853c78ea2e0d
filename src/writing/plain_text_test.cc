#include "writing/plain_text.h"

#include <gtest/gtest.h>

namespace mailroom::writing {
namespace {

TEST(PlainText, AModelsTextIsTakenApart) {
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
        const auto written = taken_apart(c.text, "Usual");
        EXPECT_EQ(written.subject, c.subject);
        EXPECT_EQ(written.text, c.body);
        EXPECT_EQ(written.subject.find_first_of("\r\n"), std::string::npos);
    }
}

TEST(PlainText, ALongSubjectIsCutBetweenCharacters) {
    std::string text = "Subject: ";
    for (int i = 0; i < 300; ++i) text += "é";
    const auto written = taken_apart(text + "\nText", "Usual");
    EXPECT_EQ(written.subject.size(), 400u);
    EXPECT_EQ(characters(written.subject), subject_chars_max);
}

TEST(PlainText, HtmlIsEscapedAndInParagraphs) {
    const auto html = html_of("Dear <b>Eve</b> & co\n\none\ntwo\n", "A & B");
    EXPECT_NE(html.find("<p>Dear &lt;b&gt;Eve&lt;/b&gt; &amp; co</p>"), std::string::npos) << html;
    EXPECT_NE(html.find("<p>one<br>\ntwo</p>"), std::string::npos) << html;
    EXPECT_NE(html.find("A &amp; B"), std::string::npos) << html;
}

}  // namespace
}  // namespace mailroom::writing
