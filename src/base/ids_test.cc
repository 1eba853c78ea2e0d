#include "base/ids.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

namespace mailroom {
namespace {

// Bytes that are all the same, to reach the ends of the random part.
class ConstantRandom final : public Random {
public:
    explicit ConstantRandom(std::uint8_t value) : value_(value) {}
    void fill(std::span<std::uint8_t> bytes) override { std::ranges::fill(bytes, value_); }
    void set(std::uint8_t value) { value_ = value; }

private:
    std::uint8_t value_;
};

TEST(Ulid, IsTheMillisecondsAndTheRandomBytesInCrockfordsAlphabet) {
    struct Case {
        std::int64_t ms;
        std::uint8_t random_byte;
        std::string_view want;
    };
    const Case cases[] = {
        {0, 0x00, "00000000000000000000000000"},
        {1469918176385, 0x00, "01ARYZ6S410000000000000000"},
        {1469918176385, 0xff, "01ARYZ6S41ZZZZZZZZZZZZZZZZ"},
        {281474976710655, 0xff, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
        {-1, 0x00, "00000000000000000000000000"},
        {1, 0x11, "0000000001248H248H248H248H"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.want);
        const ManualClock clock(from_unix_ms(c.ms));
        ConstantRandom random(c.random_byte);
        EXPECT_EQ(UlidGenerator(clock, random).next(), c.want);
    }
}

TEST(Ulid, RisesThroughManyInOneMillisecondAndThroughAClockThatStepsBack) {
    ManualClock clock(from_unix_ms(1'000'000));
    SeededRandom random(1);
    UlidGenerator generator(clock, random);
    std::vector<std::string> made;
    for (int i = 0; i < 1000; ++i) made.push_back(generator.next());
    clock.set(from_unix_ms(1));
    for (int i = 0; i < 1000; ++i) made.push_back(generator.next());
    clock.set(from_unix_ms(1'000'001));
    for (int i = 0; i < 1000; ++i) made.push_back(generator.next());
    EXPECT_EQ(std::ranges::adjacent_find(made, std::greater_equal<>()), made.end());
}

TEST(Ulid, BorrowsTheNextMillisecondWhenTheRandomPartIsUsedUp) {
    const ManualClock clock(from_unix_ms(5));
    ConstantRandom random(0xff);
    UlidGenerator generator(clock, random);
    EXPECT_EQ(generator.next(), "0000000005ZZZZZZZZZZZZZZZZ");
    random.set(0);
    EXPECT_EQ(generator.next(), "00000000060000000000000000");
    EXPECT_EQ(generator.next(), "00000000060000000000000001");
}

TEST(Ulid, CarriesThroughTheWholeRandomPart) {
    const ManualClock clock(from_unix_ms(5));
    class AlmostFull final : public Random {
        void fill(std::span<std::uint8_t> bytes) override {
            std::ranges::fill(bytes, std::uint8_t{0xff});
            bytes[0] = 0;
        }
    } random;
    UlidGenerator generator(clock, random);
    EXPECT_EQ(generator.next(), "000000000503ZZZZZZZZZZZZZZ");
    EXPECT_EQ(generator.next(), "00000000050400000000000000");
}

TEST(Ulid, NeverRepeatsAcrossThreads) {
    const SystemClock clock;
    SystemRandom random;
    UlidGenerator generator(clock, random);
    constexpr int threads = 4, each = 2000;
    std::vector<std::vector<std::string>> made(threads);
    {
        std::vector<std::jthread> running;
        for (auto& mine : made) {
            running.emplace_back([&generator, &mine] {
                for (int i = 0; i < each; ++i) mine.push_back(generator.next());
            });
        }
    }
    std::set<std::string> all;
    for (const auto& mine : made) {
        EXPECT_TRUE(std::ranges::is_sorted(mine));
        all.insert(mine.begin(), mine.end());
    }
    EXPECT_EQ(all.size(), std::size_t{threads * each});
}

TEST(Ulid, TimeIsReadBackAndOtherTextIsRefused) {
    struct Case {
        std::string_view name, text;
        std::optional<std::int64_t> want_ms;
    };
    const Case cases[] = {
        {"known", "01ARYZ6S410000000000000000", 1469918176385},
        {"largest", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", 281474976710655},
        {"too large", "80000000000000000000000000", std::nullopt},
        {"short", "01ARYZ6S41000000000000000", std::nullopt},
        {"long", "01ARYZ6S4100000000000000000", std::nullopt},
        {"empty", "", std::nullopt},
        {"lower case", "01aryz6s410000000000000000", std::nullopt},
        {"letter I", "01ARYZ6S41000000000000000I", std::nullopt},
        {"letter U", "01ARYZ6S41U000000000000000", std::nullopt},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = ulid_time(c.text);
        ASSERT_EQ(got.has_value(), c.want_ms.has_value());
        if (got) {
            EXPECT_EQ(to_unix_ms(*got), *c.want_ms);
        }
    }
}

TEST(Uuid, SetsVersionAndVariantWhateverTheBytes) {
    ConstantRandom zeros(0x00), ones(0xff);
    EXPECT_EQ(make_uuid(zeros), "00000000-0000-4000-8000-000000000000");
    EXPECT_EQ(make_uuid(ones), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    SystemRandom random;
    EXPECT_NE(make_uuid(random), make_uuid(random));
}

TEST(Uuid, BeginsWithTheTimeIfItIsGivenAClock) {
    ConstantRandom zeros(0x00), ones(0xff);
    const ManualClock clock(from_unix_ms(0x017F22E279B0));
    EXPECT_EQ(make_uuid(clock, zeros), "017f22e2-79b0-7000-8000-000000000000");
    EXPECT_EQ(make_uuid(clock, ones), "017f22e2-79b0-7fff-bfff-ffffffffffff");
    const ManualClock long_ago(from_unix_ms(-1));
    EXPECT_EQ(make_uuid(long_ago, zeros), "00000000-0000-7000-8000-000000000000");
}

}  // namespace
}  // namespace mailroom
