#include "net/http_client.h"
#include "net/scripted_server.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

namespace mailroom::net {
namespace {

constexpr long valid_seconds = 3600;

template <auto free>
struct Free {
    template <class T>
    void operator()(T* object) const {
        free(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Free<SSL_CTX_free>>;
using Session = std::unique_ptr<SSL, Free<SSL_free>>;
using File = std::unique_ptr<std::FILE, Free<std::fclose>>;

// Its own authority, valid for the one address.
Certificate make_certificate(EVP_PKEY* key, const std::string& address) {
    Certificate certificate(X509_new());
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -valid_seconds);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), valid_seconds);
    X509_set_pubkey(certificate.get(), key);
    auto* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    const std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>> names(
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, ("IP:" + address).c_str()));
    X509_add_ext(certificate.get(), names.get(), -1);
    X509_sign(certificate.get(), key, EVP_sha256());
    return certificate;
}

// Answers one request over TLS with "secret", if the client goes on after it saw the certificate.
class TlsServer {
public:
    explicit TlsServer(const std::string& certified_address)
        : key_(EVP_EC_gen("P-256")),
          certificate_(make_certificate(key_.get(), certified_address)),
          context_(SSL_CTX_new(TLS_server_method())),
          listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        SSL_CTX_use_certificate(context_.get(), certificate_.get());
        SSL_CTX_use_PrivateKey(context_.get(), key_.get());
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* any = reinterpret_cast<sockaddr*>(&address);
        socklen_t length = sizeof address;
        EXPECT_EQ(::bind(listener_, any, length), 0);
        EXPECT_EQ(::listen(listener_, 1), 0);
        EXPECT_EQ(::getsockname(listener_, any, &length), 0);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve_one(); });
    }
    ~TlsServer() {
        thread_.join();
        ::close(listener_);
    }
    std::string url() const { return "https://127.0.0.1:" + std::to_string(port_); }
    void write_certificate(const std::string& path) const {
        const File file(std::fopen(path.c_str(), "w"));
        ASSERT_TRUE(file);
        PEM_write_X509(file.get(), certificate_.get());
    }

private:
    void serve_one() {
        const int socket = ::accept(listener_, nullptr, nullptr);
        const Session session(SSL_new(context_.get()));
        SSL_set_fd(session.get(), socket);
        char buffer[4096];
        if (SSL_accept(session.get()) == 1 && SSL_read(session.get(), buffer, sizeof buffer) > 0) {
            const auto answer = ScriptedServer::answer(200, "secret", "Connection: close\r\n");
            SSL_write(session.get(), answer.data(), static_cast<int>(answer.size()));
            SSL_shutdown(session.get());
        }
        ::close(socket);
    }

    Key key_;
    Certificate certificate_;
    Context context_;
    int listener_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

TEST(HttpClientTls, OnlyATrustedCertificateOfTheRightNameIsSpokenTo) {
    struct Case {
        const char* name;
        const char* certified_address;
        bool trusted;
        bool want;
    };
    const Case cases[] = {
        {"trusted", "127.0.0.1", true, true},
        {"unknown authority", "127.0.0.1", false, false},
        {"another's certificate", "127.0.0.2", true, false},
    };
    // As the program does: here also for the server, whose clients leave in the middle.
    std::signal(SIGPIPE, SIG_IGN);
    const auto path = std::filesystem::temp_directory_path() /
                      ("mailroom-http-tls-test-" + std::to_string(::getpid()) + ".pem");
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const TlsServer server(c.certified_address);
        server.write_certificate(path);
        HttpClientOptions options;
        if (c.trusted) options.authorities_file = path;
        HttpClient client(options);
        const auto answer =
            client.send({.url = *Url::parse(server.url()), .reach = Reach::trusted});
        EXPECT_EQ(static_cast<bool>(answer), c.want);
        if (answer) {
            EXPECT_EQ(answer->body, "secret");
        } else {
            EXPECT_EQ(answer.error().problem, HttpProblem::untrusted) << answer.error().message;
            EXPECT_FALSE(answer.error().may_have_arrived);
        }
    }
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace mailroom::net
