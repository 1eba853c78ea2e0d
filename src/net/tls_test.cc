#include "net/tls.h"

#include "net/certificates_for_tests.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <memory>

namespace mailroom::net {
namespace {

using Issuer = CertificatesForTests::Issuer;
using Connection = std::unique_ptr<SSL, decltype(&SSL_free)>;

// The client's view of a handshake in memory: "ok", or why it failed.
std::string shake_hands(const TlsClientContext& client, const TlsServerContext& server,
                        const std::string& host) {
    const Connection ours(SSL_new(client.native()), SSL_free);
    const Connection theirs(SSL_new(server.native()), SSL_free);
    if (const auto prepared = client.prepare(ours.get(), host); !prepared) {
        return prepared.error().message;
    }
    BIO *near = nullptr, *far = nullptr;
    BIO_new_bio_pair(&near, 0, &far, 0);
    SSL_set_bio(ours.get(), near, near);
    SSL_set_bio(theirs.get(), far, far);
    SSL_set_connect_state(ours.get());
    SSL_set_accept_state(theirs.get());
    for (int turn = 0; turn < 10; ++turn) {
        const int done = SSL_do_handshake(ours.get());
        if (done == 1) return "ok";
        if (SSL_get_error(ours.get(), done) != SSL_ERROR_WANT_READ) break;
        SSL_do_handshake(theirs.get());
    }
    return explain_tls_failure(ours.get(), "some error");
}

TEST(Tls, AcceptsOnlyACertificateThatIsValidTrustedAndForTheHost) {
    CertificatesForTests certificates;
    const auto good = certificates.issue("good", "DNS:mx.example,IP:127.0.0.1");
    const auto expired = certificates.issue("expired", "DNS:mx.example", Issuer::authority, -2);
    const auto other = certificates.issue("other", "DNS:other.example");
    const auto wild = certificates.issue("wild", "DNS:*.mx.example");
    const auto own = certificates.issue("own", "DNS:mx.example", Issuer::itself);
    struct Case {
        std::string_view name;
        CertificatesForTests::Pair pair;
        std::string host;
        std::string_view want;  // A part of the reason.
    };
    // clang-format off
    const Case cases[] = {
        {"good",             good,    "mx.example",    "ok"},
        {"case of the host", good,    "MX.Example",    "ok"},
        {"address",          good,    "127.0.0.1",     "ok"},
        {"wildcard",         wild,    "a.mx.example",  "ok"},
        {"wildcard depth",   wild,    "b.a.mx.example","for another host"},
        {"other address",    good,    "127.0.0.2",     "for another host"},
        {"other host",       other,   "mx.example",    "for another host"},
        {"expired",          expired, "mx.example",    "expired"},
        {"self-signed",      own,     "mx.example",    "self-signed"},
        {"no host",          good,    "",              "no host name"},
    };
    // clang-format on
    const auto verifying = TlsClientContext::create({.ca_file = certificates.authority_file()});
    const auto trusting = TlsClientContext::create({.verify = TlsVerify::nothing});
    ASSERT_TRUE(verifying);
    ASSERT_TRUE(trusting);
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto server = TlsServerContext::create({c.pair.certificate_file, c.pair.key_file});
        ASSERT_TRUE(server);
        const auto got = shake_hands(*verifying, *server, c.host);
        EXPECT_NE(got.find(c.want), got.npos) << got;
        if (c.host.empty()) continue;
        EXPECT_EQ(shake_hands(*trusting, *server, c.host), "ok");
    }
}

TEST(Tls, DoesNotTrustAnAuthorityThatTheSystemDoesNotKnow) {
    CertificatesForTests certificates;
    const auto pair = certificates.issue("good", "DNS:mx.example");
    const auto system = TlsClientContext::create({});
    const auto server = TlsServerContext::create({pair.certificate_file, pair.key_file});
    ASSERT_TRUE(system);
    ASSERT_TRUE(server);
    EXPECT_EQ(shake_hands(*system, *server, "mx.example"),
              "the server's certificate is from an authority that is not trusted here");
}

TEST(Tls, RefusesOldProtocols) {
    CertificatesForTests certificates;
    const auto pair = certificates.issue("good", "DNS:mx.example");
    const auto client = TlsClientContext::create({.ca_file = certificates.authority_file()});
    const auto server = TlsServerContext::create({pair.certificate_file, pair.key_file});
    ASSERT_TRUE(client);
    ASSERT_TRUE(server);
    SSL_CTX_set_min_proto_version(server->native(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(server->native(), TLS1_1_VERSION);
    EXPECT_NE(shake_hands(*client, *server, "mx.example"), "ok");
}

TEST(Tls, NamesTheFileThatCannotBeUsed) {
    CertificatesForTests certificates;
    const auto one = certificates.issue("one", "DNS:mx.example");
    const auto two = certificates.issue("two", "DNS:mx.example");
    const auto no_file = TlsClientContext::create({.ca_file = "/nowhere/roots.pem"});
    ASSERT_FALSE(no_file);
    EXPECT_NE(no_file.error().message.find("/nowhere/roots.pem"), std::string::npos);
    const auto no_certificate = TlsServerContext::create({"/nowhere/own.pem", one.key_file});
    ASSERT_FALSE(no_certificate);
    EXPECT_NE(no_certificate.error().message.find("/nowhere/own.pem"), std::string::npos);
    const auto mismatch = TlsServerContext::create({one.certificate_file, two.key_file});
    ASSERT_FALSE(mismatch);
    EXPECT_NE(mismatch.error().message.find(two.key_file), std::string::npos);
}

}  // namespace
}  // namespace mailroom::net
