#include "mime/dkim/sign.h"

#include "mime/dkim/keys_for_tests.h"
#include "mime/dkim/lookup_for_tests.h"

#include <gtest/gtest.h>
#include <algorithm>

namespace mailroom::mime::dkim {
namespace {

constexpr Time now = Time(std::chrono::seconds(1'800'000'000));
constexpr std::string_view mail =
    "From: Ann <ann@example.com>\r\nTo: bob@example.net\r\nSubject:  two\r\n words\r\n\r\n"
    "Hello  Bob \r\n\r\n";

const PrivateKey& rsa_key() {
    static const auto key = PrivateKey::from_pem(rsa_pem);
    return *key;
}
const PrivateKey& ed25519_key() {
    static const auto key = PrivateKey::from_pem(ed25519_pem);
    return *key;
}

MemoryLookup published() {
    MemoryLookup lookup;
    lookup.records["r._domainkey.example.com"] = {rsa_key().record()};
    lookup.records["e._domainkey.example.com"] = {ed25519_key().record()};
    return lookup;
}

std::vector<Signer> both_signers() {
    return {{.domain = "Example.COM", .selector = "r", .key = rsa_key(), .time = now},
            {.domain = "example.com",
             .selector = "e",
             .key = ed25519_key(),
             .time = now,
             .valid_for = std::chrono::hours(1)}};
}

bool all_pass(std::string_view message, Time at = now) {
    auto lookup = published();
    const auto verdicts = verify(message, lookup, at);
    return !verdicts.empty() && std::ranges::all_of(verdicts, [](const Verdict& verdict) {
        return verdict.outcome == Verdict::Outcome::pass;
    });
}

TEST(DkimSign, BothKindsOfSignatureVerify) {
    const auto fields = sign(mail, both_signers());
    ASSERT_TRUE(fields);
    const auto message = *fields + std::string(mail);
    auto lookup = published();
    const auto verdicts = verify(message, lookup, now);
    ASSERT_EQ(verdicts.size(), 2u);
    EXPECT_EQ(verdicts[0].algorithm, Algorithm::rsa_sha256);
    EXPECT_EQ(verdicts[1].algorithm, Algorithm::ed25519_sha256);
    EXPECT_TRUE(all_pass(message));
    EXPECT_FALSE(all_pass(message, now + std::chrono::hours(2)));
}

TEST(DkimSign, TheSameMailGetsTheSameFoldedField) {
    const auto signers = both_signers();
    const auto fields = sign(mail, {&signers[1], 1});
    ASSERT_TRUE(fields);
    EXPECT_EQ(*fields,
              "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed; d=example.com;\r\n"
              " s=e; t=1800000000; x=1800003600; h=from:from:reply-to:to:to:cc:subject:\r\n"
              " subject:date:message-id:in-reply-to:references:mime-version:content-type:\r\n"
              " content-transfer-encoding:list-unsubscribe:list-unsubscribe-post;\r\n"
              " bh=YJC6sFHGk5paEfivUv71xLRk9l6/Mpywbes6g++OLys=; b=QbxtF4SD8ZxinQUaJdF7QbzT\r\n"
              " 4e/ZljLVDHVTRNZpR3PA6++uJPPDasJTHZjMnZS5Ghp9K/Nzm7qKZl1c/TNUDA==\r\n");
    EXPECT_EQ(*sign(mail, {&signers[1], 1}), *fields);
}

TEST(DkimSign, OversigningForbidsASecondField) {
    auto signers = both_signers();
    for (const auto oversign : {Oversign::all, Oversign::none}) {
        for (auto& signer : signers) signer.oversign = oversign;
        const auto message = *sign(mail, signers) + std::string(mail);
        for (const std::string_view added : {"Subject: x\r\n", "Cc: x@e.example\r\n",
                                             "List-Unsubscribe: <https://e.example>\r\n"}) {
            EXPECT_EQ(all_pass(std::string(added) + message), oversign == Oversign::none) << added;
        }
        EXPECT_TRUE(all_pass("Received: by e.example\r\n" + message));
    }
}

TEST(DkimSign, OddMessagesVerify) {
    const std::string from = "From: a@example.com\r\n";
    const std::string messages[] = {
        from,
        from + "\r\n",
        from + "\r\n\r\n\r\n",
        from + "\r\nno line end",
        from + "\r\n \t \r\n\r\nx\r\n",
        from + "Subject:\r\n\r\nx",
        from + "Subject: caf\xc3\xa9 \xff\r\nTo:\r\n\t\r\n b@c.example\r\n\r\n\xff\xfe\r\n",
        from + "To: a\r\nTo: b\r\nTo: c\r\n\r\nx",
        from + "Subject: " + std::string(5000, 'x') + "\r\n\r\n" + std::string(100'000, ' '),
        "dkim-signature: v=1; rubbish\r\n" + from + "\r\nx",
    };
    for (const auto& message : messages) {
        SCOPED_TRACE(message.substr(0, 60));
        const auto fields = sign(message, both_signers());
        ASSERT_TRUE(fields);
        auto lookup = published();
        const auto verdicts = verify(*fields + message, lookup, now);
        ASSERT_GE(verdicts.size(), 2u);
        EXPECT_EQ(verdicts[0].reason, "");
        EXPECT_EQ(verdicts[1].reason, "");
    }
}

TEST(DkimSign, MoreFieldsThanVerifiersLookAtAreRefused) {
    std::string message = "From: a@example.com\r\n";
    for (int i = 0; i < 600; ++i) message += "To: b@example.com\r\n";
    EXPECT_EQ(sign(message, both_signers()).error().message,
              "the message has too many fields to sign");
    for (int i = 0; i < 1400; ++i) message += "X: y\r\n";
    EXPECT_EQ(sign(message, both_signers()).error().message,
              "the message has too many header fields");
}

TEST(DkimSign, WhatCannotBeSignedSafelyIsRefused) {
    struct Case {
        std::string_view name, message, domain, selector, header, want;
    };
    const Case cases[] = {
        {"bare LF", "From: a\r\n\r\na\nb\r\n", "a.example", "s", "To",
         "a line of the message does not end with CRLF"},
        {"bare CR", "From: a\r\n\r\na\rb\r\n", "a.example", "s", "To",
         "a line of the message does not end with CRLF"},
        {"CR at the end", "From: a\r\n\r\na\r", "a.example", "s", "To",
         "a line of the message does not end with CRLF"},
        {"no From", "To: a\r\n\r\n", "a.example", "s", "To",
         "the message does not have exactly one From field"},
        {"two From", "From: a\r\nFrom: b\r\n\r\n", "a.example", "s", "To",
         "the message does not have exactly one From field"},
        {"begins with a folded line", " From: a\r\nFrom: b\r\n\r\n", "a.example", "s", "To",
         "the message does not begin with a header field"},
        {"domain", "From: a\r\n\r\n", "a.example; x", "s", "To", "the signing domain is not one"},
        {"no domain", "From: a\r\n\r\n", "", "s", "To", "the signing domain is not one"},
        {"selector", "From: a\r\n\r\n", "a.example", "s\r\nX: y", "To", "the selector is not one"},
        {"header", "From: a\r\n\r\n", "a.example", "s", "To\r\nX",
         "a name of the headers to sign is not one"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const Signer signer{.domain = std::string(c.domain),
                            .selector = std::string(c.selector),
                            .key = ed25519_key(),
                            .time = now,
                            .headers = {std::string(c.header)}};
        const auto got = sign(c.message, {&signer, 1});
        ASSERT_FALSE(got);
        EXPECT_EQ(got.error().message, c.want);
    }
}

}  // namespace
}  // namespace mailroom::mime::dkim
