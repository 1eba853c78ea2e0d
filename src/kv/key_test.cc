#include "kv/key.h"

#include <gtest/gtest.h>

#include <compare>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::kv {
namespace {

using namespace std::string_literals;

TEST(Key, TextIsWrittenByteForByteAsTheGrammarSays) {
    struct Case {
        std::string name, text, want;
    };
    const Case cases[] = {
        {"empty", "", "\x00\x01"s},
        {"plain", "ab", "ab\x00\x01"s},
        {"zero inside", "a\0b"s, "a\x00\xff"s + "b\x00\x01"s},
        {"only zeros", "\0\0"s, "\x00\xff\x00\xff\x00\x01"s},
        {"looks like an end", "\x00\x01"s, "\x00\xff\x01\x00\x01"s},
        {"high bytes", "\xff\xfe", "\xff\xfe\x00\x01"s},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        std::string key;
        append_text(key, c.text);
        EXPECT_EQ(key, c.want);
        std::string_view in = key;
        EXPECT_EQ(read_text(in), c.text);
        EXPECT_TRUE(in.empty());
    }
}

TEST(Key, NumbersAreBigEndian) {
    std::string key;
    append_u64(key, 0x0102030405060708);
    append_u32(key, 0x0a0b0c0d);
    append_u16(key, 0xfffe);
    EXPECT_EQ(key, "\x01\x02\x03\x04\x05\x06\x07\x08\x0a\x0b\x0c\x0d\xff\xfe"s);
    std::string_view in = key;
    EXPECT_EQ(read_u64(in), 0x0102030405060708u);
    EXPECT_EQ(read_u32(in), 0x0a0b0c0du);
    EXPECT_EQ(read_u16(in), 0xfffe);
    EXPECT_TRUE(in.empty());
}

TEST(Key, ReadersRefuseWhatIsNotAPartAndLeaveItAlone) {
    for (const auto& text : {""s, "ab"s, "ab\0"s, "ab\0\x02"s, "\0\xff"s, "\0\0\x01"s}) {
        std::string_view in = text;
        EXPECT_EQ(read_text(in), std::nullopt);
        EXPECT_EQ(in, text);
    }
    std::string_view in = "1234567";
    EXPECT_EQ(read_u64(in), std::nullopt);
    in.remove_suffix(4);
    EXPECT_EQ(read_u32(in), std::nullopt);
    in.remove_suffix(2);
    EXPECT_EQ(read_u16(in), std::nullopt);
    EXPECT_EQ(in, "1");
}

TEST(Key, AfterPrefixIsTheFirstKeyBehindAllWithThatPrefix) {
    struct Case {
        std::string prefix, want;
    };
    const Case cases[] = {
        {"", ""},         {"a", "b"},      {"a\xff", "b"},    {"a\xff\xff", "b"}, {"\xff", ""},
        {"\xff\xff", ""}, {"\0"s, "\x01"}, {"a\0"s, "a\x01"}, {"\x7f", "\x80"},   {"\xfe", "\xff"},
    };
    for (const auto& c : cases) EXPECT_EQ(after_prefix(c.prefix), c.want);
}

// Few distinct bytes, so that keys often share a beginning and the special bytes are common.
std::string random_text(std::mt19937_64& random) {
    static constexpr std::string_view alphabet(
        "\x00\x01\x02"
        "a\xfe\xff",
        6);
    std::string text(random() % 6, '\0');
    for (auto& c : text) c = alphabet[random() % alphabet.size()];
    return text;
}

TEST(Key, ByteOrderIsTheOrderOfThePartsAndReadingGivesThePartsBack) {
    using Parts = std::tuple<std::string, std::uint64_t, std::string>;
    std::mt19937_64 random(42);
    std::vector<std::pair<Parts, std::string>> keys;
    for (int i = 0; i < 400; ++i) {
        const Parts parts{random_text(random), random() >> random() % 64, random_text(random)};
        std::string key;
        append_text(key, std::get<0>(parts));
        append_u64(key, std::get<1>(parts));
        append_text(key, std::get<2>(parts));
        std::string_view in = key;
        ASSERT_EQ(read_text(in), std::get<0>(parts));
        ASSERT_EQ(read_u64(in), std::get<1>(parts));
        ASSERT_EQ(read_text(in), std::get<2>(parts));
        keys.emplace_back(parts, key);
    }
    for (const auto& [left, left_key] : keys) {
        for (const auto& [right, right_key] : keys) {
            ASSERT_EQ(left <=> right, left_key <=> right_key);
        }
    }
}

TEST(Key, AfterPrefixBoundsExactlyTheKeysWithThatPrefix) {
    std::mt19937_64 random(43);
    for (int i = 0; i < 20'000; ++i) {
        const auto prefix = random_text(random), key = random_text(random);
        const auto after = after_prefix(prefix);
        const bool inside = key >= prefix && (after.empty() || key < after);
        ASSERT_EQ(inside, key.starts_with(prefix));
    }
}

}  // namespace
}  // namespace mailroom::kv
