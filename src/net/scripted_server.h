// An HTTP server for tests that answers as it was told, and remembers what it was asked.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace mailroom::net {

// Serves one connection after the other, on 127.0.0.1; the kernel picks the port if it is 0.
class ScriptedServer {
public:
    // One per request, in order. An empty one closes the connection without a word; one without a
    // whole header leaves it cut off. When there are none left, connections are closed.
    explicit ScriptedServer(std::vector<std::string> answers, std::uint16_t port = 0);
    ~ScriptedServer();

    std::uint16_t port() const { return port_; }
    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    // Whole requests, headers and body, as they came.
    std::vector<std::string> requests() const;
    int connections() const { return connections_; }

    static std::string answer(int status, std::string_view body, std::string_view more_lines = "");

private:
    void run();
    void serve(int socket);
    // Empty when the client left.
    static std::string read_request(int socket);

    int listener_;
    std::uint16_t port_ = 0;
    std::atomic<int> connections_ = 0;
    std::atomic<bool> stopping_ = false;
    mutable std::mutex mutex_;
    std::deque<std::string> answers_;
    std::vector<std::string> requests_;
    std::thread thread_;
};

inline ScriptedServer::ScriptedServer(std::vector<std::string> answers, std::uint16_t port)
    : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)),
      answers_(answers.begin(), answers.end()) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const int reuse = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = sizeof address;
    [[maybe_unused]] const bool listening = ::bind(listener_, any, length) == 0 &&
                                            ::listen(listener_, 16) == 0 &&
                                            ::getsockname(listener_, any, &length) == 0;
    assert(listening);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
}

// The clients must have closed their connections.
inline ScriptedServer::~ScriptedServer() {
    stopping_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
}

inline std::vector<std::string> ScriptedServer::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

inline std::string ScriptedServer::answer(int status, std::string_view body,
                                          std::string_view more_lines) {
    return "HTTP/1.1 " + std::to_string(status) +
           " Said\r\nContent-Type: application/x-amz-json-1.0\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n" + std::string(more_lines) + "\r\n" +
           std::string(body);
}

inline void ScriptedServer::run() {
    while (!stopping_) {
        const int socket = ::accept(listener_, nullptr, nullptr);
        if (socket < 0) continue;
        ++connections_;
        serve(socket);
        ::close(socket);
    }
}

inline void ScriptedServer::serve(int socket) {
    for (;;) {
        auto request = read_request(socket);
        if (request.empty()) return;
        std::string answer;
        {
            const std::lock_guard lock(mutex_);
            requests_.push_back(std::move(request));
            if (answers_.empty()) return;
            answer = std::move(answers_.front());
            answers_.pop_front();
        }
        if (answer.empty()) return;
        ::send(socket, answer.data(), answer.size(), MSG_NOSIGNAL);
        if (answer.find("\r\n\r\n") == answer.npos) return;
    }
}

inline std::string ScriptedServer::read_request(int socket) {
    std::string text;
    std::size_t want = std::string::npos;
    while (text.size() < want) {
        char buffer[16 * 1024];
        const auto count = ::recv(socket, buffer, sizeof buffer, 0);
        if (count <= 0) return "";
        text.append(buffer, static_cast<std::size_t>(count));
        const auto end = text.find("\r\n\r\n");
        if (want != std::string::npos || end == std::string::npos) continue;
        const auto at = text.find("Content-Length: ");
        want = end + 4 + (at < end ? std::stoul(text.substr(at + 16, 20)) : 0);
    }
    return text;
}

}  // namespace mailroom::net
