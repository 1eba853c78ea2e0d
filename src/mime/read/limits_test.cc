// Hostile mails: every limit holds and is told.
#include "mime/read/defect_kinds.h"
#include "mime/read/file_name.h"
#include "mime/read/parse.h"

#include <gtest/gtest.h>

namespace mailroom::mime {
namespace {

TEST(ReadLimits, PastEachOfThemTheRestIsLeftOutAndADefectSaysSo) {
    ReadLimits limits;
    limits.depth_max = 3;
    limits.parts_max = 10;
    limits.headers_max = 20;
    limits.header_bytes_max = 1000;
    limits.text_bytes_max = 5000;

    std::string deep = "From: a@example.com\n";
    for (int i = 0; i < 20; ++i) {
        const auto boundary = "b" + std::to_string(i);
        deep += "Content-Type: multipart/mixed; boundary=" + boundary + "\n\n--" + boundary + "\n";
    }
    deep += "\nText\n";
    std::string wide = "From: a@example.com\nContent-Type: multipart/mixed; boundary=b\n\n";
    for (int i = 0; i < 50; ++i) wide += "--b\n\npart\n";
    std::string many_headers = "From: a@example.com\n";
    for (int i = 0; i < 50; ++i) many_headers += "X-" + std::to_string(i) + ": x\n";
    const auto long_header =
        "From: a@example.com\nX-Long: " + std::string(2000, 'x') + "\n\nText\n";
    const auto long_text = "From: a@example.com\n\n" + std::string(20'000, 'x');

    struct Case {
        std::string_view name;
        const std::string& mail;
        std::string_view want;
    };
    const Case cases[] = {
        {"depth", deep, defect::too_deep},
        {"parts", wide, defect::too_many_parts},
        {"headers", many_headers, defect::too_many_headers},
        {"header", long_header, defect::header_too_long},
        {"text", long_text, defect::text_too_long},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto mail = parse(c.mail, limits);
        EXPECT_TRUE(defect::has(mail.defects, c.want));
        EXPECT_EQ(mail.from.size(), 1u);
        EXPECT_LE(mail.text.size(), limits.text_bytes_max);
        EXPECT_LE(mail.headers().fields().size(), limits.headers_max);
        EXPECT_LE(mail.structure.children.size(), limits.parts_max);
    }
}

// Each would take minutes, or the stack, if some step were not linear.
TEST(ReadLimits, BigHostileMailsAreReadInLinearTime) {
    constexpr std::size_t size = 256 * 1024;
    const std::string head = "From: a@example.com\nContent-Type: multipart/mixed; boundary=b\n\n";
    const auto repeated = [&](std::string_view piece) {
        std::string text;
        while (text.size() < size) text += piece;
        return text;
    };
    const std::string mails[] = {
        repeated("X: y\n"),
        repeated(" folded\n"),
        "X: " + repeated("\n y"),
        head + repeated("--b\n"),
        head + repeated("--\n"),
        head + repeated("-"),
        head + repeated("--b\nContent-Type: multipart/mixed; boundary=b\n\n"),
        head + repeated("--b\nContent-Type: multipart/mixed\n\n--c\nContent-Type: text/plain\n\n"),
        "From: a@example.com\n\n" + repeated("> "),
        "From: a@example.com\n\n" + repeated(">\n"),
        "From: a@example.com\n\n" + repeated("On x wrote:\n\n\n"),
        "From: a@example.com\n\n" + repeated("From: x\nSent: "),
        "From: mailer-daemon@example.com\n\nundeliverable\n" + repeated("<a@example.com>:\n"),
        repeated(std::string_view("\0\0\0\0", 4)),
        repeated("\r"),
        "References: " + repeated("<a@b> ") + "\n\nx",
        "To: " + repeated("(") + "\n\nx",
        "Subject: " + repeated("=?utf-8?q?a?= ") + "\n\nx",
    };
    for (const auto& mail : mails) {
        SCOPED_TRACE(mail.substr(0, 80));
        EXPECT_LE(parse(mail).text.size(), mail.size());
    }
}

TEST(FileName, IsSafeToSaveUnder) {
    struct Case {
        std::string_view given, want;
    };
    // clang-format off
    const Case cases[] = {
        {"offer.pdf", "offer.pdf"},
        {"Grüße aus Köln.pdf", "Grüße aus Köln.pdf"},
        {"../../etc/passwd", "passwd"},
        {"C:\\Users\\ann\\x.doc", "x.doc"},
        {"..", ""},
        {".bashrc", "bashrc"},
        {"a\r\nb\tc\x7f.txt", "abc.txt"},
        {"a<b>:\"c|?*.txt", "a_b___c___.txt"},
        {"invoice\u202efdp.exe", "invoicefdp.exe"},
        {" trailing. ", "trailing"},
        {"", ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.given);
        EXPECT_EQ(safe_file_name(c.given), c.want);
    }
    const auto cut = safe_file_name(std::string(500, 'x') + ".pdf");
    EXPECT_EQ(cut.size(), file_name_bytes_max);
    EXPECT_TRUE(cut.ends_with("x.pdf"));
}

}  // namespace
}  // namespace mailroom::mime
