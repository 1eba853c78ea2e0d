#include "mime/header_text.h"

#include <gtest/gtest.h>

namespace mailroom::mime {

namespace {

std::string kinds(const Defects& defects) {
    std::string text;
    for (const auto& defect : defects) text += (text.empty() ? "" : " ") + defect.kind;
    return text;
}

}  // namespace

// clang-format off
TEST(HeaderText, DecodingReadsWhatPeopleMeant) {
    struct Case {
        std::string_view input, want, defects = "";
    };
    const Case cases[] = {
        {"Hello", "Hello"},
        {"=?utf-8?Q?Gr=C3=BC=C3=9Fe?=", "Grüße"},
        {"=?UTF-8?B?R3LDvMOfZQ==?=", "Grüße"},
        {"=?iso-8859-1?q?Gr=FC=DFe_an_alle?=", "Grüße an alle"},
        {"Re: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= to all", "Re: Grüße to all"},
        {"=?utf-8?Q?a?= =?utf-8?Q?b?=", "ab"},
        {"=?utf-8?Q?a?=\r\n =?iso-8859-1?Q?b?=", "ab"},
        {"=?utf-8?Q?a?= b =?utf-8?Q?c?=", "a b c"},
        {"=?utf-8?Q?a?==?utf-8?Q?b?=", "ab"},
        {"x=?utf-8?Q?a?=y", "xay"},
        {"=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3=9Fe?=", "Grüße"},
        {"=?utf-8?B?w7w=?= =?utf-8?B?w58=?=", "üß"},
        {"=?utf-8?Q?How are you?" "?=", "How are you?"},
        {"=?utf-8*en?Q?a?=", "a"},
        {"=?utf-8?Q?" "?=x", "x"},
        {"=?utf-8?B?R3LDvMOfZQ?=", "Grüße"},
        {"=?utf-8?B?R3LD vMOfZQ==?=", "Grüße"},
        {"=?utf-8?Q?50=25=_=ZZ?=", "50%= =ZZ"},
        {"=?utf-8?B?!!!?=", "=?utf-8?B?!!!?=", "bad-encoded-word"},
        {"=?utf-8?X?abc?=", "=?utf-8?X?abc?="},
        {"=?utf-8?Q?abc", "=?utf-8?Q?abc"},
        {"=?utf-8?Q?abc =?utf-8?Q?d?=", "=?utf-8?Q?abc d"},
        {"=?klingon?Q?abc?=", "abc", "unknown-charset"},
        {"=?unknown-8bit?Q?Gr=FC=DFe?=", "Grüße"},
        {"=?utf-8?Q?Gr=FC=DFe?=", "Grüße", "invalid-characters"},
        {"Grüße", "Grüße"},
        {"Gr\xfc\xdf" "e", "Grüße", "raw-8bit"},
        {"one\r\n two\r\n\tthree", "one two three"},
        {"one\ntwo\rthree", "one two three"},
        {"=?utf-8?Q?a=0D=0ABcc:_x=00?=", "a  Bcc: x "},
        {"", ""},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.input);
        const auto got = decode_header_text(c.input);
        EXPECT_EQ(got.text, c.want);
        EXPECT_EQ(kinds(got.defects), c.defects);
    }
}

TEST(HeaderText, EncodingTakesTheShorterFormAndIsReadBack) {
    struct Case {
        std::string_view input, want;
    };
    const Case cases[] = {
        {"Grüße an wirklich alle", "=?UTF-8?Q?Gr=C3=BC=C3=9Fe_an_wirklich_alle?="},
        {"日本語", "=?UTF-8?B?5pel5pys6Kqe?="},
        {"really plain_text=d", "=?UTF-8?Q?really_plain=5Ftext=3Dd?="},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(encode_words(c.input), c.want);
        EXPECT_EQ(decode_header_text(c.want).text, c.input);
    }
}
// clang-format on

TEST(HeaderText, EncodedWordsAreAtMost75BytesOfWholeCharacters) {
    for (const std::string_view character : {"ü", "日", "😀", "a", "?"}) {
        std::string text;
        for (int i = 0; i < 200; ++i) text += character;
        std::string_view words;
        const auto encoded = encode_words(text);
        words = encoded;
        while (!words.empty()) {
            const auto space = words.find(' ');
            const auto word = words.substr(0, space);
            EXPECT_LE(word.size(), encoded_word_bytes_max);
            EXPECT_EQ(encoded_word_bytes(word), word.size());
            const auto decoded = decode_header_text(word);
            EXPECT_TRUE(decoded.defects.empty());
            words = space == words.npos ? std::string_view() : words.substr(space + 1);
        }
        EXPECT_EQ(decode_header_text(encoded).text, text);
    }
}

TEST(HeaderText, DecodingTakesLinearTimeOnHostileInput) {
    for (const std::string_view piece :
         {"=?", "=?a?q?", "=?a?q?x?", "?=", "=?a?b?", "=?a", "\r\n "}) {
        std::string text;
        for (int i = 0; i < 50'000; ++i) text += piece;
        decode_header_text(text);
    }
}

}  // namespace mailroom::mime
