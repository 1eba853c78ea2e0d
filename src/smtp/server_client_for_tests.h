// A blocking SMTP client that says exactly what it is told, in clear or through TLS, and a
// certificate for the server. For tests.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cassert>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mailroom::smtp {

class RawClient {
public:
    // A read that takes longer than this fails: the test would hang otherwise.
    static constexpr int read_seconds_max = 20;

    explicit RawClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        timeval timeout = {};
        timeout.tv_sec = read_seconds_max;
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
        const int failed =
            ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address);
        assert(failed == 0);
    }
    ~RawClient() {
        tls_.reset();
        ::close(socket_);
    }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    void send(std::string_view bytes) {
        if (tls_) {
            ::SSL_write(tls_.get(), bytes.data(), static_cast<int>(bytes.size()));
        } else {
            [[maybe_unused]] const auto sent =
                ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        }
    }
    // The last line of the next reply, without its line end; empty when the server has closed.
    std::string reply() {
        for (;;) {
            const auto end = buffer_.find("\r\n");
            if (end != buffer_.npos) {
                auto line = buffer_.substr(0, end);
                buffer_.erase(0, end + 2);
                if (line.size() > 3 && line[3] == '-') continue;
                return line;
            }
            if (!fill()) return {};
        }
    }
    std::string ask(std::string_view command) {
        send(std::string(command) + "\r\n");
        return reply();
    }
    // Everything until the server closes.
    std::string rest() {
        while (fill()) continue;
        return std::move(buffer_);
    }
    // False if the handshake failed.
    bool start_tls() {
        static const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context(
            ::SSL_CTX_new(::TLS_client_method()), ::SSL_CTX_free);
        tls_.reset(::SSL_new(context.get()));
        ::SSL_set_fd(tls_.get(), socket_);
        return ::SSL_connect(tls_.get()) == 1;
    }
    int socket() const { return socket_; }
    // The server's, as bytes.
    std::string certificate() const {
        const std::unique_ptr<X509, void (*)(X509*)> peer(::SSL_get1_peer_certificate(tls_.get()),
                                                          ::X509_free);
        unsigned char* bytes = nullptr;
        const int size = ::i2d_X509(peer.get(), &bytes);
        std::string text(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size));
        ::OPENSSL_free(bytes);
        return text;
    }

private:
    bool fill() {
        char bytes[4096];
        const auto count = tls_ ? ::SSL_read(tls_.get(), bytes, sizeof bytes)
                                : static_cast<int>(::recv(socket_, bytes, sizeof bytes, 0));
        if (count <= 0) return false;
        buffer_.append(bytes, static_cast<std::size_t>(count));
        return true;
    }

    int socket_;
    std::unique_ptr<SSL, void (*)(SSL*)> tls_{nullptr, ::SSL_free};
    std::string buffer_;
};

// Writes a self-signed certificate and its key.
inline void write_certificate(const std::filesystem::path& certificate_file,
                              const std::filesystem::path& key_file) {
    const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key(EVP_EC_gen("P-256"), EVP_PKEY_free);
    const std::unique_ptr<X509, void (*)(X509*)> certificate(X509_new(), X509_free);
    constexpr long valid_seconds = 3600;
    X509_set_version(certificate.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -valid_seconds);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), valid_seconds);
    X509_set_pubkey(certificate.get(), key.get());
    auto* name = X509_get_subject_name(certificate.get());
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("test"), -1, -1, 0);
    X509_set_issuer_name(certificate.get(), name);
    X509_sign(certificate.get(), key.get(), EVP_sha256());

    auto* file = std::fopen(certificate_file.c_str(), "w");
    PEM_write_X509(file, certificate.get());
    std::fclose(file);
    file = std::fopen(key_file.c_str(), "w");
    PEM_write_PrivateKey(file, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    std::fclose(file);
}

}  // namespace mailroom::smtp
