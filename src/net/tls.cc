#include "net/tls.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <new>
#include <system_error>

namespace mailroom::net {
namespace {

// OpenSSL queues its errors per thread; the first one is the cause.
std::string take_openssl_error() {
    const auto code = ERR_get_error();
    ERR_clear_error();
    if (code == 0) return "unknown error";
    // OpenSSL 3 has no words of its own for what the system said.
    if (ERR_SYSTEM_ERROR(code)) return std::generic_category().message(ERR_GET_REASON(code));
    const char* reason = ERR_reason_error_string(code);
    return reason != nullptr ? reason : "error " + std::to_string(code);
}

std::shared_ptr<ssl_ctx_st> make_context(const SSL_METHOD* method) {
    std::shared_ptr<ssl_ctx_st> context(SSL_CTX_new(method), SSL_CTX_free);
    if (!context) throw std::bad_alloc();  // The only way it fails.
    SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
    // Compression leaks secrets through sizes; renegotiation lets a client make the server work.
    SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                           SSL_OP_CIPHER_SERVER_PREFERENCE);
    // Peers that leave without close_notify are the rule in SMTP, and its lines have ends.
    SSL_CTX_set_options(context.get(), SSL_OP_IGNORE_UNEXPECTED_EOF);
    return context;
}

bool is_address(const std::string& host) {
    in6_addr scratch;
    return ::inet_pton(AF_INET, host.c_str(), &scratch) == 1 ||
           ::inet_pton(AF_INET6, host.c_str(), &scratch) == 1;
}

}  // namespace

Result<TlsClientContext> TlsClientContext::create(const Options& options) {
    auto context = make_context(TLS_client_method());
    ERR_clear_error();
    if (options.verify == TlsVerify::nothing) {
        SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
        return TlsClientContext(std::move(context), options.verify);
    }
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    if (!options.ca_file) {
        SSL_CTX_set_default_verify_paths(context.get());
    } else if (SSL_CTX_load_verify_file(context.get(), options.ca_file->c_str()) != 1) {
        return Error{Errc::invalid, "cannot read certificates from " + *options.ca_file + ": " +
                                        take_openssl_error()};
    }
    return TlsClientContext(std::move(context), options.verify);
}

Result<> TlsClientContext::prepare(ssl_st* connection, const std::string& host) const {
    const auto refuse = [&host] {
        ERR_clear_error();
        return Error{Errc::invalid, "'" + host + "' is no host name TLS can ask for"};
    };
    if (host.empty() || host.find('\0') != host.npos) return refuse();
    auto* parameters = SSL_get0_param(connection);
    if (is_address(host)) {  // RFC 6066, 3: no address in SNI.
        if (verify_ == TlsVerify::peer &&
            X509_VERIFY_PARAM_set1_ip_asc(parameters, host.c_str()) != 1) {
            return refuse();
        }
        return Ok{};
    }
    if (SSL_set_tlsext_host_name(connection, host.c_str()) != 1) return refuse();
    if (verify_ == TlsVerify::peer) {
        X509_VERIFY_PARAM_set_hostflags(parameters, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        if (X509_VERIFY_PARAM_set1_host(parameters, host.c_str(), host.size()) != 1) {
            return refuse();
        }
    }
    return Ok{};
}

Result<TlsServerContext> TlsServerContext::create(const Options& options) {
    auto context = make_context(TLS_server_method());
    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context.get(), options.certificate_file.c_str()) != 1) {
        return Error{Errc::invalid, "cannot read a certificate from " + options.certificate_file +
                                        ": " + take_openssl_error()};
    }
    // A key that wants a pass phrase fails here; without this OpenSSL would ask at the terminal.
    SSL_CTX_set_default_passwd_cb(context.get(), [](char*, int, int, void*) { return 0; });
    if (SSL_CTX_use_PrivateKey_file(context.get(), options.key_file.c_str(), SSL_FILETYPE_PEM) !=
        1) {
        return Error{Errc::invalid, "cannot use the key in " + options.key_file + " with " +
                                        options.certificate_file + ": " + take_openssl_error()};
    }
    return TlsServerContext(std::move(context));
}

std::string explain_tls_failure(const ssl_st* connection, const std::string& error) {
    switch (const auto verdict = SSL_get_verify_result(connection); verdict) {
        case X509_V_OK:
            return "the TLS handshake failed: " + error;
        case X509_V_ERR_CERT_HAS_EXPIRED:
            return "the server's certificate has expired";
        case X509_V_ERR_CERT_NOT_YET_VALID:
            return "the server's certificate is not valid yet (is the clock right?)";
        case X509_V_ERR_HOSTNAME_MISMATCH:
        case X509_V_ERR_IP_ADDRESS_MISMATCH:
            return "the server's certificate is for another host";
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
            return "the server's certificate is self-signed";
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
        case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            return "the server's certificate is from an authority that is not trusted here";
        default:
            return std::string("the server's certificate is not accepted: ") +
                   X509_verify_cert_error_string(verdict);
    }
}

}  // namespace mailroom::net
