#include "smtp/reply.h"

#include <gtest/gtest.h>

namespace mailroom::smtp {
namespace {

Result<std::optional<Reply>> parse(std::string_view text) {
    ReplyParser parser;
    for (;;) {
        const auto end = text.find('\n');
        auto result = parser.put(text.substr(0, end));
        if (end == text.npos || !result || *result) return result;
        text.remove_prefix(end + 1);
    }
}

TEST(Reply, IsPutTogetherFromItsLines) {
    struct Case {
        std::string_view name, input, want;  // Code, status and text; "more"; "bad".
    };
    // clang-format off
    const Case cases[] = {
        {"plain",               "250 Ok",                              "250 - Ok"},
        {"code only",           "250",                                 "250 - "},
        {"code and space",      "354 ",                                "354 - "},
        {"enhanced",            "550 5.1.1 No such user",              "550 5.1.1 No such user"},
        {"enhanced only",       "250 2.0.0",                           "250 2.0.0 "},
        {"three digits each",   "450 4.123.999 later",                 "450 4.123.999 later"},
        {"several lines",       "250-one\n250-two\n250 three",         "250 - one two three"},
        {"status on each line", "550-5.7.1 No\n550 5.7.1 way",         "550 5.7.1 No way"},
        {"status late",         "550-Sorry\n550 5.7.1 no",             "550 5.7.1 Sorry no"},
        {"another class",       "250 5.1.1 is no status of a success", "250 - 5.1.1 is no status of a success"},
        {"a number like one",   "550 5.1.1a bc",                       "550 - 5.1.1a bc"},
        {"a version",           "220 2.6 server",                      "220 - 2.6 server"},
        {"four digits",         "550 5.1000.1 x",                      "550 - 5.1000.1 x"},
        {"control characters",  "250 a\tb\x1b[1m",                     "250 - a?b?[1m"},
        {"unfinished",          "250-one",                             "more"},
        {"code changes",        "250-one\n550 two",                    "bad"},
        {"no code",             "Hello",                               "bad"},
        {"empty",               "",                                    "bad"},
        {"two digits",          "25",                                  "bad"},
        {"four digits in code", "2500 x",                              "bad"},
        {"1xx",                 "150 x",                               "bad"},
        {"6xx",                 "650 x",                               "bad"},
        {"no separator",        "250x",                                "bad"},
        {"http",                "HTTP/1.1 400 Bad Request",            "bad"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = parse(c.input);
        std::string text = "bad";
        if (got && !*got) text = "more";
        if (got && *got) {
            const auto& reply = **got;
            text = std::to_string(reply.code) + " " +
                   (reply.enhanced ? reply.enhanced->text() : "-") + " " + reply.text();
        }
        EXPECT_EQ(text, c.want);
    }
}

TEST(Reply, IsBounded) {
    ReplyParser long_line;
    EXPECT_FALSE(long_line.put("250 " + std::string(reply_line_bytes_max, 'x')));
    ReplyParser many_lines;
    for (std::size_t i = 0; i < reply_lines_max; ++i) ASSERT_TRUE(many_lines.put("250-x"));
    EXPECT_FALSE(many_lines.put("250 x"));
}

TEST(Reply, IsReadBackFromItsWireText) {
    const Reply reply{.code = 550, .enhanced = EnhancedStatus{5, 7, 1}, .lines = {"no", "way"}};
    EXPECT_EQ(reply.wire_text(), "550-5.7.1 no\r\n550 5.7.1 way\r\n");
    const Reply plain{.code = 250, .lines = {"Ok"}};
    EXPECT_EQ(plain.wire_text(), "250 Ok\r\n");
}

TEST(Reply, ClassIsTheFirstDigit) {
    EXPECT_EQ((Reply{.code = 251}).reply_class(), ReplyClass::done);
    EXPECT_EQ((Reply{.code = 354}).reply_class(), ReplyClass::go_on);
    EXPECT_EQ((Reply{.code = 421}).reply_class(), ReplyClass::for_now);
    EXPECT_EQ((Reply{.code = 554}).reply_class(), ReplyClass::for_good);
}

}  // namespace
}  // namespace mailroom::smtp
