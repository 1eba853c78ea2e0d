#include "mime/build/body_encoding.h"

#include "base/base64.h"

#include <gtest/gtest.h>

namespace mailroom::mime {

namespace {

std::string encoded(std::string_view text, BodyEncoding encoding) {
    std::string out;
    append_text(out, text, encoding);
    return out;
}

int digit(char c) { return c <= '9' ? c - '0' : c - 'A' + 10; }

std::string decoded_quoted_printable(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '=') {
            out += text[i];
        } else if (text[i + 1] == '\r') {
            i += 2;
        } else {
            out += static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2]));
            i += 2;
        }
    }
    return out;
}

std::string repeated(std::string_view piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
}

}  // namespace

TEST(BodyEncoding, TheSmallestThatFitsIsChosen) {
    struct Case {
        std::string_view name;
        std::string text;
        std::string_view want;
    };
    const Case cases[] = {
        {"empty", "", "7bit"},
        {"plain", "Hello\nthere\t \r\n", "7bit"},
        {"long line", std::string(998, 'a'), "7bit"},
        {"too long a line", std::string(999, 'a'), "quoted-printable"},
        {"From at a line start", "Hi\nFrom here on\n", "quoted-printable"},
        {"From inside", "Hi From here\n", "7bit"},
        {"NUL", std::string("a long enough text\0", 19), "quoted-printable"},
        {"some accents", "Grüße an alle, die noch hier sind", "quoted-printable"},
        {"all accents", repeated("日本", 10), "base64"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(name_of(encoding_for_text(c.text, EightBit::refuse)), c.want);
    }
    EXPECT_EQ(encoding_for_text("ü", EightBit::allow), BodyEncoding::eight_bit);
    EXPECT_EQ(encoding_for_text("a", EightBit::allow), BodyEncoding::seven_bit);
}

// clang-format off
TEST(BodyEncoding, QuotedPrintableIsExactlyThis) {
    struct Case {
        std::string_view input, want;
    };
    const Case cases[] = {
        {"a=b", "a=3Db\r\n"},
        {"end \nend\t\n", "end=20\r\nend=09\r\n"},
        {"ü\n\nx", "=C3=BC\r\n\r\nx\r\n"},
        {"From a\n.\n", "=46rom a\r\n=2E\r\n"},
        {"a\r\nb\rc\nd", "a\r\nb\r\nc\r\nd\r\n"},
        {" ", "=20\r\n"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        EXPECT_EQ(encoded(c.input, BodyEncoding::quoted_printable), c.want);
    }
}
// clang-format on

TEST(BodyEncoding, QuotedPrintableLinesAreShortAndDecodeToTheText) {
    for (const std::string_view piece :
         {"a", "ü", "日", "😀", "ab ü", "=", " ", "\t.", "From ", "."}) {
        for (int count = 1; count < 120; ++count) {
            const auto text = repeated(piece, count);
            const auto out = encoded(text, BodyEncoding::quoted_printable);
            EXPECT_EQ(decoded_quoted_printable(out), text + "\r\n");
            std::size_t line = 0;
            for (std::size_t i = 0; i < out.size(); ++i) {
                line = out[i] == '\n' ? 0 : line + 1;
                ASSERT_LE(line, 77u);  // 76 and the CR.
                if (out[i] == '\r') {
                    ASSERT_TRUE(i == 0 || (out[i - 1] != ' ' && out[i - 1] != '\t'));
                }
            }
        }
    }
}

TEST(BodyEncoding, Base64LinesHave76CharactersAndDecodeToTheBytes) {
    for (std::size_t size = 0; size < 400; ++size) {
        std::string bytes;
        for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 7 + size);
        std::string out, joined;
        append_base64_lines(out, bytes);
        for (std::size_t i = 0; i < out.size();) {
            const auto end = out.find("\r\n", i);
            ASSERT_LE(end - i, 76u);
            ASSERT_TRUE(end - i == 76 || end + 2 == out.size());
            joined += out.substr(i, end - i);
            i = end + 2;
        }
        ASSERT_EQ(joined, base64_encode(bytes));
    }
}

}  // namespace mailroom::mime
