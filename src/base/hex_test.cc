#include "base/hex.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

using namespace std::string_view_literals;

TEST(Hex, EncodesInLowerCaseAndDecodesBothCases) {
    struct Case {
        std::string_view bytes, text;
    };
    const Case cases[] = {{"", ""}, {"\0"sv, "00"}, {"\xff", "ff"}, {"mail\x0a", "6d61696c0a"}};
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(hex_encode(c.bytes), c.text);
        EXPECT_EQ(hex_decode(c.text), c.bytes);
    }
    EXPECT_EQ(hex_decode("FfAa"), "\xff\xaa");
}

TEST(Hex, DecodingRefusesOddLengthsAndOtherCharacters) {
    for (const auto text :
         {"f"sv, "fff"sv, "fg"sv, " f"sv, "0x"sv, "f\0"sv, "+1"sv, "\xc3\xa9"sv}) {
        EXPECT_EQ(hex_decode(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace mailroom
