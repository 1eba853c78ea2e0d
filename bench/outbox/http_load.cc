// http_load PORT CONNECTIONS REQUESTS STATUS < REQUEST
//
// Sends the same HTTP request many times over kept connections to 127.0.0.1, one in flight on each,
// from one thread, and prints one line of JSON: what was sent, how long it took, when the first
// request left (seconds of CLOCK_MONOTONIC), and how busy this program was. An answer with another
// status than STATUS is counted and the first one shown.
//
// REQUEST is whole, head and body. A run of bytes 0x01 in it becomes a number that no other place
// has, of as many digits as the run has bytes: so every mail has a recipient of its own.
#include "file_descriptor.h"
#include "reply_reader.h"
#include "request_template.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::bench {

namespace {

constexpr int silence_ms_max = 30'000;  // Longer than any pause of a server that still works.
constexpr std::size_t events_max = 64;  // As many as there are connections in the largest run.
constexpr std::uint32_t connections_max = 1024;     // The usual limit of open files.
constexpr std::uint32_t requests_max = 10'000'000;  // Hours, for every server measured here.
constexpr std::size_t request_bytes_max = 64 * 1024 * 1024;  // Many times a batch of 100 mails.
constexpr std::size_t error_sample_bytes_max = 400;

struct Plan {
    std::uint16_t port = 0;
    std::uint32_t connections = 0;
    std::uint32_t requests = 0;
    int status = 0;
};

struct Connection {
    FileDescriptor socket;
    std::string request;
    std::size_t sent_bytes = 0;
    bool waits_to_send = false;
    ReplyReader reply;
};

[[noreturn]] void fail(std::string_view why) {
    fmt::print(stderr, "http_load: {}\n", why);
    std::exit(1);
}

[[noreturn]] void fail_with_errno(std::string_view what) {
    fail(fmt::format("{}: {}", what, std::strerror(errno)));
}

double seconds_of(clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

FileDescriptor connect_to(std::uint16_t port) {
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (!socket.is_open() ||
        ::connect(socket.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        fail_with_errno("connect");
    }
    const int on = 1;
    ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::fcntl(socket.number(), F_SETFL, O_NONBLOCK) != 0) fail_with_errno("fcntl");
    return socket;
}

class Load {
public:
    Load(const Plan& plan, std::string request)
        : plan_(plan), request_(std::move(request)), connections_(plan.connections) {}

    // Returns when every request was answered; ends the program when a connection breaks.
    void run();
    void print() const;

    bool good() const { return errors_ == 0; }

private:
    void open();
    void start_next(Connection& connection);
    void send_rest(Connection& connection);
    void receive(Connection& connection);
    void finish(Connection& connection);
    void watch(Connection& connection, int operation, std::uint32_t events);

    const Plan plan_;
    const RequestTemplate request_;
    std::vector<Connection> connections_;
    FileDescriptor epoll_;
    std::uint64_t number_ = 0;
    std::uint32_t sent_ = 0;
    std::uint32_t answered_ = 0;
    std::uint32_t errors_ = 0;
    std::string error_sample_;
    double started_ = 0;
    double seconds_ = 0;
    double busy_ = 0;
};

void Load::run() {
    open();
    const auto processor_before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    started_ = seconds_of(CLOCK_MONOTONIC);
    for (auto& connection : connections_) start_next(connection);

    std::array<epoll_event, events_max> events;
    while (answered_ < sent_) {
        const int ready = ::epoll_wait(epoll_.number(), events.data(), events_max, silence_ms_max);
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) fail_with_errno("epoll_wait");
        if (ready == 0) fail("no answer for 30 s");
        for (int i = 0; i < ready; ++i) {
            const auto& event = events[static_cast<std::size_t>(i)];
            auto& connection = *static_cast<Connection*>(event.data.ptr);
            if (event.events & EPOLLOUT) send_rest(connection);
            if (event.events & ~std::uint32_t{EPOLLOUT}) receive(connection);
        }
    }
    seconds_ = seconds_of(CLOCK_MONOTONIC) - started_;
    busy_ = (seconds_of(CLOCK_THREAD_CPUTIME_ID) - processor_before) / seconds_;
}

void Load::open() {
    epoll_ = FileDescriptor(::epoll_create1(EPOLL_CLOEXEC));
    if (!epoll_.is_open()) fail_with_errno("epoll_create1");
    for (auto& connection : connections_) {
        connection.socket = connect_to(plan_.port);
        watch(connection, EPOLL_CTL_ADD, EPOLLIN);
    }
}

void Load::watch(Connection& connection, int operation, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = &connection;
    if (::epoll_ctl(epoll_.number(), operation, connection.socket.number(), &event) != 0) {
        fail_with_errno("epoll_ctl");
    }
}

void Load::start_next(Connection& connection) {
    if (sent_ == plan_.requests) return;
    request_.render(connection.request, [this](Field) { return number_++; });
    connection.sent_bytes = 0;
    ++sent_;
    send_rest(connection);
}

void Load::send_rest(Connection& connection) {
    const auto& request = connection.request;
    while (connection.sent_bytes < request.size()) {
        const auto sent = ::send(connection.socket.number(), request.data() + connection.sent_bytes,
                                 request.size() - connection.sent_bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno != EAGAIN) fail_with_errno("send");
        if (sent < 0) {
            if (!connection.waits_to_send) watch(connection, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT);
            connection.waits_to_send = true;
            return;
        }
        connection.sent_bytes += static_cast<std::size_t>(sent);
    }
    if (connection.waits_to_send) watch(connection, EPOLL_CTL_MOD, EPOLLIN);
    connection.waits_to_send = false;
}

void Load::receive(Connection& connection) {
    const auto space = connection.reply.space();
    const auto got = ::recv(connection.socket.number(), space.data(), space.size(), 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (got < 0) fail_with_errno("recv");
    if (got == 0) fail("the server closed a connection");
    switch (connection.reply.received(static_cast<std::size_t>(got))) {
        case ReplyReader::State::incomplete:
            return;
        case ReplyReader::State::complete:
            return finish(connection);
        case ReplyReader::State::broken:
            fail(connection.reply.text().substr(0, error_sample_bytes_max));
    }
}

void Load::finish(Connection& connection) {
    const auto& reply = connection.reply;
    if (reply.status() != plan_.status && errors_++ == 0) {
        const auto body = reply.body().substr(0, error_sample_bytes_max);
        error_sample_ = fmt::format("{} {}", reply.status(), body);
    }
    connection.reply.reset();
    ++answered_;
    start_next(connection);
}

void Load::print() const {
    if (errors_ > 0) fmt::print(stderr, "http_load: {} errors: {}\n", errors_, error_sample_);
    fmt::print(R"({{"requests":{},"errors":{},"seconds":{:.6f},"started":{:.6f},"busy":{:.3f}}})",
               answered_, errors_, seconds_, started_, busy_);
    fmt::print("\n");
}

template <class Number>
Number argument(std::string_view name, std::string_view text, Number max) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || number < 1 || number > max) {
        fail(fmt::format("{} must be a number from 1 to {}", name, max));
    }
    return number;
}

std::string read_request() {
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    if (text.empty() || text.size() > request_bytes_max) fail("a request must be on stdin");
    return text;
}

}  // namespace

}  // namespace mailroom::bench

int main(int count, char** arguments) {
    using namespace mailroom::bench;
    if (count != 5) fail("usage: http_load PORT CONNECTIONS REQUESTS STATUS < REQUEST");
    Plan plan;
    plan.port = argument<std::uint16_t>("PORT", arguments[1], 65535);
    plan.connections = argument("CONNECTIONS", arguments[2], connections_max);
    plan.requests = argument("REQUESTS", arguments[3], requests_max);
    plan.status = argument("STATUS", arguments[4], 599);
    Load load(plan, read_request());
    load.run();
    load.print();
    return load.good() ? 0 : 1;
}
