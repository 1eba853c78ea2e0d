#include "mime/charset.h"

#include "base/text.h"

#include <gtest/gtest.h>

namespace mailroom::mime {

namespace {

struct Case {
    std::string_view label, bytes, want, charset;
    std::size_t replaced = 0;
    bool unknown = false, wrong = false;
};

}  // namespace

// clang-format off
TEST(Charset, BytesBecomeUtf8ByTheirLabelOrByWhatTheyPlainlyAre) {
    const Case cases[] = {
        {"utf-8", "Grüße", "Grüße", "utf-8"},
        {"UTF8", "Grüße", "Grüße", "utf-8"},
        {"\"utf-8\"", "Grüße", "Grüße", "utf-8"},
        {"iso-8859-1", "Gr\xfc\xdf" "e", "Grüße", "windows-1252"},
        {"ISO_8859-1:1987", "Gr\xfc\xdf" "e", "Grüße", "windows-1252"},
        {"latin1", "\x93" "hi\x94 \x80", "“hi” €", "windows-1252"},
        {"iso-8859-15", "\xa4", "€", "iso-8859-15"},
        {"windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет", "windows-1251"},
        {"koi8-r", "\xf0\xd2\xc9\xd7\xc5\xd4", "Привет", "koi8-r"},
        {"x-sjis", "\x93\xfa\x96\x7b", "日本", "cp932"},
        {"iso-2022-jp", "\x1b$BF|K\\\x1b(B", "日本", "iso-2022-jp"},
        {"gb2312", "\xc4\xe3\xba\xc3", "你好", "gb18030"},
        {"ks_c_5601-1987", "\xc7\xd1\xb1\xb9", "한국", "uhc"},
        {"big5", "\xa4\xa4\xa4\xe5", "中文", "big5-hkscs"},
        {"utf-7", "Hi +AOk-", "Hi é", "utf-7"},
        {"utf-16", std::string_view("\0H\0i", 4), "Hi", "utf-16"},
        {"utf-16", std::string_view("\xff\xfeH\0i\0", 6), "Hi", "utf-16"},
        {"us-ascii", "plain", "plain", "utf-8"},
        {"us-ascii", "Grüße", "Grüße", "utf-8"},
        {"", "Gr\xfc\xdf" "e", "Grüße", "windows-1252"},
        {"unknown-8bit", "Gr\xfc\xdf" "e", "Grüße", "windows-1252"},
        {"x-unknown", "Grüße", "Grüße", "utf-8"},
        {"klingon", "Grüße", "Grüße", "utf-8", 0, true},
        {"klingon", "Gr\xfc\xdf" "e", "Grüße", "windows-1252", 0, true},
        {"utf-8", "Gr\xfc\xdf" "e", "Grüße", "windows-1252", 0, false, true},
        {"iso-8859-1", "Grüße", "Grüße", "utf-8", 0, false, true},
        {"utf-8", "Gr\xc3\xbc\xdf" "e", "Grü�e", "utf-8", 1},
        {"utf-8", "ü\xe2\x82", "ü��", "utf-8", 2},
        {"iso-8859-1", "\x81", "�", "windows-1252", 1},
        {"cp932", "a\x81", "a�", "cp932", 1},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(std::string(c.label) + " " + std::string(c.want));
        const auto got = to_utf8(c.bytes, c.label);
        EXPECT_EQ(got.text, c.want);
        EXPECT_EQ(got.charset, c.charset);
        EXPECT_EQ(got.replaced, c.replaced);
        EXPECT_EQ(got.label_unknown, c.unknown);
        EXPECT_EQ(got.label_wrong, c.wrong);
    }
}
// clang-format on

TEST(Charset, EveryListedNameIsKnownAndGivesUtf8ForAnyBytes) {
    std::string all;
    for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
    for (const std::string_view label :
         {"utf-7",      "utf-16",       "utf-32",      "utf-16le",      "iso-8859-2",
          "iso-8859-9", "windows-1258", "koi8-u",      "macintosh",     "x-mac-cyrillic",
          "gbk",        "big5",         "iso-2022-jp", "iso-2022-jp-2", "shift_jis",
          "euc-jp",     "euc-kr",       "iso-2022-kr", "euc-tw",        "cp950",
          "tis-620",    "ibm850"}) {
        SCOPED_TRACE(label);
        const auto got = to_utf8(all, label);
        EXPECT_FALSE(got.label_unknown);
        EXPECT_TRUE(is_utf8(got.text));
    }
}

TEST(Charset, NamesAreOnlyThoseOfRealCharsets) {
    EXPECT_EQ(charset_name("Latin1"), "windows-1252");
    EXPECT_FALSE(charset_name("us-ascii"));
    EXPECT_FALSE(charset_name("../../etc/passwd"));
    EXPECT_FALSE(charset_name("UTF-8//TRANSLIT"));
    EXPECT_FALSE(charset_name(std::string(100'000, 'a')));
}

}  // namespace mailroom::mime
