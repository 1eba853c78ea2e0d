#include "app/submission_tls.h"

namespace mailroom::app {

Result<net::TlsServerContext> open_tls(const Config& config) {
    const auto& server = config.server;
    auto tls = net::TlsServerContext::create({server.tls_certificate, server.tls_key});
    if (tls) return tls;
    return Error{tls.error().code,
                 "server.tls_certificate, server.tls_key: " + tls.error().message};
}

}  // namespace mailroom::app
