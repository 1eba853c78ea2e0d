#include "base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace mailroom {
namespace {

TEST(SeededRandom, GivesTheSameBytesForTheSameSeedHoweverTheyAreAskedFor) {
    SeededRandom whole(7), parts(7), other(8);
    const auto want = random_bytes(whole, 64);
    const auto first = random_bytes(parts, 1);
    EXPECT_EQ(first + random_bytes(parts, 63), want);
    EXPECT_NE(random_bytes(other, 64), want);
    EXPECT_NE(random_bytes(whole, 64), want);
}

TEST(SystemRandom, FillsEveryByteAndDoesNotRepeat) {
    SystemRandom random;
    std::set<std::string> seen;
    std::string touched(32, '\0');
    for (int round = 0; round < 64; ++round) {
        const auto bytes = random_bytes(random, 32);
        ASSERT_EQ(bytes.size(), 32u);
        EXPECT_TRUE(seen.insert(bytes).second);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            touched[i] = static_cast<char>(touched[i] | bytes[i]);
        }
    }
    EXPECT_EQ(touched.find('\0'), std::string::npos);
    EXPECT_EQ(random_bytes(random, 0), "");
    // More than the kernel promises to give in one uninterrupted call.
    EXPECT_EQ(random_bytes(random, 100'000).size(), 100'000u);
}

}  // namespace
}  // namespace mailroom
