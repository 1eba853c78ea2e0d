#include "mime/header_writer.h"

#include "mime/header_text.h"

#include <gtest/gtest.h>

namespace mailroom::mime {

namespace {

std::string subject(std::string_view value) {
    std::string out;
    HeaderWriter writer(out, "Subject");
    writer.text(value);
    writer.end();
    return out;
}

std::size_t longest_line(std::string_view text) {
    std::size_t longest = 0;
    while (!text.empty()) {
        const auto end = text.find("\r\n");
        longest = std::max(longest, end);
        text.remove_prefix(end + 2);
    }
    return longest;
}

std::string repeated(std::string_view piece, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
}

}  // namespace

// clang-format off
TEST(HeaderWriter, TextIsEncodedOnlyWhereItMustBe) {
    struct Case {
        std::string_view input, want;
    };
    const Case cases[] = {
        {"Hello", "Subject: Hello\r\n"},
        {"", "Subject: \r\n"},
        {"Grüße", "Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n"},
        {"To Jörg Müller now", "Subject: To =?UTF-8?B?SsO2cmcgTcO8bGxlcg==?= now\r\n"},
        {"a  b\tc", "Subject: a  b\tc\r\n"},
        {"=?utf-8?Q?x?=", "Subject: =?UTF-8?B?PT91dGYtOD9RP3g/PQ==?=\r\n"},
        {"a\r\nBcc: b", "Subject: =?UTF-8?B?YQ0KQmNjOg==?= b\r\n"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        EXPECT_EQ(subject(c.input), c.want);
    }
}
// clang-format on

TEST(HeaderWriter, LongTextIsFoldedAndReadBackTheSame) {
    struct Case {
        std::string text;
        std::size_t line_max;
    };
    const Case cases[] = {
        {repeated("word ", 100) + "end", line_bytes_preferred},
        {repeated("Grüße ", 100) + "end", line_bytes_preferred},
        {repeated("日本語", 100), line_bytes_preferred},
        {repeated("plain Grüße ", 60) + "end", line_bytes_preferred},
        {repeated("x", 500), line_bytes_max},
        {repeated("x", 5000), line_bytes_preferred},
        {"a" + repeated(" ", 2000) + "b", line_bytes_preferred},
        {repeated("a  b ", 100) + "c", line_bytes_preferred},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text.substr(0, 20));
        const auto out = subject(c.text);
        EXPECT_LE(longest_line(out), c.line_max);
        EXPECT_EQ(decode_header_text(std::string_view(out).substr(9, out.size() - 11)).text,
                  c.text);
    }
}

TEST(HeaderWriter, TokensAreFoldedButNeverSplit) {
    std::string out;
    HeaderWriter writer(out, "References");
    for (int i = 0; i < 5; ++i) writer.token("<" + std::string(30, 'a') + ">");
    writer.end();
    EXPECT_EQ(longest_line(out), 11u + 2 * 33);
    EXPECT_EQ(out.find("\r\n"), 11u + 2 * 33);
}

}  // namespace mailroom::mime
