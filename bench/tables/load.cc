#include "load.h"

#include "file_descriptor.h"
#include "reply_reader.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <vector>

namespace mailroom::bench {

namespace {

using Steady = std::chrono::steady_clock;

constexpr int silence_ms_max = 30'000;  // Longer than any pause of a server that still works.
constexpr std::uint64_t accept_interval = 64;  // Every 64th answer: under 2 % of the receive cost.
constexpr std::size_t error_sample_bytes_max = 400;
constexpr std::size_t events_max = 64;  // As many as there are connections in the largest run.

Error system_error(std::string_view what) {
    return Error{Errc::unavailable, std::string(what) + ": " + std::strerror(errno)};
}

struct Connection {
    FileDescriptor socket;
    std::string request;
    std::size_t sent_bytes = 0;
    bool waits_to_send = false;
    ReplyReader reply;
    Steady::time_point started;
    std::uint64_t answers = 0;
};

Result<FileDescriptor> connect_to(Endpoint endpoint) {
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.is_open()) return system_error("socket");

    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(endpoint.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket.number(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        return system_error("connect to port " + std::to_string(endpoint.port));
    }
    const int on = 1;
    ::setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const int flags = ::fcntl(socket.number(), F_GETFL);
    if (::fcntl(socket.number(), F_SETFL, flags | O_NONBLOCK) != 0) return system_error("fcntl");
    return socket;
}

double thread_cpu_seconds() {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

double seconds_between(Steady::time_point from, Steady::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

class LoadRun {
public:
    explicit LoadRun(const LoadPlan& plan) : plan_(plan), connections_(plan.connections) {}

    Result<LoadResult> run(Endpoint endpoint);

private:
    Result<> open(Endpoint endpoint);
    Result<> handle(Connection& connection, std::uint32_t events);
    Result<> start_next(Connection& connection, Steady::time_point now);
    Result<> send_rest(Connection& connection);
    Result<> receive(Connection& connection);
    Result<> finish(Connection& connection);
    void count_errors(const Connection& connection);
    Result<> watch(Connection& connection, int operation, std::uint32_t events);

    const LoadPlan& plan_;
    std::vector<Connection> connections_;
    FileDescriptor epoll_;
    std::size_t in_flight_ = 0;
    Steady::time_point counting_from_;
    Steady::time_point deadline_;
    Steady::time_point last_answer_;
    LoadResult result_;
};

Result<LoadResult> LoadRun::run(Endpoint endpoint) {
    TRY(open(endpoint));

    const auto cpu_at_start = thread_cpu_seconds();
    const auto start = Steady::now();
    result_.started = start;
    counting_from_ = start + plan_.warm_up;
    deadline_ = counting_from_ + plan_.measured;
    last_answer_ = start;
    for (auto& connection : connections_) TRY(start_next(connection, start));

    std::array<epoll_event, events_max> events;
    while (in_flight_ > 0) {
        const int ready = ::epoll_wait(epoll_.number(), events.data(), events_max, silence_ms_max);
        if (ready < 0 && errno == EINTR) continue;
        if (ready < 0) return system_error("epoll_wait");
        if (ready == 0) return Error{Errc::unavailable, "no answer for 30 s"};
        for (int i = 0; i < ready; ++i) {
            auto& event = events[static_cast<std::size_t>(i)];
            TRY(handle(*static_cast<Connection*>(event.data.ptr), event.events));
        }
    }
    const auto end = std::min(deadline_, last_answer_);
    if (end > counting_from_) result_.measured_seconds = seconds_between(counting_from_, end);
    result_.generator_busy =
        (thread_cpu_seconds() - cpu_at_start) / seconds_between(start, Steady::now());
    return std::move(result_);
}

Result<> LoadRun::open(Endpoint endpoint) {
    epoll_ = FileDescriptor(::epoll_create1(EPOLL_CLOEXEC));
    if (!epoll_.is_open()) return system_error("epoll_create1");
    for (auto& connection : connections_) {
        connection.socket = TRY(connect_to(endpoint));
        TRY(watch(connection, EPOLL_CTL_ADD, EPOLLIN));
    }
    return Ok{};
}

Result<> LoadRun::watch(Connection& connection, int operation, std::uint32_t events) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = &connection;
    if (::epoll_ctl(epoll_.number(), operation, connection.socket.number(), &event) != 0) {
        return system_error("epoll_ctl");
    }
    return Ok{};
}

Result<> LoadRun::handle(Connection& connection, std::uint32_t events) {
    if (events & EPOLLOUT) TRY(send_rest(connection));
    if (events & ~std::uint32_t{EPOLLOUT}) TRY(receive(connection));
    return Ok{};
}

Result<> LoadRun::start_next(Connection& connection, Steady::time_point now) {
    if (now >= deadline_ || result_.requests >= plan_.requests_max) return Ok{};
    plan_.render(connection.request);
    connection.sent_bytes = 0;
    connection.started = now;
    ++in_flight_;
    ++result_.requests;
    return send_rest(connection);
}

Result<> LoadRun::send_rest(Connection& connection) {
    const auto& request = connection.request;
    while (connection.sent_bytes < request.size()) {
        const auto sent = ::send(connection.socket.number(), request.data() + connection.sent_bytes,
                                 request.size() - connection.sent_bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && errno != EAGAIN) return system_error("send");
        if (sent < 0) {
            if (!connection.waits_to_send)
                TRY(watch(connection, EPOLL_CTL_MOD, EPOLLIN | EPOLLOUT));
            connection.waits_to_send = true;
            return Ok{};
        }
        connection.sent_bytes += static_cast<std::size_t>(sent);
    }
    if (connection.waits_to_send) TRY(watch(connection, EPOLL_CTL_MOD, EPOLLIN));
    connection.waits_to_send = false;
    return Ok{};
}

Result<> LoadRun::receive(Connection& connection) {
    const auto space = connection.reply.space();
    const auto got = ::recv(connection.socket.number(), space.data(), space.size(), 0);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return Ok{};
    if (got < 0) return system_error("recv");
    if (got == 0) return Error{Errc::unavailable, "the server closed a connection"};

    switch (connection.reply.received(static_cast<std::size_t>(got))) {
        case ReplyReader::State::incomplete:
            return Ok{};
        case ReplyReader::State::complete:
            return finish(connection);
        case ReplyReader::State::broken:
            break;
    }
    const auto text = connection.reply.text().substr(0, error_sample_bytes_max);
    return Error{Errc::unavailable, "cannot read the reply: " + std::string(text)};
}

Result<> LoadRun::finish(Connection& connection) {
    const auto now = Steady::now();
    last_answer_ = now;
    if (now >= counting_from_ && now < deadline_) result_.latency.add(now - connection.started);
    count_errors(connection);
    ++connection.answers;
    connection.reply.reset();
    --in_flight_;
    return start_next(connection, now);
}

void LoadRun::count_errors(const Connection& connection) {
    const auto& reply = connection.reply;
    const bool looked_at = connection.answers % accept_interval == 0;
    if (reply.status() == plan_.status && (!looked_at || plan_.accept(reply.body()))) return;
    if (result_.errors++ > 0) return;
    result_.error_sample = std::to_string(reply.status()) + " " +
                           std::string(reply.body().substr(0, error_sample_bytes_max));
}

}  // namespace

Result<LoadResult> run_load(Endpoint endpoint, const LoadPlan& plan) {
    assert(plan.connections > 0);
    return LoadRun(plan).run(endpoint);
}

Result<std::string> call(Endpoint endpoint, std::string request) {
    std::string answer;
    LoadPlan plan;
    plan.measured = std::chrono::milliseconds(silence_ms_max);
    plan.requests_max = 1;
    plan.render = [&](std::string& bytes) { bytes = request; };
    plan.accept = [&](std::string_view body) {
        answer = body;
        return true;
    };
    const auto result = TRY(run_load(endpoint, plan));
    if (result.errors > 0) return Error{Errc::invalid, result.error_sample};
    return answer;
}

}  // namespace mailroom::bench
