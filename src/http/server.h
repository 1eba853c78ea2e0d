// The HTTP/1.1 server: keep-alive, pipelining, chunked bodies, Expect: 100-continue, HEAD.
//
//   auto server = TRY(Server::listen({.host = "127.0.0.1", .port = 8025}, handler, clock));
//   … server->port() …
//   server->stop(10s);
//
// A connection belongs to one I/O thread for its life, which calls the handler and writes the
// answers, so nothing about a connection is locked.
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "http/http.h"
#include "http/limits.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace mailroom::http {

// Thread-safe.
class Server {
public:
    struct Options {
        std::string host = "127.0.0.1";  // An IPv4 or IPv6 address, or "localhost".
        std::uint16_t port = 0;          // 0 picks a free one.
        unsigned io_threads = 1;         // At least 1.
        Limits limits = {};
    };

    // Serves at once. `handler` and `clock` must outlive the server. `invalid` if the host is no
    // address, `unavailable` if it cannot be listened on.
    static Result<std::unique_ptr<Server>> listen(Options options, Handler& handler,
                                                  const Clock& clock);
    ~Server();  // As stop(0): requests in hand are dropped.
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    std::uint16_t port() const;
    std::string address() const;  // "127.0.0.1:8025", "[::1]:8025": with the real port.

    // Takes no more connections, closes the idle ones, lets requests whose header has arrived
    // finish within `grace`, drops the rest and returns how many those were. Replies that come
    // later are ignored. Not to be called from a handler. A second call returns 0.
    std::size_t stop(std::chrono::milliseconds grace);

    struct Stats {
        std::uint64_t connections = 0;  // Open now.
        std::uint64_t accepted = 0;     // Since the start, as all below.
        std::uint64_t turned_away = 0;  // Because connections_max were open, and none was silent.
        std::uint64_t gave_way = 0;     // Silent ones, closed for a newcomer.
        std::uint64_t requests = 0;     // Handed to the handler.
        std::uint64_t refused = 0;      // Answered by the server itself: malformed, too large …
        std::uint64_t timed_out = 0;    // Connections closed because they ran out of time.
    };
    Stats stats() const;

private:
    class Impl;
    explicit Server(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::http
