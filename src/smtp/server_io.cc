#include "smtp/server_io.h"

#include "base/log.h"
#include "base/thread_name.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <csignal>
#include <optional>
#include <utility>

namespace mailroom::smtp {
namespace {

// Large enough that big messages take few reads, small enough to stay in the cache.
constexpr std::size_t input_bytes = 64 * 1024;
// New connections per round, so that a flood of them does not starve those that are open.
constexpr int accepts_per_round_max = 64;

// What counts as one address: with IPv6, the network.
std::string network_key(const net::IpAddress& address) {
    if (address.is_v4()) return address.text();
    constexpr std::size_t network_bytes = 8;
    return {address.bytes().begin(), address.bytes().begin() + network_bytes};
}

}  // namespace

ServerIo::ServerIo(const ServerSettings& settings, const ServerTls& tls, net::Listener listener,
                   Receiver& receiver, const Clock& clock, Random& random)
    : settings_(settings),
      ids_(clock, random),
      budget_(settings.limits.memory_bytes_max, settings.limits.shared_memory),
      context_{.session = {settings, clock, ids_, budget_},
               .receiver = receiver,
               .queue = std::make_shared<WakingQueue>(),
               .tls = &tls},
      listener_(std::move(listener)) {
    context_.input.resize(input_bytes);
}

ServerIo::~ServerIo() {
    assert(!thread_.joinable());
    connections_.clear();
    context_.queue->close();
}

bool ServerIo::start() {
    const auto wake = context_.queue->wake_descriptor();
    if (!poller_.is_open() || wake < 0) return false;
    if (!poller_.watch(wake, EPOLLIN | EPOLLET, net::Poller::queue_key)) return false;
    if (!poller_.watch(listener_.descriptor(), EPOLLIN, net::Poller::listener_key)) return false;
    thread_ = std::thread([this] { run(); });
    return true;
}

std::size_t ServerIo::stop(std::chrono::milliseconds grace) {
    const std::lock_guard one_at_a_time(stop_mutex_);
    if (!thread_.joinable()) return 0;
    context_.queue->stop();
    {
        std::unique_lock lock(ended_mutex_);
        ended_condition_.wait_for(lock, grace, [this] { return ended_; });
    }
    context_.queue->abandon();
    thread_.join();
    return abandoned_;
}

void ServerIo::run() {
    name_thread("smtp server");
    // OpenSSL writes to sockets whose peer has left; that is an error of the write, no more.
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
    context_.queue->set_owner(std::this_thread::get_id());
    context_.now = std::chrono::steady_clock::now();
    next_sweep_ = context_.now + settings_.limits.sweep_interval;
    while (!finished()) {
        // An empty queue has promised to wake us.
        context_.queue->take(messages_);
        const bool sleeps = may_sleep();
        handle_queue();
        const auto events = poller_.wait(sleeps ? milliseconds_to_wait() : 0);
        context_.now = std::chrono::steady_clock::now();
        for (const auto& event : events) handle_event(event.data.u64, event.events);
        deliver_delayed();
        connections_.give_turns([this](std::uint32_t slot, ServerConnection& connection) {
            connection.on_turn();
            after_work(slot);
        });
        if (context_.now >= next_sweep_) sweep();
        connections_.end_round();
    }
    context_.queue->close();
    connections_.each([this](std::uint32_t, const ServerConnection& connection) {
        if (connection.has_message()) ++abandoned_;
    });
    connections_.clear();
    context_.counters.connections.store(0, std::memory_order_relaxed);
    listener_.close();
    const std::lock_guard lock(ended_mutex_);
    ended_ = true;
    ended_condition_.notify_all();
}

bool ServerIo::finished() const { return abandon_ || (stopping_ && connections_.open() == 0); }

int ServerIo::milliseconds_to_wait() const {
    auto until = next_sweep_;
    if (!context_.delayed.empty()) until = std::min(until, context_.delayed.begin()->first);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - context_.now).count();
    return static_cast<int>(std::max<std::int64_t>(left, 0));
}

void ServerIo::handle_event(std::uint64_t key, std::uint32_t events) {
    if (key == net::Poller::queue_key) return;
    if (key == net::Poller::listener_key) return accept_some();
    auto* connection = connections_.find(key);
    if (connection == nullptr) return;
    connection->on_event(events);
    after_work(static_cast<std::uint32_t>(key));
}

void ServerIo::handle_queue() {
    for (auto& delivery : messages_.answers) deliver(std::move(delivery));
    if (messages_.stop) begin_stop();
    if (messages_.abandon) abandon_ = true;
}

void ServerIo::deliver_delayed() {
    auto& delayed = context_.delayed;
    while (!delayed.empty() && delayed.begin()->first <= context_.now) {
        auto delivery = std::move(delayed.begin()->second);
        delayed.erase(delayed.begin());
        deliver(std::move(delivery));
    }
}

void ServerIo::deliver(WakingQueue::Delivery delivery) {
    const auto slot = delivery.ticket.slot;
    auto* connection = connections_.find(slot);
    if (connection == nullptr) return;
    connection->on_answer(std::move(delivery));
    after_work(slot);
}

// After a connection did something: it may have closed, or want to go on later.
void ServerIo::after_work(std::uint32_t slot) {
    if (!connections_.settle(slot)) return;
    context_.counters.connections.store(connections_.open(), std::memory_order_relaxed);
    const auto found = open_by_address_.find(address_keys_[slot]);
    if (--found->second == 0) open_by_address_.erase(found);
}

void ServerIo::accept_some() {
    for (int i = 0; i < accepts_per_round_max && accepting_ && listener_.is_open(); ++i) {
        const auto arrival = listener_.accept();
        if (!arrival) {
            log::warn("cannot accept SMTP connections for a moment",
                      {{"reason", arrival.error().message}});
            poller_.unwatch(listener_.descriptor());
            accepting_ = false;
            return;
        }
        if (!*arrival) return;
        adopt(**arrival);
    }
}

void ServerIo::turn_away(int socket, std::string_view reply) {
    add_one(context_.counters.turned_away);
    // A new socket has room for a line. With implicit TLS there is nobody to read it.
    if (settings_.tls != TlsPolicy::implicit) {
        [[maybe_unused]] const auto sent =
            ::send(socket, reply.data(), reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    ::close(socket);
}

// One that is silent gives way, of that address if one is named. False if none is.
bool ServerIo::make_room(const std::string* address_key) {
    const auto slot = connections_.most_silent([&](std::uint32_t candidate) {
        return address_key == nullptr || address_keys_[candidate] == *address_key;
    });
    if (!slot) return false;
    connections_.find(*slot)->give_way();
    after_work(*slot);
    return true;
}

void ServerIo::adopt(const net::Listener::Arrival& arrival) {
    const int socket = arrival.socket;
    auto key = network_key(arrival.address);
    const auto found = open_by_address_.find(key);
    const auto from_address = found == open_by_address_.end() ? 0 : found->second;
    if (from_address >= settings_.limits.connections_per_address_max && !make_room(&key)) {
        return turn_away(socket, "421 4.7.0 Too many connections from your address\r\n");
    }
    if (connections_.open() >= settings_.limits.connections_max && !make_room(nullptr)) {
        return turn_away(socket, "421 4.3.2 Too many connections, try again later\r\n");
    }
    ++open_by_address_[key];
    Peer peer{.address = arrival.address.text(), .port = arrival.port};
    const auto slot = connections_.add([&](std::uint32_t free_slot) {
        return std::make_unique<ServerConnection>(context_, socket, free_slot, std::move(peer));
    });
    if (slot >= address_keys_.size()) address_keys_.resize(slot + 1);
    address_keys_[slot] = std::move(key);
    auto& counters = context_.counters;
    counters.connections.store(connections_.open(), std::memory_order_relaxed);
    add_one(counters.accepted);

    auto& connection = *connections_.find(slot);
    const bool watched = poller_.watch(socket, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, slot);
    if (watched) connection.on_start();
    if (!watched) connection.close();
    after_work(slot);
}

void ServerIo::sweep() {
    next_sweep_ = context_.now + settings_.limits.sweep_interval;
    if (!accepting_ && listener_.is_open()) {
        accepting_ = poller_.watch(listener_.descriptor(), EPOLLIN, net::Poller::listener_key);
    }
    connections_.each([this](std::uint32_t slot, ServerConnection& connection) {
        connection.on_sweep();
        after_work(slot);
    });
}

void ServerIo::begin_stop() {
    if (std::exchange(stopping_, true)) return;
    listener_.close();
    connections_.each([this](std::uint32_t slot, ServerConnection& connection) {
        connection.on_stop();
        after_work(slot);
    });
}

}  // namespace mailroom::smtp
