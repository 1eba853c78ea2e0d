#include "app/start_checks.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace mailroom::app {

Result<> check_files(const Config& config) {
    const auto& directory = config.outbox.attachments_directory;
    if (directory.empty()) return Ok{};
    std::error_code unknown;
    if (!std::filesystem::is_directory(directory, unknown)) {
        return Error{Errc::invalid,
                     "outbox.attachments_directory: " + directory + " is not a directory"};
    }
    if (::access(directory.c_str(), R_OK | X_OK) != 0) {
        return Error{Errc::invalid,
                     "outbox.attachments_directory: " + directory + " cannot be read"};
    }
    return Ok{};
}

Result<net::TlsServerContext> open_tls(const Config& config) {
    const auto& server = config.server;
    auto tls = net::TlsServerContext::create({server.tls_certificate, server.tls_key});
    if (tls) return tls;
    return Error{tls.error().code,
                 "server.tls_certificate, server.tls_key: " + tls.error().message};
}

}  // namespace mailroom::app
