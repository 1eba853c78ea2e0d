// The certificate of the submission server.
#pragma once

#include "app/config.h"
#include "base/result.h"
#include "net/tls.h"

namespace mailroom::app {

// `invalid`, with the settings' names, if it cannot be used.
Result<net::TlsServerContext> open_tls(const Config& config);

}  // namespace mailroom::app
