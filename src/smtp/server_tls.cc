#include "smtp/server_tls.h"

#include <openssl/ssl.h>

#include <cassert>

namespace mailroom::smtp {

void ServerTls::replace(net::TlsServerContext context) {
    const std::lock_guard lock(mutex_);
    context_ = std::move(context);
}

ssl_st* ServerTls::make() const {
    const std::lock_guard lock(mutex_);
    assert(context_);
    return ::SSL_new(context_->native());  // Which keeps the context as long as it needs it.
}

}  // namespace mailroom::smtp
