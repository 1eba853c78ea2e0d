// TLS settings for connections we make and connections we take. A context is made once and shared
// by any number of connections; the connections themselves belong to whoever does the I/O.
#pragma once

#include "base/result.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

// OpenSSL's own names, so that its headers stay out of this one.
struct ssl_ctx_st;
struct ssl_st;

namespace mailroom::net {

enum class TlsVerify {
    peer,     // The certificate must be valid, from a known authority, and for the host we asked.
    nothing,  // Protects from listeners only: better than clear text, where that is the choice.
};

// TLS 1.2 or later. Thread-safe, immutable, cheap to copy (copies share the OpenSSL context).
class TlsClientContext {
public:
    struct Options {
        TlsVerify verify = TlsVerify::peer;
        std::optional<std::string> ca_file = std::nullopt;  // PEM. None: the system's authorities.
    };

    // `invalid` if the file cannot be read or holds no certificate.
    static Result<TlsClientContext> create(const Options& options);

    // Before the handshake of `connection`: asks for `host` (SNI) and, where certificates are
    // verified, accepts only one for it. `host` is a name, or an IP address as text.
    Result<> prepare(ssl_st* connection, const std::string& host) const;

    ssl_ctx_st* native() const { return context_.get(); }

private:
    TlsClientContext(std::shared_ptr<ssl_ctx_st> context, TlsVerify verify)
        : context_(std::move(context)), verify_(verify) {}

    std::shared_ptr<ssl_ctx_st> context_;  // Shared with every connection's OpenSSL object.
    TlsVerify verify_;
};

// TLS 1.2 or later. Thread-safe, immutable, cheap to copy (copies share the OpenSSL context).
class TlsServerContext {
public:
    struct Options {
        std::string certificate_file;  // PEM: ours first, then those that lead to the authority.
        std::string key_file;          // PEM, without a pass phrase.
    };

    // `invalid` if a file cannot be read or the two do not belong together.
    static Result<TlsServerContext> create(const Options& options);

    ssl_ctx_st* native() const { return context_.get(); }

private:
    explicit TlsServerContext(std::shared_ptr<ssl_ctx_st> context) : context_(std::move(context)) {}

    std::shared_ptr<ssl_ctx_st> context_;  // As above.
};

// Why the handshake of `connection` failed, for people: expired, for another host, self-signed …
// `error` is what the handshake reported, as text; it is used when the certificate was not at
// fault.
std::string explain_tls_failure(const ssl_st* connection, const std::string& error);

}  // namespace mailroom::net
