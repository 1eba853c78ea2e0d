#include "smtp/server_data.h"

#include <gtest/gtest.h>

#include <random>

namespace mailroom::smtp {
namespace {

struct Read {
    bool complete = false;
    std::string data;
    std::size_t used = 0;
    IncomingData::Problem problem = IncomingData::Problem::none;
    bool operator==(const Read&) const = default;
};

Read read_dotted(std::string_view bytes, std::size_t piece_bytes,
                 const ServerSettings& settings = {}) {
    MemoryBudget budget(settings.limits.memory_bytes_max);
    IncomingData data(settings, budget);
    data.start(IncomingData::Form::dotted, 0);
    Read read;
    while (!bytes.empty() && !read.complete &&
           data.problem() != IncomingData::Problem::bare_newline) {
        std::size_t used = 0;
        const auto outcome = data.put(bytes.substr(0, piece_bytes), used);
        bytes.remove_prefix(used);
        read.used += used;
        read.complete = outcome == IncomingData::Outcome::complete;
    }
    read.problem = data.problem();
    read.data = data.take();
    data.clear();
    EXPECT_EQ(budget.used(), 0u);
    return read;
}

TEST(IncomingData, EndsAtCrlfDotCrlfOnly) {
    struct Case {
        std::string_view bytes;
        bool complete;
        std::string_view data;
        bool bare = false;
    };
    const Case cases[] = {
        {".\r\n", true, ""},
        {"a\r\n.\r\n", true, "a\r\n"},
        {"a\r\n\r\nb\r\n.\r\nQUIT\r\n", true, "a\r\n\r\nb\r\n"},
        {"..\r\n...a\r\n.b\r\n.\r\n", true, ".\r\n..a\r\nb\r\n"},
        {"a\r\n.b\r\n", false, "a\r\nb\r\n"},
        {"a\r\n. \r\n", false, "a\r\n \r\n"},
        {"a.\r\n", false, "a.\r\n"},
        {"a\r\n.\n", false, "", true},
        {"a\n.\n", false, "", true},
        {"a\n.\r\n", false, "", true},
        {"a\r.\r", false, "", true},
        {"a\r.\r\n", false, "", true},
        {"a\r\n.\r\r\n", false, "", true},
        {"a\r\r\n.\r\n", false, "", true},
        {"a\n\r.\r\n", false, "", true},
        {"\n", false, "", true},
        {"\r.", false, "", true},
        {".\n", false, "", true},
        {".\rx", false, "", true},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.bytes);
        const auto read = read_dotted(c.bytes, SIZE_MAX);
        EXPECT_EQ(read.complete, c.complete);
        EXPECT_EQ(read.data, c.data);
        EXPECT_EQ(read.problem == IncomingData::Problem::bare_newline, c.bare);
    }
}

TEST(IncomingData, MakesCrlfOfBareNewlinesWhereTold) {
    struct Case {
        std::string_view bytes, data;
        bool complete;
    };
    const Case cases[] = {
        {"a\nb\r\n.\r\n", "a\r\nb\r\n", true},
        {"a\n.\nb\r\n.\r\n", "a\r\n.\r\nb\r\n", true},
        {"a\n.\r\nb\r\n.\r\n", "a\r\n.\r\nb\r\n", true},
        {"a\r.\rb\r\n.\r\n", "a\r\n.\r\nb\r\n", true},
        {"a\r\n.\nb\r\n.\r\n", "a\r\n\r\nb\r\n", true},
        {"a\n.\n", "a\r\n.\r\n", false},
    };
    ServerSettings settings;
    settings.bare_newlines = BareNewlines::make_crlf;
    for (const auto& c : cases) {
        SCOPED_TRACE(c.bytes);
        const auto read = read_dotted(c.bytes, SIZE_MAX, settings);
        EXPECT_EQ(read.data, c.data);
        EXPECT_EQ(read.complete, c.complete);
        EXPECT_EQ(read.problem, IncomingData::Problem::none);
    }
}

TEST(IncomingData, DoesNotDependOnHowTheBytesAreCut) {
    std::mt19937 chance(7);
    const std::string_view pieces[] = {"\r\n", ".", "\r", "\n", "a", "text", "\r\n.", "\r\n.\r\n"};
    for (int round = 0; round < 3000; ++round) {
        std::string bytes;
        for (auto count = chance() % 12; count > 0; --count) bytes += pieces[chance() % 8];
        ServerSettings settings;
        if (round % 2 == 1) settings.bare_newlines = BareNewlines::make_crlf;
        if (round % 3 == 0) {  // So that one message has several problems.
            settings.limits.message_bytes_max = 15;
            settings.limits.text_line_bytes_max = 6;
        }
        const auto whole = read_dotted(bytes, SIZE_MAX, settings);
        for (const std::size_t piece_bytes : {1, 2, 3, 5}) {
            auto cut = read_dotted(bytes, piece_bytes, settings);
            // The end of a refused message is not looked for in the same place.
            if (whole.problem != IncomingData::Problem::none) cut.used = whole.used;
            ASSERT_EQ(cut, whole) << testing::PrintToString(bytes) << " by " << piece_bytes;
        }
    }
}

TEST(IncomingData, KeepsNothingBeyondItsLimits) {
    ServerSettings settings;
    settings.limits.message_bytes_max = 100;
    settings.limits.text_line_bytes_max = 50;
    settings.limits.memory_bytes_max = 80;
    using Problem = IncomingData::Problem;
    const std::string line40 = std::string(38, 'x') + "\r\n";
    EXPECT_EQ(read_dotted(line40 + line40 + ".\r\n", SIZE_MAX, settings).problem, Problem::none);
    EXPECT_EQ(read_dotted(line40 + line40 + line40 + ".\r\n", SIZE_MAX, settings).problem,
              Problem::too_large);
    EXPECT_EQ(read_dotted(line40 + line40 + "y\r\n.\r\n", SIZE_MAX, settings).problem,
              Problem::no_memory);
    for (const std::size_t piece_bytes : {1, 1000}) {
        const auto read = read_dotted(std::string(51, 'x') + "\r\n.\r\n", piece_bytes, settings);
        EXPECT_EQ(read.problem, Problem::line_too_long);
        EXPECT_TRUE(read.complete);
        EXPECT_EQ(read.data, "");
    }
}

}  // namespace
}  // namespace mailroom::smtp
