#include "base/fold_case.h"

#include <gtest/gtest.h>

namespace mailroom {
namespace {

TEST(FoldCaseTest, TextsThatDifferInCaseOnlyBecomeTheSame) {
    const struct {
        const char *upper, *lower;
    } cases[] = {{"ZOË", "zoë"},
                 {"MÜLLER", "müller"},
                 {"ÅSE ØRSTED", "åse ørsted"},
                 {"ŁÓDŹ", "łódź"},
                 {"ΑΘΗΝΑ", "αθηνα"},
                 {"ΟΔΟΣ", "οδος"},
                 {"МОСКВА", "москва"},
                 {"ЇЖАК", "їжак"},
                 {"ԵՐԵՎԱՆ", "երեվան"},
                 {"Ÿ", "ÿ"},
                 {"Ǆ", "ǆ"},
                 {"ǅ", "ǆ"},
                 {"ẞ", "ß"},
                 {"𐐀", "𐐨"},
                 {"Ａ", "ａ"},
                 {"Ñandú", "ñANDÚ"},
                 {"plain TEXT", "PLAIN text"}};
    for (const auto& c : cases) EXPECT_EQ(fold_case(c.upper), fold_case(c.lower)) << c.upper;
}

TEST(FoldCaseTest, FinalSigmaAndTheSignsOfKelvinAndAngstromAreTheirLetters) {
    EXPECT_EQ(fold_case("ς"), fold_case("Σ"));
    EXPECT_EQ(fold_case("\xe2\x84\xaa"), "k");
    EXPECT_EQ(fold_case("\xe2\x84\xab"), "å");
}

TEST(FoldCaseTest, WhatDiffersInMoreThanCaseStaysApart) {
    EXPECT_NE(fold_case("ß"), fold_case("ss"));
    EXPECT_NE(fold_case("é"), fold_case("e"));
    EXPECT_NE(fold_case("ı"), fold_case("i"));
    EXPECT_EQ(fold_case("日本語 שלום"), "日本語 שלום");
}

TEST(FoldCaseTest, BytesThatAreNoUtf8StayAsTheyAre) {
    for (const char* odd : {"\xff", "\xc3", "a\xc3z", "\xc0\x81", "\xe2\x84", "\xf8\x80\x80\x80",
                            "\xe0\x80\x81", "\x80", "\xf4\xff\x80\x80"}) {
        EXPECT_EQ(fold_case(odd), odd);
    }
    EXPECT_FALSE(is_ascii("\xff"));
    EXPECT_TRUE(is_ascii(""));
    EXPECT_TRUE(is_ascii("a b\n"));
}

}  // namespace
}  // namespace mailroom
