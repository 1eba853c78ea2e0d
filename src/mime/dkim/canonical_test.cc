#include "mime/dkim/canonical.h"

#include "base/hex.h"
#include "mime/dkim/openssl.h"

#include <gtest/gtest.h>

namespace mailroom::mime::dkim {
namespace {

std::string sha256_of(std::string_view text) {
    Sha256 hash;
    hash.update(text);
    return hash.finish();
}

TEST(DkimCanonical, BodyHashesAreThoseOfTheCanonicalForm) {
    struct Case {
        std::string_view name, body, simple, relaxed;
    };
    const Case cases[] = {
        {"empty", "", "\r\n", ""},
        {"empty lines only", "\r\n\r\n", "\r\n", ""},
        {"blanks only", " \t\r\n", " \t\r\n", ""},
        {"RFC 6376, 3.4.5", " C \r\nD \t E\r\n\r\n\r\n", " C \r\nD \t E\r\n", " C\r\nD E\r\n"},
        {"no line end", "a", "a\r\n", "a\r\n"},
        {"no line end, blanks", "a  b ", "a  b \r\n", "a b\r\n"},
        {"empty lines inside", "a\r\n\r\n\r\nb\r\n", "a\r\n\r\n\r\nb\r\n", "a\r\n\r\n\r\nb\r\n"},
        {"blank line inside", "a\r\n \t\r\nb\r\n", "a\r\n \t\r\nb\r\n", "a\r\n\r\nb\r\n"},
        {"clean and other lines", "a b\r\nc d\r\ne  f\r\ng h\r\n", "a b\r\nc d\r\ne  f\r\ng h\r\n",
         "a b\r\nc d\r\ne f\r\ng h\r\n"},
        {"bare line ends are bytes", "a\nb\rc\r\n", "a\nb\rc\r\n", "a\nb\rc\r\n"},
        {"begins with blanks", "  a\r\n", "  a\r\n", " a\r\n"},
        {"lonely CR at the end", "a\r", "a\r\r\n", "a\r\r\n"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        for (const auto form : {Canonicalisation::simple, Canonicalisation::relaxed}) {
            const auto want = form == Canonicalisation::simple ? c.simple : c.relaxed;
            for (std::size_t length = 0; length <= want.size(); ++length) {
                const auto got = hash_body(c.body, form, length);
                EXPECT_EQ(got.sha256, sha256_of(want.substr(0, length)));
                EXPECT_EQ(got.hashed_bytes, length);
                EXPECT_EQ(got.body_bytes, want.size());
            }
            EXPECT_EQ(hash_body(c.body, form).sha256, sha256_of(want));
        }
    }
}

TEST(DkimCanonical, HeaderFieldsAreUnfoldedAndPacked) {
    const auto message = split_message(
        "A: X\r\nB : Y\t\r\n\tZ  \r\nno field\r\nSubject:\r\n  a \r\n b\r\nEmpty:\r\n\r\nbody");
    EXPECT_EQ(message.body, "body");
    std::string simple, relaxed;
    for (const auto& field : message.fields) {
        append_canonical(simple, field, Canonicalisation::simple);
        append_canonical(relaxed, field, Canonicalisation::relaxed);
        relaxed += "\r\n";
    }
    EXPECT_EQ(simple, "A: XB : Y\t\r\n\tZ  Subject:\r\n  a \r\n bEmpty:");
    EXPECT_EQ(relaxed, "a:X\r\nb:Y Z\r\nsubject:a b\r\nempty:\r\n");
}

TEST(DkimCanonical, FieldsArePickedFromTheLastUpwards) {
    const auto message = split_message("A: 1\r\nB: 2\r\nA: 3\r\n\r\n");
    std::string picked;
    for (const auto* field : pick_fields(message, {"a", "a", "a", "b", "c"})) {
        picked += field == nullptr ? std::string_view("-") : field->value;
    }
    EXPECT_EQ(picked, " 3 1- 2-");
}

TEST(DkimCanonical, MessagesWithoutBodyOrHeaderAreSplit) {
    EXPECT_EQ(split_message("").fields.size(), 0u);
    EXPECT_EQ(split_message("\r\nbody").body, "body");
    EXPECT_EQ(split_message("A: 1").fields.size(), 1u);
    EXPECT_EQ(split_message("A: 1\r\n").body, "");
}

}  // namespace
}  // namespace mailroom::mime::dkim
