// A socket on which others connect to us.
#pragma once

#include "base/result.h"
#include "net/address.h"

#include <cstdint>
#include <optional>
#include <string>

namespace mailroom::net {

// Owns the socket. For one thread at a time.
class Listener {
public:
    // `host` is an IP address or "localhost", which is 127.0.0.1; port 0 picks a free one.
    // `invalid` for another host, `unavailable` if the system does not give us the port.
    static Result<Listener> open(const std::string& host, std::uint16_t port);
    ~Listener() { close(); }
    Listener(Listener&& other) noexcept;
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    std::uint16_t port() const { return port_; }
    // "127.0.0.1:8025", "[::1]:25": with the host as it was given.
    std::string address() const;
    // Readable while somebody waits to be accepted. Negative once closed.
    int descriptor() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }
    void close();

    struct Arrival {
        int socket;  // Non-blocking, sends at once (TCP_NODELAY). The caller owns it.
        IpAddress address;
        std::uint16_t port;
    };
    // The next of those who wait, or none. `unavailable` if there is no room for one more
    // connection: the listener stays readable, so wait a while before the next try. A quarter of
    // the files that the process may open is left for its own; who comes then is turned away.
    Result<std::optional<Arrival>> accept();

private:
    Listener(std::string host, int descriptor) : host_(std::move(host)), descriptor_(descriptor) {}

    std::string host_;
    int descriptor_;
    std::uint16_t port_ = 0;
};

}  // namespace mailroom::net
