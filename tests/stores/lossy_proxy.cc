#include "stores/lossy_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <optional>
#include <string_view>

namespace mailroom {

namespace {

constexpr std::uint64_t thousand = 1000;

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

int new_socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }

void answer_at_once(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

int connect_to(std::uint16_t port) {
    const int server = new_socket();
    const auto address = loopback(port);
    if (::connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(server);
        return -1;
    }
    answer_at_once(server);
    return server;
}

// Of the body, as the header says.
std::size_t content_length(std::string header) {
    std::ranges::transform(header, header.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    constexpr std::string_view name = "\r\ncontent-length:";
    const auto found = header.find(name);
    return found == header.npos ? 0 : std::stoul(header.substr(found + name.size()));
}

// A whole message, header and body; none if the peer left before its end.
std::optional<std::string> read_message(int socket) {
    constexpr std::string_view end = "\r\n\r\n";
    std::string text;
    std::size_t size = std::string::npos;
    while (text.size() < size) {
        char buffer[16 * 1024];
        const auto got = ::recv(socket, buffer, sizeof buffer, 0);
        if (got <= 0) return std::nullopt;
        text.append(buffer, static_cast<std::size_t>(got));
        const auto header = text.find(end);
        if (size == std::string::npos && header != text.npos) {
            size = header + end.size() + content_length(text.substr(0, header));
        }
    }
    return text;
}

bool write_all(int socket, std::string_view text) {
    while (!text.empty()) {
        const auto sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

}  // namespace

LossyProxy::LossyProxy(std::uint16_t server_port, std::uint64_t seed, Losses losses)
    : listener_(new_socket()), server_port_(server_port), random_(seed), losses_(losses) {
    auto address = loopback(0);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    socklen_t length = sizeof address;
    [[maybe_unused]] const bool listening = ::bind(listener_, any, length) == 0 &&
                                            ::listen(listener_, 64) == 0 &&
                                            ::getsockname(listener_, any, &length) == 0;
    assert(listening);
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept(); });
}

LossyProxy::~LossyProxy() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
    }
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    for (auto& connection : connections_) connection.join();
    ::close(listener_);
}

void LossyProxy::set(Losses losses) {
    const std::lock_guard lock(mutex_);
    losses_ = losses;
}

void LossyProxy::move_to(std::uint16_t server_port) {
    server_port_ = server_port;
    const std::lock_guard lock(mutex_);
    for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
}

void LossyProxy::accept() {
    for (;;) {
        const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        const std::lock_guard lock(mutex_);
        if (stopping_ || client < 0) {
            if (client >= 0) ::close(client);
            return;
        }
        answer_at_once(client);
        open_.insert(client);
        connections_.emplace_back([this, client] { serve(client); });
    }
}

void LossyProxy::serve(int client) {
    const int server = connect_to(server_port_);
    if (server >= 0) {
        {
            const std::lock_guard lock(mutex_);
            open_.insert(server);
        }
        while (pass_on(client, server)) {
        }
    }
    const std::lock_guard lock(mutex_);
    for (const int socket : {client, server}) {
        open_.erase(socket);
        if (socket >= 0) ::close(socket);
    }
}

// One request and its answer; whether the connection goes on.
bool LossyProxy::pass_on(int client, int server) {
    const auto request = read_message(client);
    if (!request) return false;
    const auto loss = draw();
    if (loss == Loss::request || !write_all(server, *request)) return false;
    const auto answer = read_message(server);
    if (!answer) return false;
    if (loss != Loss::none) ++answers_lost_;
    if (loss == Loss::answer) return false;
    const auto end = loss == Loss::half ? answer->size() / 2 : answer->size();
    return write_all(client, std::string_view(*answer).substr(0, end)) && loss == Loss::none;
}

LossyProxy::Loss LossyProxy::draw() {
    if (lose_next_answer_.exchange(false)) return Loss::answer;
    auto chance = static_cast<int>(random_up_to(random_, thousand - 1));
    const std::lock_guard lock(mutex_);
    const std::pair<int, Loss> losses[] = {{losses_.requests, Loss::request},
                                           {losses_.answers, Loss::answer},
                                           {losses_.halves, Loss::half}};
    for (const auto& [of_thousand, loss] : losses) {
        if (chance < of_thousand) return loss;
        chance -= of_thousand;
    }
    return Loss::none;
}

}  // namespace mailroom
