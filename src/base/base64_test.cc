#include "base/base64.h"

#include "base/random.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

using namespace std::string_view_literals;

TEST(Base64, MatchesTheVectorsOfRfc4648InBothAlphabets) {
    struct Case {
        std::string_view bytes, text, url;
    };
    const Case cases[] = {
        {"", "", ""},
        {"f", "Zg==", "Zg"},
        {"fo", "Zm8=", "Zm8"},
        {"foo", "Zm9v", "Zm9v"},
        {"foob", "Zm9vYg==", "Zm9vYg"},
        {"fooba", "Zm9vYmE=", "Zm9vYmE"},
        {"foobar", "Zm9vYmFy", "Zm9vYmFy"},
        {"\xfb\xff\xbf", "+/+/", "-_-_"},
        {"\0\0"sv, "AAA=", "AAA"},
        {"\xff", "/w==", "_w"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(base64_encode(c.bytes), c.text);
        EXPECT_EQ(base64_decode(c.text), c.bytes);
        EXPECT_EQ(base64_decoded_bytes(c.text), c.bytes.size());
        EXPECT_EQ(base64url_encode(c.bytes), c.url);
        EXPECT_EQ(base64url_decode(c.url), c.bytes);
    }
}

TEST(Base64, DecodingRefusesWhatEncodingWouldNotWrite) {
    struct Case {
        std::string_view name, text;
    };
    const Case cases[] = {
        {"no padding", "Zg"},       {"half padding", "Zg="},    {"too much padding", "Zg==="},
        {"padding alone", "===="},  {"three signs", "Z==="},    {"padding inside", "Zg==Zm9v"},
        {"white space", "Zm9 "},    {"line end", "Zm9v\n"},     {"url alphabet", "-_-_"},
        {"bits after one", "Zh=="}, {"bits after two", "Zm9="}, {"zero byte", "Zm9\0"sv},
        {"not ascii", "Zm9\xc3"},   {"lone digit", "Z"},        {"padding in the middle", "Z=9v"},
    };
    for (const auto& c : cases) EXPECT_EQ(base64_decode(c.text), std::nullopt) << c.name;
}

TEST(Base64Url, DecodingRefusesPaddingAndTheOtherAlphabet) {
    for (const auto text : {"Zg=="sv, "Zm8="sv, "+/+/"sv, "Z"sv, "Zh"sv, "Zm9"sv, "Zm9v "sv}) {
        EXPECT_EQ(base64url_decode(text), std::nullopt) << text;
    }
}

TEST(Base64, ReturnsEveryRandomValueUnchanged) {
    SeededRandom random(3);
    for (std::size_t size = 0; size < 200; ++size) {
        const auto bytes = random_bytes(random, size);
        EXPECT_EQ(base64_decode(base64_encode(bytes)), bytes);
        EXPECT_EQ(base64url_decode(base64url_encode(bytes)), bytes);
    }
}

}  // namespace
}  // namespace mailroom
