#include "table/partiql/next_token.h"

#include "base/base64.h"

#include <gtest/gtest.h>

namespace mailroom::table::partiql {
namespace {

TEST(PartiqlNextToken, ComesBackAsItWas) {
    const auto mark = fingerprint("SELECT", {1, "a"});
    const Continuation cases[] = {
        {0, std::nullopt},
        {7, std::nullopt},
        {49, Item{{"h", "x"}, {"r", *Number::parse("-1.5E+100")}, {"b", Value::binary("\0\xff")}}},
    };
    for (const auto& c : cases) {
        const auto back = decode_token(*encode_token(mark, c), mark);
        ASSERT_TRUE(back);
        EXPECT_EQ(back->partition, c.partition);
        EXPECT_EQ(back->key, c.key);
    }
}

TEST(PartiqlNextToken, HoldsTheLargestKeyThatThereCanBeAndRefusesLargerOnes) {
    const auto mark = fingerprint("SELECT", {});
    Item key;
    for (int i = 0; i < 10; ++i) {
        key.set(std::string(254, 'k') + std::to_string(i),
                Value(std::string(i < 5 ? 2048 : 1024, 'v')));
    }
    const auto token = encode_token(mark, {1, key});
    ASSERT_TRUE(token) << token.error().message;
    EXPECT_EQ(decode_token(*token, mark)->key, key);
    for (const std::size_t size : {40'000u, 70'000u}) {
        const auto refused = encode_token(mark, {1, Item{{"k", std::string(size, 'v')}}});
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().message,
                  "The key at which the page ends is too large for a NextToken");
    }
}

TEST(PartiqlNextToken, BelongsToOneStatementAndItsParameters) {
    const auto token = *encode_token(fingerprint("SELECT", {"ab", "c"}), {});
    EXPECT_TRUE(decode_token(token, fingerprint("SELECT", {"ab", "c"})));
    for (const auto& other : {fingerprint("SELECT", {"a", "bc"}), fingerprint("SELECT", {"ab"}),
                              fingerprint("SELECT ", {"ab", "c"})}) {
        const auto refused = decode_token(token, other);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().message, "NextToken does not match request");
    }
}

TEST(PartiqlNextToken, RefusesWhatItDidNotMake) {
    const auto mark = fingerprint("SELECT", {});
    const auto good = *base64_decode(*encode_token(mark, {1, Item{{"h", "x"}, {"n", 12}}}));
    std::vector<std::string> bad = {"", "!", std::string(next_token_bytes_max + 1, 'A')};
    // A token without its last field, or with nothing behind the partition, is one of another key.
    const std::size_t without_fields = 1 + 16 + 4, first_field = without_fields + 2 + 1 + 1 + 2 + 1;
    for (std::size_t size = 0; size < good.size(); ++size) {
        if (size == without_fields || size == first_field) continue;
        bad.push_back(base64_encode(good.substr(0, size)));
    }
    auto version = good, kind = good, number = good;
    version[0] = 2;
    kind[without_fields + 3] = 'M';
    number.back() = 'x';
    for (const auto& bytes : {version, kind, number}) bad.push_back(base64_encode(bytes));
    for (const auto& token : bad) {
        const auto refused = decode_token(token, mark);
        ASSERT_FALSE(refused) << token;
        EXPECT_EQ(refused.error().message, "Invalid NextToken") << token;
    }
}

}  // namespace
}  // namespace mailroom::table::partiql
