// Files that settings name, looked at before anything is opened: what cannot work is said then.
#pragma once

#include "app/config.h"
#include "base/result.h"
#include "net/tls.h"

namespace mailroom::app {

// `invalid`, with the setting's name, for a directory of attachments that cannot be read.
Result<> check_files(const Config& config);

// The certificate for SMTP. `invalid`, with the settings' names, if it cannot be used.
Result<net::TlsServerContext> open_tls(const Config& config);

}  // namespace mailroom::app
