#include "smtp/server.h"

#include "net/listener.h"
#include "smtp/server_io.h"

#include <utility>

namespace mailroom::smtp {
class Server::Impl {
public:
    Impl(Options options, net::Listener listener, Receiver& receiver, const Clock& clock,
         Random& random)
        : options_(std::move(options)),
          port_(listener.port()),
          address_(listener.address()),
          tls_(options_.tls),
          io_(options_.settings, tls_, std::move(listener), receiver, clock, random) {}

    std::uint16_t port() const { return port_; }
    const std::string& address() const { return address_; }
    ServerIo& io() { return io_; }
    ServerTls& tls() { return tls_; }

private:
    const Options options_;
    const std::uint16_t port_;
    const std::string address_;
    ServerTls tls_;
    ServerIo io_;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() { stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Server>> Server::listen(Options options, Receiver& receiver,
                                               const Clock& clock, Random& random) {
    if (options.settings.tls != TlsPolicy::off && !options.tls) {
        return Error{Errc::invalid, "TLS is wanted, and there is no certificate"};
    }
    auto listener = TRY(net::Listener::open(options.host, options.port));
    auto impl =
        std::make_unique<Impl>(std::move(options), std::move(listener), receiver, clock, random);
    if (!impl->io().start()) {
        return Error{Errc::unavailable, "the system has no descriptors left"};
    }
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const { return impl_->port(); }

std::string Server::address() const { return impl_->address(); }
std::size_t Server::stop(std::chrono::milliseconds grace) { return impl_->io().stop(grace); }

void Server::use(net::TlsServerContext tls) { impl_->tls().replace(std::move(tls)); }

Server::Stats Server::stats() const {
    const auto& counters = impl_->io().counters();
    return {.connections = counters.connections.load(std::memory_order_relaxed),
            .accepted = counters.accepted.load(std::memory_order_relaxed),
            .turned_away = counters.turned_away.load(std::memory_order_relaxed),
            .messages = counters.messages.load(std::memory_order_relaxed),
            .timed_out = counters.timed_out.load(std::memory_order_relaxed)};
}

}  // namespace mailroom::smtp
