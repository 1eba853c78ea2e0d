#include "smtp/server.h"

#include "smtp/server_io.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace mailroom::smtp {
namespace {

constexpr int backlog = 1024;

struct Address {
    sockaddr_storage storage = {};
    socklen_t length = 0;
};

std::optional<Address> parse_address(const std::string& host, std::uint16_t port) {
    const auto& name = host == "localhost" ? std::string("127.0.0.1") : host;
    Address address;
    auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
    if (::inet_pton(AF_INET, name.c_str(), &v4.sin_addr) == 1) {
        v4.sin_family = AF_INET;
        v4.sin_port = htons(port);
        address.length = sizeof v4;
        return address;
    }
    auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
    if (::inet_pton(AF_INET6, name.c_str(), &v6.sin6_addr) == 1) {
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(port);
        address.length = sizeof v6;
        return address;
    }
    return std::nullopt;
}

std::uint16_t real_port(int listener) {
    Address address;
    address.length = sizeof address.storage;
    ::getsockname(listener, reinterpret_cast<sockaddr*>(&address.storage), &address.length);
    // The port stands at the same place in both families.
    return ntohs(reinterpret_cast<const sockaddr_in&>(address.storage).sin_port);
}

Result<int> open_listener(const std::string& host, std::uint16_t port) {
    const auto address = parse_address(host, port);
    if (!address) return Error{Errc::invalid, "\"" + host + "\" is not an IP address"};
    const int listener =
        ::socket(address->storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const int on = 1;
    if (listener >= 0) ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (listener < 0 ||
        ::bind(listener, reinterpret_cast<const sockaddr*>(&address->storage), address->length) !=
            0 ||
        ::listen(listener, backlog) != 0) {
        const std::string why = std::strerror(errno);
        if (listener >= 0) ::close(listener);
        return Error{Errc::unavailable,
                     "cannot listen on " + host + ":" + std::to_string(port) + ": " + why};
    }
    return listener;
}

}  // namespace

class Server::Impl {
public:
    // Owns `listener`.
    Impl(Options options, int listener, Receiver& receiver, const Clock& clock, Random& random)
        : options_(std::move(options)),
          port_(real_port(listener)),
          io_(options_.settings, options_.tls ? options_.tls->native() : nullptr, listener,
              receiver, clock, random) {}

    const Options& options() const { return options_; }
    std::uint16_t port() const { return port_; }
    ServerIo& io() { return io_; }

private:
    const Options options_;
    const std::uint16_t port_;
    ServerIo io_;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Server>> Server::listen(Options options, Receiver& receiver,
                                               const Clock& clock, Random& random) {
    if (options.settings.tls != TlsPolicy::off && !options.tls) {
        return Error{Errc::invalid, "TLS is wanted, and there is no certificate"};
    }
    const int listener = TRY(open_listener(options.host, options.port));
    auto impl = std::make_unique<Impl>(std::move(options), listener, receiver, clock, random);
    if (!impl->io().start()) {
        return Error{Errc::unavailable, "the system has no descriptors left"};
    }
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const { return impl_->port(); }

std::string Server::address() const {
    const auto& host = impl_->options().host;
    const bool v6 = host.find(':') != host.npos;
    return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port());
}

std::size_t Server::stop(std::chrono::milliseconds grace) { return impl_->io().stop(grace); }

Server::Stats Server::stats() const {
    const auto& counters = impl_->io().counters();
    return {.connections = counters.connections.load(std::memory_order_relaxed),
            .accepted = counters.accepted.load(std::memory_order_relaxed),
            .turned_away = counters.turned_away.load(std::memory_order_relaxed),
            .messages = counters.messages.load(std::memory_order_relaxed),
            .timed_out = counters.timed_out.load(std::memory_order_relaxed)};
}

}  // namespace mailroom::smtp
