// The certificate of an SMTP listener. Private to smtp/.
#pragma once

#include "net/tls.h"

#include <mutex>
#include <optional>
#include <utility>

namespace mailroom::smtp {

// It may be replaced while connections are made. Thread-safe.
class ServerTls {
public:
    explicit ServerTls(std::optional<net::TlsServerContext> context)
        : context_(std::move(context)) {}

    void replace(net::TlsServerContext context);
    // For one connection; null if OpenSSL has no memory.
    ssl_st* make() const;

private:
    mutable std::mutex mutex_;
    std::optional<net::TlsServerContext> context_;
};

}  // namespace mailroom::smtp
