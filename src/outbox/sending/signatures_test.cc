#include "outbox/sending/signatures.h"

#include "mime/dkim/keys_for_tests.h"
#include "mime/dkim/lookup_for_tests.h"

#include <gtest/gtest.h>

namespace mailroom::outbox {
namespace {

namespace dkim = mime::dkim;
const Time now = from_unix_ms(1'760'000'000'000);

dkim::PrivateKey key(std::string_view pem) {
    auto parsed = dkim::PrivateKey::from_pem(pem);
    EXPECT_TRUE(parsed);
    return *std::move(parsed);
}

std::string message_from(std::string_view from) {
    return "To: bob@b.example\r\nX-From: x@nowhere.example\r\n" + std::string(from) +
           "\r\nSubject: hello\r\n\r\nFrom: body@body.example\r\nHello.\r\n";
}

// The domains whose signatures of the message are good.
std::string signers_of(const std::string& message) {
    dkim::MemoryLookup lookup;
    for (const char* domain : {"a.example", "mail.a.example", "xn--bcher-kva.example"}) {
        lookup.records["rsa._domainkey." + std::string(domain)] = {key(dkim::rsa_pem).record()};
        lookup.records["ed._domainkey." + std::string(domain)] = {key(dkim::ed25519_pem).record()};
    }
    std::string domains;
    for (const auto& verdict : dkim::verify(message, lookup, now)) {
        EXPECT_EQ(verdict.outcome, dkim::Verdict::Outcome::pass) << verdict.reason;
        domains += verdict.domain + "/" + verdict.selector + " ";
    }
    return domains;
}

TEST(Signatures, AMailIsSignedByTheKeysOfTheNearestDomain) {
    Signatures signatures;
    ASSERT_TRUE(signatures.add("A.example", "rsa", key(dkim::rsa_pem)));
    ASSERT_TRUE(signatures.add("a.example", "ed", key(dkim::ed25519_pem)));
    ASSERT_TRUE(signatures.add("mail.a.example", "ed", key(dkim::ed25519_pem)));
    ASSERT_TRUE(signatures.add("bücher.example", "ed", key(dkim::ed25519_pem)));
    struct Case {
        std::string_view name, from, want;
    };
    // clang-format off
    const Case cases[] = {
        {"the domain itself",  "From: ann@a.example",                        "a.example/rsa a.example/ed "},
        {"case",               "FROM: Ann <ann@A.EXAMPLE>",                  "a.example/rsa a.example/ed "},
        {"folded",             "From:\r\n \"Ann, Lee\"\r\n\t<ann@a.example>", "a.example/rsa a.example/ed "},
        {"a nearer domain",    "From: ann@x.y.mail.a.example",               "mail.a.example/ed "},
        {"a domain below",     "From: ann@sub.a.example",                    "a.example/rsa a.example/ed "},
        {"in other letters",   "From: ann@xn--bcher-kva.example",            "xn--bcher-kva.example/ed "},
        {"another domain",     "From: ann@b.example",                        ""},
        {"a domain that ends the same", "From: ann@aa.example",              ""},
        {"an address literal", "From: ann@[192.0.2.1]",                      ""},
        {"no address",         "From: nobody",                               ""},
    };
    // clang-format on
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto message = message_from(c.from);
        const auto got = signatures.sign(message, now);
        ASSERT_TRUE(got) << got.error().message;
        EXPECT_TRUE(got->ends_with(message));
        EXPECT_EQ(signers_of(*got), c.want);
    }
}

TEST(Signatures, KeysThatReplaceOthersSignFromThenOn) {
    Signatures signatures, read_anew;
    ASSERT_TRUE(signatures.add("a.example", "old", key(dkim::rsa_pem)));
    ASSERT_TRUE(read_anew.add("a.example", "new", key(dkim::ed25519_pem)));
    signatures.replace_by(read_anew);
    const auto got = signatures.sign(message_from("From: ann@a.example"), now);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_NE(got->find("s=new;"), std::string::npos) << *got;
    EXPECT_EQ(got->find("s=old;"), std::string::npos);
}

TEST(Signatures, WhatCannotBeSignedIsRefusedOnlyWhereThereAreKeys) {
    const std::string two = "From: ann@a.example\r\nFrom: eve@a.example\r\n\r\nHello.\r\n";
    Signatures signatures;
    EXPECT_EQ(*signatures.sign(two, now), two);
    EXPECT_EQ(*signatures.sign("", now), "");
    ASSERT_TRUE(signatures.add("a.example", "ed", key(dkim::ed25519_pem)));
    EXPECT_FALSE(signatures.sign(two, now));
    for (const char* text :
         {"", "\r\n", "no header at all", "Subject: x\r\n\r\nFrom: a@a.example"}) {
        SCOPED_TRACE(text);
        EXPECT_EQ(*signatures.sign(text, now), text);
    }
}

TEST(Signatures, OnlyDomainsAndSelectorsAreTaken) {
    Signatures signatures;
    const auto add = [&](const char* domain, const char* selector) {
        return bool(signatures.add(domain, selector, key(dkim::ed25519_pem)));
    };
    EXPECT_TRUE(add("a.example", "m1"));
    EXPECT_TRUE(add("a.example", "m1.mail"));
    EXPECT_FALSE(add("a.example", "m1")) << "twice the same";
    for (const char* domain : {"", "a..example", "[192.0.2.1]", "a b.example"}) {
        SCOPED_TRACE(domain);
        EXPECT_FALSE(add(domain, "m1"));
    }
    for (const char* selector : {"", "a b", "a;d=b", "a..b", "a\r\nb"}) {
        SCOPED_TRACE(selector);
        EXPECT_FALSE(add("b.example", selector));
    }
}

}  // namespace
}  // namespace mailroom::outbox
