#include "mime/dkim/verify.h"

#include "mime/dkim/keys_for_tests.h"
#include "mime/dkim/lookup_for_tests.h"
#include "mime/dkim/sign.h"

#include <gtest/gtest.h>

namespace mailroom::mime::dkim {
namespace {

constexpr Time now = Time(std::chrono::seconds(1'800'000'000));

std::string crlf(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n') out += '\r';
        out += c;
    }
    return out;
}

std::string summary(const Verdict& verdict) {
    switch (verdict.outcome) {
        case Verdict::Outcome::pass:
            return "pass";
        case Verdict::Outcome::fail:
            return "fail: " + verdict.reason;
        case Verdict::Outcome::temporary_error:
            return "temporary: " + verdict.reason;
        case Verdict::Outcome::permanent_error:
            return "permanent: " + verdict.reason;
    }
    return "";
}

// The message of RFC 8463, A.3, with one signature of each kind.
const std::string& standard_message() {
    static const std::string message =
        crlf(R"(DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=brisbane; t=1528637909; h=from : to :
 subject : date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus
 Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==
DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;
 d=football.example.com; i=@football.example.com;
 q=dns/txt; s=test; t=1528637909; h=from : to : subject :
 date : message-id : from : subject : date;
 bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;
 b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3
 DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz
 dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=
From: Joe SixPack <joe@football.example.com>
To: Suzie Q <suzie@shopping.example.net>
Subject: Is dinner ready?
Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)
Message-ID: <20030712040037.46341.5F8J@football.example.com>

Hi.

We lost the game.  Are you hungry yet?

Joe.
)");
    return message;
}

MemoryLookup standard_keys() {
    MemoryLookup lookup;
    lookup.records["brisbane._domainkey.football.example.com"] = {
        "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="};
    lookup.records["test._domainkey.football.example.com"] = {
        "v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk"
        "08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqM"
        "KrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB"};
    return lookup;
}

TEST(DkimVerify, TheExampleOfTheStandardPasses) {
    auto lookup = standard_keys();
    const auto verdicts = verify(standard_message(), lookup, now);
    ASSERT_EQ(verdicts.size(), 2u);
    for (const auto& verdict : verdicts) {
        EXPECT_EQ(summary(verdict), "pass");
        EXPECT_EQ(verdict.domain, "football.example.com");
        EXPECT_EQ(verdict.identity, "@football.example.com");
        EXPECT_FALSE(verdict.body_length);
        EXPECT_FALSE(verdict.body_has_unsigned_end);
    }
    EXPECT_EQ(verdicts[0].algorithm, Algorithm::ed25519_sha256);
    EXPECT_EQ(verdicts[0].selector, "brisbane");
    EXPECT_EQ(verdicts[1].algorithm, Algorithm::rsa_sha256);
}

struct Replacement {
    std::string_view name, from, to, want;
};

void replace_and_check(std::initializer_list<Replacement> rows) {
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        auto message = standard_message();
        const auto at = message.find(row.from);
        ASSERT_NE(at, message.npos);
        message.replace(at, row.from.size(), row.to);
        auto lookup = standard_keys();
        const auto verdicts = verify(message, lookup, now);
        ASSERT_FALSE(verdicts.empty());
        EXPECT_EQ(summary(verdicts[0]), row.want);
    }
}

TEST(DkimVerify, EveryChangeOfWhatWasSignedIsSeen) {
    constexpr std::string_view header = "fail: the signature does not match the header";
    constexpr std::string_view body = "fail: the body was changed";
    replace_and_check({
        {"body", "game.", "match.", body},
        {"text after the body", "Joe.\r\n", "Joe.\r\n.\r\n", body},
        {"line joined", "Hi.\r\n\r\nWe", "Hi. We", body},
        {"From", "Joe SixPack <", "Jo SixPack <", header},
        {"second From", "To: Suzie", "From: x@e.example\r\nTo: Suzie", header},
        {"second Subject in front", "From: Joe", "Subject: x\r\nFrom: Joe", header},
        {"Date removed", "Date: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\r\n", "", header},
        {"time of the signature", "t=1528637909", "t=1528637908", header},
        {"list of headers", "subject : date :", "subject :", header},
        {"signature", "b=/gCr", "b=/gCs", header},
        {"signature of another length", "b=/gCrinpc", "b=/gCr", header},
        {"blanks of the body are not signed", "Are you", " \tAre you", "pass"},
        {"blanks of a header are not signed", "Subject: Is", "SUBJECT :  \r\n\tIs", "pass"},
        {"empty lines at the end are not signed", "Joe.\r\n", "Joe. \r\n\r\n\r\n", "pass"},
        {"fields that are not signed", "From: Joe", "X-New: 1\r\nFrom: Joe", "pass"},
        {"second To is not protected", "From: Joe", "To: x@e.example\r\nFrom: Joe", "pass"},
    });
}

TEST(DkimVerify, SignaturesThatBreakTheRulesArePermanentErrors) {
    replace_and_check({
        {"version", "v=1;", "v=2;", "permanent: the signature is not of version 1"},
        {"no version", "v=1;", "", "permanent: the signature has no v= tag"},
        {"SHA-1", "a=ed25519-sha256", "a=rsa-sha1", "permanent: rsa-sha1 is no longer accepted"},
        {"algorithm", "a=ed25519-sha256", "a=x",
         "permanent: the signature has an unknown algorithm"},
        {"other kind of key", "a=ed25519-sha256", "a=rsa-sha256",
         "permanent: the key is of another kind than the signature"},
        {"From not signed", "h=from : to :\r\n subject : date : message-id : from",
         "h=to : subject", "permanent: From is not signed"},
        {"identity elsewhere", "i=@football", "i=@soccer",
         "permanent: the domain of the i= tag is not in the d= domain"},
        {"identity that only ends alike", "i=@football", "i=@xfootball",
         "permanent: the domain of the i= tag is not in the d= domain"},
        {"identity without @", "i=@football", "i=football", "permanent: the i= tag has no @"},
        {"canonical form", "c=relaxed/relaxed", "c=loose",
         "permanent: the signature has an unknown canonical form"},
        {"key elsewhere", "q=dns/txt", "q=http",
         "permanent: the signature's key is not in the DNS"},
        {"tag twice", "q=dns/txt;", "v=1;", "permanent: a tag comes twice"},
        {"no =", "q=dns/txt;", "q;", "permanent: a tag has no ="},
        {"no body hash", " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;", " ",
         "permanent: the signature has no bh= tag"},
        {"not base 64", "b=/gCr", "b=*gCr", "permanent: the b= tag is not base 64"},
        {"expired", "t=1528637909;", "t=1528637909; x=1528637910;",
         "permanent: the signature has expired"},
        {"expires before it was made", "t=1528637909;", "t=1900000000; x=1800000001;",
         "permanent: the signature expires before it was made"},
        {"from the future", "t=1528637909;", "t=1900000000;",
         "permanent: the signature was made in the future"},
        {"time is no number", "t=1528637909;", "t=-1;", "permanent: the t= tag is not a number"},
        {"length too great", "t=1528637909;", "l=99999;",
         "fail: the body is shorter than what was signed"},
        {"length out of range", "t=1528637909;", "l=99999999999999999999999999;",
         "permanent: the l= tag is not a number"},
        {"selector", "s=brisbane", "s=other", "permanent: there is no key for the signature"},
        {"selector that is no name", "s=brisbane", "s=a b",
         "permanent: the s= tag is not a selector"},
    });
}

TEST(DkimVerify, TheKeyDecides) {
    const std::string good = "p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";
    struct Case {
        std::string_view name;
        std::vector<std::string> records;
        std::string_view want;
    };
    const Case cases[] = {
        {"revoked", {"k=ed25519; p="}, "permanent: the key was revoked"},
        {"no record", {}, "permanent: there is no key for the signature"},
        {"no key", {"v=spf1 -all"}, "permanent: the key record is not of version DKIM1"},
        {"second record is the key", {"v=spf1 -all", "k=ed25519; " + good}, "pass"},
        {"exact identity", {"k=ed25519; t=s; " + good}, "pass"},
        {"other hash", {"k=ed25519; h=sha1; " + good}, "permanent: the key is not for SHA-256"},
        {"other service", {"k=ed25519; s=x; " + good}, "permanent: the key is not for mail"},
        {"not a key", {"k=ed25519; p=AAAA"}, "permanent: the key is not an Ed25519 key"},
        {"another key",
         {"k=ed25519; p=O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik="},
         "fail: the signature does not match the header"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto lookup = standard_keys();
        lookup.records["brisbane._domainkey.football.example.com"] = c.records;
        EXPECT_EQ(summary(verify(standard_message(), lookup, now)[0]), c.want);
    }
    auto lookup = standard_keys();
    lookup.broken = true;
    EXPECT_EQ(summary(verify(standard_message(), lookup, now)[0]),
              "temporary: the key could not be looked up: no answer");
}

TEST(DkimVerify, TooManySignaturesCostNothing) {
    std::string message;
    for (int i = 0; i < 1000; ++i) message += standard_message().substr(0, 421);
    auto lookup = standard_keys();
    const auto verdicts = verify(message + standard_message(), lookup, now);
    EXPECT_EQ(verdicts.size(), signatures_listed_max);
    EXPECT_LE(lookup.lookups, static_cast<int>(signatures_checked_max));
    EXPECT_EQ(summary(verdicts.back()), "permanent: too many signatures");
}

TEST(DkimVerify, UnsignedMessagesHaveNoVerdict) {
    auto lookup = standard_keys();
    EXPECT_TRUE(verify("", lookup, now).empty());
    EXPECT_TRUE(verify("From: a@b.example\r\n\r\nDKIM-Signature: v=1\r\n", lookup, now).empty());
}

}  // namespace
}  // namespace mailroom::mime::dkim
