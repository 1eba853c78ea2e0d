// The receiving side of SMTP: for mail from other servers and, with AUTH, for submission.
//
//   class Intake : public smtp::Receiver { … };
//   auto server = TRY(smtp::Server::listen({.port = 2525}, intake, clock, random));
//   … server->port() …
//   server->stop(10s);
//
// One thread moves the bytes of all connections and calls the Receiver. It has no policy: what is
// accepted is the Receiver's to say, what is offered is in the settings.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "net/tls.h"
#include "smtp/server_receiver.h"
#include "smtp/server_settings.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mailroom::smtp {

// Thread-safe.
class Server {
public:
    struct Options {
        std::string host = "127.0.0.1";  // An IPv4 or IPv6 address, or "localhost".
        std::uint16_t port = 0;          // 0 picks a free one.
        ServerSettings settings = {};
        std::optional<net::TlsServerContext> tls = std::nullopt;
    };

    // Serves at once. The others must outlive the server. `invalid` if the host is no address, or
    // the settings want TLS and there is none; `unavailable` if it cannot be listened on.
    static Result<std::unique_ptr<Server>> listen(Options options, Receiver& receiver,
                                                  const Clock& clock, Random& random);
    ~Server();  // As stop(0).
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const;
    std::string address() const;  // "127.0.0.1:2525", "[::1]:2525": with the real port.

    // Takes no more connections and ends the present ones with 421, those with a message in hand
    // after its reply. What is not done within `grace` is dropped; returns how many messages those
    // were. Not to be called from a Receiver. A second call returns 0.
    std::size_t stop(std::chrono::milliseconds grace);

    // Connections that are secured from now on use this one.
    void use(net::TlsServerContext tls);

    struct Stats {
        std::uint64_t connections = 0;  // Open now.
        std::uint64_t accepted = 0;     // Connections since the start, as all below.
        std::uint64_t turned_away = 0;  // Because of the limits on connections.
        std::uint64_t messages = 0;     // Taken by the Receiver.
        std::uint64_t timed_out = 0;    // Connections that were too slow.
    };
    Stats stats() const;

private:
    class Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::smtp
