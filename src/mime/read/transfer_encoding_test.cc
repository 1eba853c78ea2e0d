#include "mime/read/transfer_encoding.h"

#include "base/base64.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

TEST(TransferEncoding, DecodesWithErrorsPassedOver) {
    using enum TransferEncoding;
    struct Case {
        std::string_view name;
        TransferEncoding encoding;
        std::string_view text, want;
        bool has_errors = false;
    };
    // clang-format off
    const Case cases[] = {
        {"identity", identity, "a=20\r\n", "a=20\r\n"},
        {"base 64", base64, "SGVsbG8=", "Hello"},
        {"broken lines", base64, "SG\r\nVs\r\n\tbG 8=\r\n", "Hello"},
        {"no padding", base64, "SGVsbG8", "Hello"},
        {"two texts", base64, "SGVsbG8=IEJvYg==", "Hello Bob"},
        {"wrong characters", base64, "SG*Vs!bG8=", "Hello", true},
        {"one character too many", base64, "SGVsA", "Hel", true},
        {"nothing", base64, "", ""},
        {"only rubbish", base64, "****", "", true},
        {"escapes", quoted_printable, "=C3=A9=c3=a9", "éé"},
        {"soft break", quoted_printable, "a=\r\nb=\nc", "abc"},
        {"soft break with blanks", quoted_printable, "a= \t\r\nb", "ab"},
        {"trailing blanks", quoted_printable, "a \t\r\nb  \nc=20\n", "a\r\nb\nc \n"},
        {"blank lines", quoted_printable, " \r\n\r\nx", "\r\n\r\nx"},
        {"bad escape", quoted_printable, "a=zz=4", "a=zz=4", true},
        {"at the end", quoted_printable, "a=", "a"},
        {"uuencode", uuencode, "begin 644 x\n#0V%T\n`\nend\n", "Cat"},
        {"uuencode cut off", uuencode, "begin 644 x\n#0V%T\n", "Cat", true},
        {"uuencode short line", uuencode, "begin 644 x\n%0\n`\nend\n", "", true},
        {"unknown", unknown, "x", "x"},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = decode_transfer(c.text, c.encoding);
        EXPECT_EQ(got.bytes, c.want);
        EXPECT_EQ(got.has_errors, c.has_errors);
        std::string pieces;
        const auto add = [&](std::string_view piece) { pieces += piece; };
        EXPECT_EQ(decode_transfer_in_pieces(c.text, c.encoding, add), !c.has_errors);
        EXPECT_EQ(pieces, c.want);
    }
}

TEST(TransferEncoding, ABigTextInPiecesIsTheSameAsWhole) {
    std::string bytes;
    for (int i = 0; i < 300'000; ++i) bytes += static_cast<char>(i * 7 + i / 256);
    const auto line = base64_encode(bytes);
    std::string encoded;
    for (std::size_t i = 0; i < line.size(); i += 76) encoded += line.substr(i, 76) + "\r\n";
    std::string pieces;
    EXPECT_TRUE(decode_transfer_in_pieces(encoded, TransferEncoding::base64,
                                          [&](std::string_view piece) { pieces += piece; }));
    EXPECT_EQ(pieces, bytes);
    EXPECT_EQ(decode_transfer(encoded, TransferEncoding::base64).bytes, bytes);
}

TEST(TransferEncoding, NamesAreTakenInAnyCaseAndWithComments) {
    EXPECT_EQ(parse_transfer_encoding("BASE64"), TransferEncoding::base64);
    EXPECT_EQ(parse_transfer_encoding(" Quoted-Printable (x)"), TransferEncoding::quoted_printable);
    EXPECT_EQ(parse_transfer_encoding("8BIT"), TransferEncoding::identity);
    EXPECT_EQ(parse_transfer_encoding("x-uuencode"), TransferEncoding::uuencode);
    EXPECT_EQ(parse_transfer_encoding("x-magic"), TransferEncoding::unknown);
}

}  // namespace
}  // namespace mailroom::mime
