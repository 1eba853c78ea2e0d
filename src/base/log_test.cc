#include "base/log.h"

#include "base/time_format.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

namespace mailroom::log {
namespace {

using namespace std::chrono_literals;
using namespace std::string_view_literals;

// Catches what is logged while it lives.
class Capture {
public:
    Capture(Level level, Format format) : file_(open_memstream(&data_, &size_)) {
        configure(level, format, file_);
    }
    ~Capture() {
        configure(Level::info, Format::text);
        std::fclose(file_);
        std::free(data_);
    }
    // Everything so far, with each time replaced by T.
    std::string text() const {
        std::fflush(file_);
        std::string text(data_, size_);
        constexpr std::size_t time_chars = 24;
        for (std::size_t at = 0; at + time_chars <= text.size(); ++at) {
            if (parse_rfc3339(std::string_view(text).substr(at, time_chars))) {
                text.replace(at, time_chars, "T");
            }
        }
        return text;
    }

private:
    char* data_ = nullptr;
    std::size_t size_ = 0;
    std::FILE* file_;
};

TEST(Log, WritesTheSameEventAsTextOrAsJson) {
    struct Case {
        std::string_view message;
        Field field;
        std::string_view want_text, want_json;
    };
    const Case cases[] = {
        {"committed", {"rows", 3}, "committed rows=3", R"("message":"committed","rows":3)"},
        {"m", {"n", -5L}, "m n=-5", R"("message":"m","n":-5)"},
        {"m",
         {"n", UINT64_MAX},
         "m n=18446744073709551615",
         R"("message":"m","n":18446744073709551615)"},
        {"m", {"n", 1.5}, "m n=1.5", R"("message":"m","n":1.5)"},
        {"m",
         {"n", std::numeric_limits<double>::infinity()},
         "m n=inf",
         R"("message":"m","n":null)"},
        {"m", {"ok", true}, "m ok=true", R"("message":"m","ok":true)"},
        {"m", {"s", "plain"}, "m s=plain", R"("message":"m","s":"plain")"},
        {"m", {"s", ""}, R"(m s="")", R"("message":"m","s":"")"},
        {"m", {"s", "two words"}, R"(m s="two words")", R"("message":"m","s":"two words")"},
        {"m", {"s", "a=b"}, R"(m s="a=b")", R"("message":"m","s":"a=b")"},
        {"m", {"s", "q\"\\"}, R"(m s="q\"\\")", R"("message":"m","s":"q\"\\")"},
        {"m",
         {"s", "x\r\nT info forged"},
         R"(m s="x\r\nT info forged")",
         R"("message":"m","s":"x\r\nT info forged")"},
        {"m",
         {"s", "\0\x1b\x7f"sv},
         R"(m s="\u0000\u001b\u007f")",
         R"("message":"m","s":"\u0000\u001b\u007f")"},
        {"two\nlines {}",
         {"s", "\xe2\x82\xac"},
         "two\\nlines {} s=\xe2\x82\xac",
         "\"message\":\"two\\nlines {}\",\"s\":\"\xe2\x82\xac\""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.want_text);
        {
            const Capture capture(Level::info, Format::text);
            info(c.message, {c.field});
            EXPECT_EQ(capture.text(), "T info " + std::string(c.want_text) + "\n");
        }
        {
            const Capture capture(Level::info, Format::json);
            warn(c.message, {c.field});
            EXPECT_EQ(capture.text(),
                      R"({"time":"T","level":"warn",)" + std::string(c.want_json) + "}\n");
        }
    }
}

TEST(Log, TakesSeveralFieldsInPlaceAndNone) {
    const Capture capture(Level::debug, Format::text);
    const std::string table = "Audience";
    debug("scan", {{"table", table}, {"rows", std::size_t{12}}, {"done", false}});
    error("bare");
    EXPECT_EQ(capture.text(), "T debug scan table=Audience rows=12 done=false\nT error bare\n");
}

TEST(Log, WritesOnlyItsLevelAndAbove) {
    struct Case {
        Level level;
        std::string_view want;
    };
    const Case cases[] = {{Level::debug, "T debug d\nT info i\nT warn w\nT error e\n"},
                          {Level::info, "T info i\nT warn w\nT error e\n"},
                          {Level::warn, "T warn w\nT error e\n"},
                          {Level::error, "T error e\n"},
                          {Level::off, ""}};
    for (const auto& c : cases) {
        const Capture capture(c.level, Format::text);
        debug("d");
        info("i");
        warn("w");
        error("e");
        write(Level::off, "never");
        EXPECT_EQ(capture.text(), c.want);
        EXPECT_EQ(enabled(Level::warn), c.level <= Level::warn);
    }
}

TEST(Log, KeepsLinesOfSeveralThreadsWhole) {
    const Capture capture(Level::info, Format::text);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([] {
                for (int n = 0; n < 100; ++n) info("line", {{"n", "0123456789"}});
            });
        }
    }
    std::string want;
    for (int i = 0; i < 400; ++i) want += "T info line n=0123456789\n";
    EXPECT_EQ(capture.text(), want);
}

TEST(Log, KnowsItsNames) {
    EXPECT_EQ(level_named("debug"), Level::debug);
    EXPECT_EQ(level_named("off"), Level::off);
    EXPECT_EQ(level_named("Debug"), std::nullopt);
    EXPECT_EQ(level_named(""), std::nullopt);
    EXPECT_EQ(format_named("json"), Format::json);
    EXPECT_EQ(format_named("text"), Format::text);
    EXPECT_EQ(format_named("xml"), std::nullopt);
}

TEST(RateLimit, PassesOncePerIntervalAndCountsTheRest) {
    RateLimit limit(1s);
    const auto start = from_unix_ms(1'000'000);
    EXPECT_EQ(limit.pass(start), 0u);
    EXPECT_EQ(limit.pass(start + 1ms), std::nullopt);
    EXPECT_EQ(limit.pass(start + 999ms), std::nullopt);
    EXPECT_EQ(limit.pass(start + 1s), 2u);
    EXPECT_EQ(limit.pass(start + 3s), 0u);
    EXPECT_EQ(limit.pass(start + 3500ms), std::nullopt);
    EXPECT_EQ(limit.pass(start - 1h), 1u) << "a clock set back";
}

}  // namespace
}  // namespace mailroom::log
