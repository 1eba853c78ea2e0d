#include "base/text.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

using namespace std::string_view_literals;

TEST(Text, LowersAsciiOnly) {
    EXPECT_EQ(ascii_lower("MiXed @[`{ 09 \xc3\x89"), "mixed @[`{ 09 \xc3\x89");
    EXPECT_TRUE(ascii_equal_ignoring_case("Content-Type", "content-tYPE"));
    EXPECT_FALSE(ascii_equal_ignoring_case("Content-Type", "Content-Typ"));
    EXPECT_FALSE(ascii_equal_ignoring_case("\xc3\x89", "\xc3\xa9"));
    EXPECT_FALSE(ascii_equal_ignoring_case("@", "`"));
}

TEST(Text, TrimsBlanksAtBothEndsAndNoneInside) {
    struct Case {
        std::string_view text, want;
    };
    const Case cases[] = {{"", ""},         {" \t\r\n", ""},  {"a", "a"}, {" a b \r\n", "a b"},
                          {"\v a", "\v a"}, {"\0 "sv, "\0"sv}};
    for (const auto& c : cases) EXPECT_EQ(trim(c.text), c.want) << c.text;
}

TEST(Text, TellsWellFormedUtf8) {
    struct Case {
        std::string_view name, text;
        bool want;
    };
    const Case cases[] = {
        {"empty", "", true},
        {"ascii", "plain text of some length", true},
        {"zero byte", "a\0b"sv, true},
        {"first of two", "\xc2\x80", true},
        {"first of three", "\xe0\xa0\x80", true},
        {"first of four", "\xf0\x90\x80\x80", true},
        {"last", "\xf4\x8f\xbf\xbf", true},
        {"before surrogates", "\xed\x9f\xbf", true},
        {"after surrogates", "\xee\x80\x80", true},
        {"after long ascii", "12345678901234567\xe2\x82\xac!", true},
        {"lone continuation", "\x80", false},
        {"overlong two", "\xc0\xaf", false},
        {"overlong two, last", "\xc1\xbf", false},
        {"overlong three", "\xe0\x9f\xbf", false},
        {"overlong four", "\xf0\x8f\xbf\xbf", false},
        {"surrogate", "\xed\xa0\x80", false},
        {"past the end", "\xf4\x90\x80\x80", false},
        {"f5", "\xf5\x80\x80\x80", false},
        {"ff", "\xff", false},
        {"cut two", "\xc3", false},
        {"cut three", "\xe2\x82", false},
        {"cut four", "\xf0\x9f\x98", false},
        {"cut after ascii", "12345678\xe2\x82", false},
        {"wrong third", "\xe2\x82\x41", false},
        {"wrong fourth", "\xf0\x9f\x98\x41", false},
        {"latin-1", "caf\xe9 au lait", false},
    };
    for (const auto& c : cases) EXPECT_EQ(is_utf8(c.text), c.want) << c.name;
}

TEST(Text, TruncatesBetweenCharacters) {
    struct Case {
        std::string_view text;
        std::size_t bytes_max;
        std::string_view want;
    };
    const Case cases[] = {
        {"", 0, ""},
        {"abc", 3, "abc"},
        {"abc", 4, "abc"},
        {"abc", 2, "ab"},
        {"abc", 0, ""},
        {"a\xe2\x82\xac", 3, "a"},
        {"a\xe2\x82\xac", 2, "a"},
        {"a\xe2\x82\xac", 4, "a\xe2\x82\xac"},
        {"\xf0\x9f\x98\x80z", 3, ""},
        {"\xf0\x9f\x98\x80z", 4, "\xf0\x9f\x98\x80"},
        {"\x80\x80\x80\x80\x80\x80", 5, "\x80\x80\x80\x80\x80"},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(truncate_utf8(c.text, c.bytes_max), c.want) << c.text << " " << c.bytes_max;
    }
}

}  // namespace
}  // namespace mailroom
