// A name server for tests that answers as it was told, over UDP and TCP, and remembers what it was
// asked.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mailroom::net {

// The wire format, written without checks.
inline std::string wire16(unsigned number) {
    return {static_cast<char>(number >> 8 & 0xff), static_cast<char>(number & 0xff)};
}
inline std::string wire32(std::uint32_t number) { return wire16(number >> 16) + wire16(number); }
inline std::string wire_name(std::string_view name) {
    std::string wire;
    while (!name.empty()) {
        const auto label = name.substr(0, name.find('.'));
        wire += static_cast<char>(label.size());
        wire += label;
        name.remove_prefix(std::min(name.size(), label.size() + 1));
    }
    return wire + '\0';
}
inline std::string wire_record(std::string_view owner, unsigned type, std::uint32_t ttl_seconds,
                               const std::string& data) {
    return wire_name(owner) + wire16(type) + wire16(1) + wire32(ttl_seconds) +
           wire16(static_cast<unsigned>(data.size())) + data;
}
inline std::string wire_mx(unsigned preference, std::string_view host) {
    return wire16(preference) + wire_name(host);
}
inline std::string wire_soa(std::uint32_t minimum_seconds) {
    return wire_name("ns.example") + wire_name("root.example") + wire32(1) + wire32(2) + wire32(3) +
           wire32(4) + wire32(minimum_seconds);
}

struct DnsQuery {
    std::uint16_t id;
    std::string name;
    unsigned type;
    bool over_tcp;
};

inline constexpr unsigned dns_truncated = 0x0200;  // A flag, to be added to the response code.

// An answer to `query`: flags and response code, the records of the two sections.
inline std::string dns_answer(const DnsQuery& query, unsigned code,
                              const std::vector<std::string>& answers,
                              const std::vector<std::string>& authorities = {}) {
    auto message = wire16(query.id) + wire16(0x8180 | code) + wire16(1) +
                   wire16(static_cast<unsigned>(answers.size())) +
                   wire16(static_cast<unsigned>(authorities.size())) + wire16(0) +
                   wire_name(query.name) + wire16(query.type) + wire16(1);
    for (const auto& record : answers) message += record;
    for (const auto& record : authorities) message += record;
    return message;
}

// On 127.0.0.1. One TCP connection at a time, with one question each.
class ScriptedDnsServer {
public:
    // The packets to send back, whole; none to stay silent. Called on the server's thread.
    using Script = std::function<std::vector<std::string>(const DnsQuery&)>;

    explicit ScriptedDnsServer(Script script) : script_(std::move(script)) {
        // The kernel picks the UDP port, and the same of TCP may be taken: then try again.
        do {
            if (udp_ >= 0) close_sockets();
            udp_ = bound(SOCK_DGRAM, 0);
            tcp_ = bound(SOCK_STREAM, port_);
        } while (tcp_ < 0);
        [[maybe_unused]] const int listening = ::listen(tcp_, 8);
        assert(listening == 0);
        thread_ = std::thread([this] { run(); });
    }
    ~ScriptedDnsServer() {
        stopping_ = true;
        thread_.join();
        close_sockets();
    }

    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
    std::vector<DnsQuery> queries() const {
        const std::lock_guard lock(mutex_);
        return queries_;
    }

private:
    int bound(int type, std::uint16_t port) {
        const int socket = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(port);
        auto* any = reinterpret_cast<sockaddr*>(&address);
        socklen_t length = sizeof address;
        if (::bind(socket, any, length) != 0) {
            ::close(socket);
            return -1;
        }
        ::getsockname(socket, any, &length);
        port_ = ntohs(address.sin_port);
        return socket;
    }
    void close_sockets() {
        ::close(udp_);
        if (tcp_ >= 0) ::close(tcp_);
    }

    void run() {
        constexpr int look_again_ms = 20;
        while (!stopping_) {
            pollfd files[] = {{udp_, POLLIN, 0}, {tcp_, POLLIN, 0}};
            if (::poll(files, 2, look_again_ms) <= 0) continue;
            if (files[0].revents) serve_packet();
            if (files[1].revents) serve_connection();
        }
    }

    void serve_packet() {
        char buffer[4096];
        sockaddr_in from = {};
        socklen_t length = sizeof from;
        auto* any = reinterpret_cast<sockaddr*>(&from);
        const auto count = ::recvfrom(udp_, buffer, sizeof buffer, 0, any, &length);
        if (count <= 0) return;
        for (const auto& packet : asked({buffer, static_cast<std::size_t>(count)}, false)) {
            ::sendto(udp_, packet.data(), packet.size(), 0, any, length);
        }
    }

    void serve_connection() {
        const int socket = ::accept(tcp_, nullptr, nullptr);
        if (socket < 0) return;
        std::string text;
        char buffer[4096];
        const auto want = [&] {
            return text.size() < 2 ? 2u
                                   : 2u + (static_cast<unsigned char>(text[0]) * 256u +
                                           static_cast<unsigned char>(text[1]));
        };
        while (text.size() < want() || text.size() <= 2) {
            const auto count = ::recv(socket, buffer, sizeof buffer, 0);
            if (count <= 0) break;
            text.append(buffer, static_cast<std::size_t>(count));
        }
        if (text.size() > 2) {
            for (const auto& packet : asked(std::string_view(text).substr(2), true)) {
                const auto framed = wire16(static_cast<unsigned>(packet.size())) + packet;
                ::send(socket, framed.data(), framed.size(), MSG_NOSIGNAL);
            }
        }
        ::close(socket);
    }

    std::vector<std::string> asked(std::string_view message, bool over_tcp) {
        const auto byte = [&](std::size_t at) {
            return at < message.size() ? static_cast<unsigned char>(message[at]) : 0u;
        };
        DnsQuery query{static_cast<std::uint16_t>(byte(0) << 8 | byte(1)), "", 0, over_tcp};
        std::size_t at = 12;
        while (byte(at) != 0) {
            if (!query.name.empty()) query.name += '.';
            query.name += message.substr(at + 1, byte(at));
            at += byte(at) + 1;
        }
        query.type = byte(at + 1) << 8 | byte(at + 2);
        {
            const std::lock_guard lock(mutex_);
            queries_.push_back(query);
        }
        return script_(query);
    }

    const Script script_;
    int udp_ = -1;
    int tcp_ = -1;
    std::uint16_t port_ = 0;
    std::atomic<bool> stopping_ = false;
    mutable std::mutex mutex_;
    std::vector<DnsQuery> queries_;
    std::thread thread_;
};

}  // namespace mailroom::net
