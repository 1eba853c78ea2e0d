// The transport that hands every mail to one server, which sees to the rest.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "net/resolver.h"
#include "net/tls.h"
#include "outbox/transports/relay_health.h"
#include "outbox/transports/transport.h"
#include "smtp/client.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct RelayOptions {
    std::string host;  // A name or an IP address: the operator's, so it may be anywhere.
    std::uint16_t port = 25;
    std::optional<smtp::Login> login = std::nullopt;
    smtp::TlsMode tls = smtp::TlsMode::opportunistic;
    net::TlsVerify verify = net::TlsVerify::peer;  // Where TLS is required or implicit.
    smtp::ClearTextLogin clear_text_login = smtp::ClearTextLogin::never;
    std::string hello_name = "localhost";  // How we introduce ourselves.
    smtp::TargetLimits limits = {};
    smtp::Timeouts timeouts = {};
    std::size_t transcript_bytes_max = 2 * 1024;  // Kept with each mail.
    smtp::Client::Options client = {};
};

// smtp://[user:password@]host[:port], or smtps:// for TLS from the first byte. User and password
// are percent-encoded. Without a port: 25, or 587 with a login, or 465. TLS is required with a
// login and used if offered without one. `invalid`, never naming the password, for anything else.
Result<RelayOptions> parse_relay_url(std::string_view text);

// A relay that refuses our password is left alone for a minute, then ever longer up to a quarter of
// an hour; mails get its refusal meanwhile. Thread-safe.
class Relay final : public Transport {
public:
    // Both must outlive the relay. `invalid` if the options cannot be used.
    static Result<std::unique_ptr<Relay>> open(net::Resolver& resolver, const Clock& clock,
                                               RelayOptions options);

    // Blocks while the server's name is looked up.
    void send(Outgoing mail, Done done) override;
    smtp::Client::Stats connections() const override { return client_->stats(); }
    void stop(std::chrono::milliseconds grace) override;

private:
    Relay(net::Resolver& resolver, const Clock& clock, RelayOptions options,
          std::unique_ptr<smtp::Client> client);
    smtp::Target target_at(std::vector<std::string> addresses) const;
    // `unavailable` if the name has no address now.
    Result<std::shared_ptr<const smtp::Target>> target();

    net::Resolver& resolver_;
    const RelayOptions options_;
    // Shared with answers that come while the client ends.
    const std::shared_ptr<RelayHealth> health_;
    const std::unique_ptr<smtp::Client> client_;
    std::mutex mutex_;
    std::shared_ptr<const smtp::Target> target_;  // As long as the addresses stay the same.
};

}  // namespace mailroom::outbox
