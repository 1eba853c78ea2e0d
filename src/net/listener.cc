#include "net/listener.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace mailroom::net {
namespace {

// Connections the kernel completes while we are busy; the system may cap it lower.
constexpr int backlog = 1024;

struct SocketAddress {
    sockaddr_storage storage = {};
    socklen_t length = sizeof storage;

    sockaddr* raw() { return reinterpret_cast<sockaddr*>(&storage); }
    // It stands at the same place in both families.
    std::uint16_t port() const {
        return ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
    }
};

SocketAddress to_socket_address(const IpAddress& ip, std::uint16_t port) {
    SocketAddress address;
    if (ip.is_v4()) {
        auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
        v4.sin_family = AF_INET;
        v4.sin_port = htons(port);
        v4.sin_addr.s_addr = htonl(ip.v4());
        address.length = sizeof v4;
    } else {
        auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(port);
        std::memcpy(&v6.sin6_addr, ip.bytes().data(), ip.bytes().size());
        address.length = sizeof v6;
    }
    return address;
}

// The last quarter of the files that the process may open is not for those who connect: a store
// that can open none any more loses its ability to write. A descriptor is the lowest that is free,
// so one beyond the others' share says that there are as many.
bool is_beyond_share(int descriptor) {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return false;
    return static_cast<rlim_t>(descriptor) >= files.rlim_cur - files.rlim_cur / 4;
}

bool is_out_of_room(int error) {
    return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

}  // namespace

Listener::Listener(Listener&& other) noexcept
    : host_(std::move(other.host_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      port_(other.port_) {}

Result<Listener> Listener::open(const std::string& host, std::uint16_t port) {
    const auto ip = IpAddress::parse(host == "localhost" ? "127.0.0.1" : host);
    if (!ip) return Error{Errc::invalid, "\"" + host + "\" is not an address to listen on"};
    auto address = to_socket_address(*ip, port);
    Listener listener(
        host, ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    const int on = 1;
    const int descriptor = listener.descriptor_;
    const bool listens = listener.is_open() &&
                         ::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
                         ::bind(descriptor, address.raw(), address.length) == 0 &&
                         ::listen(descriptor, backlog) == 0 &&
                         ::getsockname(descriptor, address.raw(), &address.length) == 0;
    if (!listens) {
        const std::string why = std::strerror(errno);
        listener.port_ = port;
        return Error{Errc::unavailable, "cannot listen on " + listener.address() + ": " + why};
    }
    listener.port_ = address.port();
    return listener;
}

std::string Listener::address() const {
    const bool v6 = host_.find(':') != host_.npos;
    return (v6 ? "[" + host_ + "]" : host_) + ":" + std::to_string(port_);
}

void Listener::close() {
    if (is_open()) ::close(std::exchange(descriptor_, -1));
}

Result<std::optional<Listener::Arrival>> Listener::accept() {
    SocketAddress address;
    const int socket =
        ::accept4(descriptor_, address.raw(), &address.length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0 && is_out_of_room(errno)) {
        return Error{Errc::unavailable, std::strerror(errno)};
    }
    // Whatever else it was is that client's trouble: it left before we looked.
    if (socket < 0) return std::optional<Arrival>();
    if (is_beyond_share(socket)) {
        ::close(socket);
        return Error{Errc::unavailable, "too many connections"};
    }
    const auto ip = IpAddress::from_socket(*address.raw());
    if (!ip) {
        ::close(socket);
        return std::optional<Arrival>();
    }
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return std::optional(Arrival{socket, *ip, address.port()});
}

}  // namespace mailroom::net
