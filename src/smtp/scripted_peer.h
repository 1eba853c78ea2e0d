// An SMTP server for tests that says and does what a test tells it to, and nothing else.
//
//   ScriptedPeer peer([](PeerConnection& client) {
//       client.say("220 hi\r\n");
//       client.hear();          // "EHLO …"
//       client.say("250 hi\r\n");
//   });
//   … peer.port() …           // The script runs for each connection, on a thread of its own.
#pragma once

#include "net/tls.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::smtp {

// One connection, seen from the server. Waits end after a few seconds, so that no test hangs.
class PeerConnection {
public:
    PeerConnection(int socket, int number) : socket_(socket), number_(number) {
        const int on = 1;
        ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    ~PeerConnection() {
        if (tls_ != nullptr) SSL_free(tls_);
        hang_up();
    }
    PeerConnection(const PeerConnection&) = delete;
    PeerConnection& operator=(const PeerConnection&) = delete;

    int number() const { return number_; }  // 0 for the first connection.

    void say(std::string_view text) {
        while (!text.empty() && socket_ >= 0) {
            const auto count = tls_ != nullptr
                                   ? SSL_write(tls_, text.data(), static_cast<int>(text.size()))
                                   : ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
            if (count <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    // A line without its CR LF. Empty when the client has left.
    std::string hear() {
        for (;;) {
            const auto end = input_.find("\r\n");
            if (end != input_.npos) {
                auto line = input_.substr(0, end);
                input_.erase(0, end + 2);
                heard_.push_back(line);
                return line;
            }
            if (!read_some()) return "";
        }
    }

    // A message up to and without its final dot. Empty when the client has left before.
    std::string hear_message() {
        for (;;) {
            if (input_.starts_with(".\r\n")) {
                input_.erase(0, 3);
                return "";
            }
            const auto end = input_.find("\r\n.\r\n");
            if (end != input_.npos) {
                auto text = input_.substr(0, end + 2);
                input_.erase(0, end + 5);
                return text;
            }
            if (!read_some()) return "";
        }
    }

    // `count` bytes, or fewer if the client leaves.
    std::string hear_bytes(std::size_t count) {
        while (input_.size() < count && read_some()) continue;
        auto bytes = input_.substr(0, count);
        input_.erase(0, bytes.size());
        return bytes;
    }

    // All that comes until the client leaves.
    std::string hear_rest() {
        while (read_some()) continue;
        return std::exchange(input_, {});
    }

    // Waits until the client has closed its end, without reading anything.
    void wait_for_leaving() {
        pollfd entry{socket_, POLLRDHUP, 0};
        ::poll(&entry, 1, wait_ms_max);
    }

    bool start_tls(const net::TlsServerContext& context) {
        tls_ = SSL_new(context.native());
        SSL_set_fd(tls_, socket_);
        return SSL_accept(tls_) == 1;
    }

    void hang_up() {
        if (socket_ >= 0) ::close(socket_);
        socket_ = -1;
    }
    // The client gets "connection reset by peer".
    void slam() {
        const linger now{1, 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
        hang_up();
    }

    const std::vector<std::string>& heard() const { return heard_; }

private:
    static constexpr int wait_ms_max = 10'000;

    bool read_some() {
        if (socket_ < 0) return false;
        pollfd entry{socket_, POLLIN, 0};
        if ((tls_ == nullptr || SSL_pending(tls_) == 0) && ::poll(&entry, 1, wait_ms_max) <= 0) {
            return false;
        }
        char bytes[65536];
        const auto count = tls_ != nullptr ? SSL_read(tls_, bytes, sizeof bytes)
                                           : ::recv(socket_, bytes, sizeof bytes, 0);
        if (count <= 0) return false;
        input_.append(bytes, static_cast<std::size_t>(count));
        return true;
    }

    int socket_;
    int number_;
    SSL* tls_ = nullptr;
    std::string input_;
    std::vector<std::string> heard_;
};

// How serve() behaves. Each word is what it says, or: "hang up", "slam", "stall" (say nothing until
// the client leaves).
struct Manners {
    std::string greeting = "220 peer.example ready\r\n";
    std::string hello =
        "250-peer.example\r\n250-PIPELINING\r\n250-SIZE 10000000\r\n250 8BITMIME\r\n";
    // By how the command starts; the longest start that fits counts. "." is the end of a message.
    std::map<std::string, std::string> replies = {};
};

// One client, until it leaves: as a server should, except where `manners` say otherwise. Returns
// the messages taken.
inline std::vector<std::string> serve(PeerConnection& client, const Manners& manners) {
    std::vector<std::string> messages;
    const auto answer = [&](const std::string& command, std::string reply) {
        std::size_t longest = 0;
        for (const auto& [start, words] : manners.replies) {
            if (!command.starts_with(start) || start.size() < longest) continue;
            longest = start.size();
            reply = words;
        }
        if (reply == "hang up") {
            client.hang_up();
        } else if (reply == "slam") {
            client.slam();
        } else if (reply == "stall") {
            client.wait_for_leaving();
            client.hang_up();
        } else {
            client.say(reply);
        }
        return reply;
    };
    answer("greeting", manners.greeting);
    for (;;) {
        const auto command = client.hear();
        if (command.empty()) return messages;
        const bool hello = command.starts_with("EHLO") || command.starts_with("HELO");
        const bool data = command == "DATA";
        const auto usual = hello ? manners.hello : data ? "354 go on\r\n" : "250 2.0.0 Ok\r\n";
        const auto reply = answer(command, usual);
        if (command == "QUIT") return messages;
        if (!data || !reply.starts_with("354")) continue;
        messages.push_back(client.hear_message());
        answer(".", "250 2.0.0 taken\r\n");
    }
}

class ScriptedPeer {
public:
    using Script = std::function<void(PeerConnection&)>;

    // `receive_buffer_bytes` of 0 leaves it to the system.
    explicit ScriptedPeer(Script script, int receive_buffer_bytes = 0)
        : script_(std::move(script)), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        if (receive_buffer_bytes > 0) {
            ::setsockopt(listener_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes,
                         sizeof receive_buffer_bytes);
        }
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        auto* raw = reinterpret_cast<sockaddr*>(&address);
        socklen_t length = sizeof address;
        const bool listens = ::bind(listener_, raw, length) == 0 && ::listen(listener_, 64) == 0;
        assert(listens);
        static_cast<void>(listens);
        ::getsockname(listener_, raw, &length);
        port_ = ntohs(address.sin_port);
        acceptor_ = std::thread([this] { accept_all(); });
    }
    ~ScriptedPeer() { finish(); }
    ScriptedPeer(const ScriptedPeer&) = delete;
    ScriptedPeer& operator=(const ScriptedPeer&) = delete;

    // Takes no more connections, and waits until the scripts of all have ended.
    void finish() {
        if (!acceptor_.joinable()) return;
        ::shutdown(listener_, SHUT_RDWR);
        acceptor_.join();
        ::close(listener_);
        for (auto& thread : threads_) thread.join();
    }

    std::uint16_t port() const { return port_; }
    int connections() const { return connections_; }
    // The lines of all connections whose script has ended, one connection after the other.
    std::vector<std::string> heard() {
        const std::lock_guard lock(mutex_);
        return heard_;
    }

private:
    void accept_all() {
        for (;;) {
            const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket < 0) return;
            const int number = connections_++;
            threads_.emplace_back([this, socket, number] { run(socket, number); });
        }
    }
    void run(int socket, int number) {
        PeerConnection connection(socket, number);
        script_(connection);
        const std::lock_guard lock(mutex_);
        heard_.insert(heard_.end(), connection.heard().begin(), connection.heard().end());
    }

    Script script_;
    int listener_;
    std::uint16_t port_ = 0;
    std::atomic<int> connections_ = 0;
    std::mutex mutex_;
    std::vector<std::string> heard_;
    std::thread acceptor_;
    std::vector<std::thread> threads_;
};

}  // namespace mailroom::smtp
