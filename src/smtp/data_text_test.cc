#include "smtp/data_text.h"

#include <gtest/gtest.h>

#include <random>

namespace mailroom::smtp {
namespace {

std::string whole(const DataText& data) {
    return std::string(data.body()) + std::string(data.terminator());
}

TEST(DataText, EndsLinesInCrLfAndDoublesLeadingDots) {
    struct Case {
        std::string_view name, message, want;
    };
    // clang-format off
    const Case cases[] = {
        {"empty",               "",                  ".\r\n"},
        {"one line",            "a\r\n",             "a\r\n.\r\n"},
        {"no line end",         "a",                 "a\r\n.\r\n"},
        {"bare LF",             "a\nb\n",            "a\r\nb\r\n.\r\n"},
        {"bare LF first",       "\na",               "\r\na\r\n.\r\n"},
        {"bare CR",             "a\rb\r",            "a\r\nb\r\n.\r\n"},
        {"CR CR LF",            "a\r\r\nb",          "a\r\n\r\nb\r\n.\r\n"},
        {"LF CR",               "a\n\rb",            "a\r\n\r\nb\r\n.\r\n"},
        {"dot alone",           ".",                 "..\r\n.\r\n"},
        {"dot line",            "a\r\n.\r\nb\r\n",   "a\r\n..\r\nb\r\n.\r\n"},
        {"smuggled with LF",    "a\n.\nMAIL FROM:",  "a\r\n..\r\nMAIL FROM:\r\n.\r\n"},
        {"smuggled with CR",    "a\r.\rMAIL FROM:",  "a\r\n..\r\nMAIL FROM:\r\n.\r\n"},
        {"smuggled, mixed",     "a\n.\r\nMAIL",      "a\r\n..\r\nMAIL\r\n.\r\n"},
        {"smuggled, mixed too", "a\r\n.\rMAIL",      "a\r\n..\r\nMAIL\r\n.\r\n"},
        {"dot at the start",    ".a\r\n",            "..a\r\n.\r\n"},
        {"dots inside",         "a.b\r\nc.\r\n",     "a.b\r\nc.\r\n.\r\n"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const DataText data(c.message);
        EXPECT_EQ(whole(data), c.want);
        EXPECT_EQ(whole(data).substr(data.final_dot()), ".\r\n");
    }
}

TEST(DataText, CopiesNothingWhenNothingChanges) {
    const std::string message = "Subject: x\r\n\r\nbody.\r\n";
    EXPECT_EQ(DataText(message).body().data(), message.data());
}

TEST(DataText, DeclaresTheSizeWithoutAddedDots) {
    EXPECT_EQ(DataText("").declared_bytes(), 0u);
    EXPECT_EQ(DataText("a\r\n").declared_bytes(), 3u);
    EXPECT_EQ(DataText("a").declared_bytes(), 3u);
    EXPECT_EQ(DataText(".\r\n..\r\n").declared_bytes(), 7u);
    EXPECT_EQ(DataText("a\nb\n").declared_bytes(), 6u);
}

TEST(DataText, FindsEightBitCharactersAnywhere) {
    for (std::size_t size = 1; size < 40; ++size) {
        std::string message(size, 'x');
        EXPECT_FALSE(DataText(message).has_8bit());
        for (std::size_t at = 0; at < size; ++at) {
            message[at] = '\x80';
            EXPECT_TRUE(DataText(message).has_8bit());
            message[at] = 'x';
        }
    }
}

// The claim that matters: whatever goes in, there is one end, and no line end but CR LF.
TEST(DataText, HasOneEndWhateverTheMessageIs) {
    std::mt19937 random(1);
    constexpr std::string_view letters = "\r\n.a";
    for (int round = 0; round < 20'000; ++round) {
        std::string message(random() % 12, ' ');
        for (auto& c : message) c = letters[random() % letters.size()];
        const DataText data(message);
        const auto text = "\r\n" + whole(data);
        ASSERT_EQ(text.find("\r\n.\r\n"), text.size() - 5) << message;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool cr = text[i] == '\r', next_lf = i + 1 < text.size() && text[i + 1] == '\n';
            ASSERT_EQ(cr, next_lf) << message;
        }
    }
}

}  // namespace
}  // namespace mailroom::smtp
