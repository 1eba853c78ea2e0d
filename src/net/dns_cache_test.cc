#include "net/dns_cache.h"

#include <gtest/gtest.h>

namespace mailroom::net {
namespace {

using namespace std::chrono_literals;

DnsQuestion question(const std::string& name) { return {name, RecordType::txt}; }

SharedOutcome text(std::string value) {
    DnsRecords records;
    records.texts = {std::move(value)};
    return std::make_shared<const DnsOutcome>(std::move(records));
}

TEST(DnsCache, KeepsAnAnswerForItsTimeAndByNameAndType) {
    ManualClock clock(from_unix_ms(1'000'000));
    DnsCache cache(clock, {10, 1 << 20});
    cache.put(question("a"), text("1"), 10s);
    cache.put(question("b"), text("2"), 0s);
    ASSERT_TRUE(cache.find(question("a")));
    EXPECT_EQ((*cache.find(question("a")))->texts[0], "1");
    EXPECT_FALSE(cache.find(question("b")));
    EXPECT_FALSE(cache.find({"a", RecordType::mx}));
    cache.put(question("a"), text("3"), 10s);
    EXPECT_EQ((*cache.find(question("a")))->texts[0], "3");
    clock.advance(10s);
    EXPECT_FALSE(cache.find(question("a")));
    EXPECT_EQ(cache.entries(), 0u);
    cache.put(question("a"), text("4"), 10s);
    clock.set(clock.now() - 1h);
    EXPECT_FALSE(cache.find(question("a"))) << "or it would be kept for an hour";
}

TEST(DnsCache, ForgetsWhatWasNotUsedForLongestWhenItIsFull) {
    ManualClock clock(from_unix_ms(1'000'000));
    DnsCache few(clock, {2, 1 << 20});
    few.put(question("a"), text("1"), 10s);
    few.put(question("b"), text("2"), 10s);
    EXPECT_TRUE(few.find(question("a")));
    few.put(question("c"), text("3"), 10s);
    EXPECT_FALSE(few.find(question("b")));
    EXPECT_TRUE(few.find(question("a")));
    EXPECT_TRUE(few.find(question("c")));

    DnsCache small(clock, {100, 100'000});
    for (int i = 0; i < 10; ++i) {
        small.put(question(std::to_string(i)), text(std::string(30'000, 'x')), 10s);
    }
    EXPECT_EQ(small.entries(), 3u);
    small.put(question("huge"), text(std::string(200'000, 'x')), 10s);
    EXPECT_EQ(small.entries(), 0u) << "more than all there is room for";
}

}  // namespace
}  // namespace mailroom::net
