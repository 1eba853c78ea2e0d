// A server for tests that takes every connection and never says a word.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::net {

// Every address of 127.0.0.0/8 is this machine, so that one of these is as many hosts as wanted.
class SilentServer {
public:
    // On all addresses of this machine, or on one.
    explicit SilentServer(const char* only = "0.0.0.0", std::uint16_t port = 0)
        : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        // Each connection is two files of a test.
        rlimit files{};
        ::getrlimit(RLIMIT_NOFILE, &files);
        files.rlim_cur = files.rlim_max;
        ::setrlimit(RLIMIT_NOFILE, &files);
        sockaddr_in address = {};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = ::inet_addr(only);
        address.sin_port = htons(port);
        auto* any = reinterpret_cast<sockaddr*>(&address);
        socklen_t length = sizeof address;
        [[maybe_unused]] const bool listening = ::bind(listener_, any, length) == 0 &&
                                                ::listen(listener_, 4096) == 0 &&
                                                ::getsockname(listener_, any, &length) == 0;
        assert(listening);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { run(); });
    }
    ~SilentServer() {
        stopping_ = true;
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
        for (const int socket : sockets_) ::close(socket);
    }
    SilentServer(const SilentServer&) = delete;
    SilentServer& operator=(const SilentServer&) = delete;

    std::uint16_t port() const { return port_; }
    // One of many hosts.
    static std::string host(std::size_t number) {
        return "127.1." + std::to_string(number / 250) + "." + std::to_string(number % 250 + 1);
    }
    std::string url(std::size_t number = 0) const {
        return "http://" + host(number) + ":" + std::to_string(port_);
    }
    // How many there ever were.
    std::size_t connections() const {
        const std::lock_guard lock(mutex_);
        return sockets_.size();
    }

private:
    void run() {
        while (!stopping_) {
            const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket < 0) continue;
            const std::lock_guard lock(mutex_);
            sockets_.push_back(socket);
        }
    }

    const int listener_;
    std::uint16_t port_ = 0;
    std::atomic<bool> stopping_ = false;
    mutable std::mutex mutex_;
    std::vector<int> sockets_;
    std::thread thread_;
};

}  // namespace mailroom::net
