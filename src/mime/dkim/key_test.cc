#include "mime/dkim/key.h"

#include "base/base64.h"
#include "mime/dkim/key_record.h"
#include "mime/dkim/keys_for_tests.h"

#include <gtest/gtest.h>

namespace mailroom::mime::dkim {
namespace {

TEST(DkimKey, OnlyStrongUnencryptedRsaAndEd25519KeysMaySign) {
    struct Case {
        std::string_view name, pem, refusal;  // An empty refusal is a key.
    };
    const Case cases[] = {
        {"RSA", rsa_pem, ""},
        {"Ed25519", ed25519_pem, ""},
        {"short RSA", short_rsa_pem, "an RSA key for DKIM must have 2048 to 8192 bits, not 1024"},
        {"elliptic curve", elliptic_pem, "a DKIM key must be RSA or Ed25519"},
        {"encrypted", encrypted_pem, "the DKIM key is not an unencrypted PEM private key"},
        {"nothing", "", "the DKIM key is not an unencrypted PEM private key"},
        {"cut off", rsa_pem.substr(0, 500), "the DKIM key is not an unencrypted PEM private key"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto key = PrivateKey::from_pem(c.pem);
        EXPECT_EQ(key ? "" : key.error().message, c.refusal);
    }
}

TEST(DkimKey, ItsRecordChecksWhatItSigned) {
    for (const auto pem : {rsa_pem, ed25519_pem}) {
        const auto key = PrivateKey::from_pem(pem);
        ASSERT_TRUE(key);
        const auto record = parse_key_record(key->record());
        ASSERT_TRUE(record);
        EXPECT_EQ(record->algorithm, key->algorithm());
        const auto open = PublicKey::from_bytes(record->algorithm, record->key);
        ASSERT_TRUE(open);
        auto signature = key->sign("data");
        ASSERT_TRUE(signature);
        EXPECT_TRUE(open->verifies("data", *signature));
        EXPECT_FALSE(open->verifies("Data", *signature));
        signature->back() = static_cast<char>(signature->back() ^ 1);
        EXPECT_FALSE(open->verifies("data", *signature));
        EXPECT_FALSE(open->verifies("data", ""));
    }
}

// RFC 8463, A.2.
TEST(DkimKey, Ed25519RecordIsTheOneOfTheStandard) {
    EXPECT_EQ(PrivateKey::from_pem(ed25519_pem)->record(),
              "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
}

TEST(DkimKey, RecordsAreReadAndRefusedByTheStandard) {
    struct Case {
        std::string_view name, text, want;
    };
    const Case cases[] = {
        {"least", "p=AAAA", "rsa key"},
        {"all", "v=DKIM1; k=ed25519; h=sha1:sha256; s=email:x; t=y:s; n=note; p= AA\tAA ;",
         "ed25519 key testing exact"},
        {"revoked", "v=DKIM1; p=", "rsa"},
        {"unknown tags", "v=DKIM1; p=AAAA; zz=1", "rsa key"},
        {"other hash", "h=sha1; p=AAAA", "rsa key no-sha256"},
        {"other service", "s=tlsrpt; p=AAAA", "rsa key no-mail"},
        {"any service", "s=*; p=AAAA", "rsa key"},
        {"no key", "v=DKIM1; k=rsa", "the key record has no key"},
        {"other version", "v=DKIM2; p=AAAA", "the key record is not of version DKIM1"},
        {"version not first", "p=AAAA; v=DKIM1", "the key record is not of version DKIM1"},
        {"unknown kind", "k=dsa; p=AAAA", "the key record has an unknown kind of key"},
        {"not base 64", "p=A*AA", "the key record's key is not base 64"},
        {"twice", "p=AAAA; p=BBBB", "a tag comes twice"},
        {"another record", "google-site-verification=x", "a tag has no valid name"},
        {"nothing", "", "the key record has no key"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto got = parse_key_record(c.text);
        std::string text = got ? "" : got.error().message;
        if (got) {
            text = got->algorithm == Algorithm::rsa_sha256 ? "rsa" : "ed25519";
            if (!got->key.empty()) text += " key";
            if (got->testing) text += " testing";
            if (got->exact_identity) text += " exact";
            if (!got->allows_sha256) text += " no-sha256";
            if (!got->allows_mail) text += " no-mail";
        }
        EXPECT_EQ(text, c.want);
    }
}

TEST(DkimKey, PublicKeysThatAreNoneAreRefused) {
    EXPECT_FALSE(PublicKey::from_bytes(Algorithm::rsa_sha256, ""));
    EXPECT_FALSE(PublicKey::from_bytes(Algorithm::rsa_sha256, std::string(100, '\x30')));
    EXPECT_FALSE(PublicKey::from_bytes(Algorithm::ed25519_sha256, std::string(31, 'x')));
    EXPECT_FALSE(PublicKey::from_bytes(Algorithm::ed25519_sha256, ""));
}

}  // namespace
}  // namespace mailroom::mime::dkim
