#include "smtp/server_io.h"

#include "base/log.h"
#include "base/thread_name.h"

#include <sys/epoll.h>
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
constexpr int events_per_round = 256;
// New connections per round, so that a flood of them does not starve those that are open.
constexpr int accepts_per_round_max = 64;

// Keys of descriptors that are not connections; a connection's key is its slot.
constexpr std::uint64_t mailbox_key = UINT64_MAX;
constexpr std::uint64_t listener_key = UINT64_MAX - 1;

// What counts as one address: with IPv6, the network.
std::string network_key(const net::IpAddress& address) {
    if (address.is_v4()) return address.text();
    constexpr std::size_t network_bytes = 8;
    return {address.bytes().begin(), address.bytes().begin() + network_bytes};
}

void close_descriptor(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

}  // namespace

ServerIo::ServerIo(const ServerSettings& settings, const ServerTls& tls, net::Listener listener,
                   Receiver& receiver, const Clock& clock, Random& random)
    : settings_(settings),
      ids_(clock, random),
      budget_(settings.limits.memory_bytes_max, settings.limits.shared_memory),
      context_{.session = {settings, clock, ids_, budget_},
               .receiver = receiver,
               .mailbox = std::make_shared<ServerMailbox>(),
               .tls = &tls},
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      listener_(std::move(listener)) {
    context_.input.resize(input_bytes);
}

ServerIo::~ServerIo() {
    assert(!thread_.joinable());
    slots_.clear();
    context_.mailbox->close();
    close_descriptor(epoll_);
}

bool ServerIo::watch(int descriptor, std::uint32_t events, std::uint64_t key) {
    epoll_event event = {};
    event.events = events;
    event.data.u64 = key;
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

bool ServerIo::start() {
    if (epoll_ < 0 || context_.mailbox->wake_descriptor() < 0) return false;
    if (!watch(context_.mailbox->wake_descriptor(), EPOLLIN, mailbox_key)) return false;
    if (!watch(listener_.descriptor(), EPOLLIN, listener_key)) return false;
    thread_ = std::thread([this] { run(); });
    return true;
}

std::size_t ServerIo::stop(std::chrono::milliseconds grace) {
    const std::lock_guard one_at_a_time(stop_mutex_);
    if (!thread_.joinable()) return 0;
    context_.mailbox->stop();
    {
        std::unique_lock lock(ended_mutex_);
        ended_condition_.wait_for(lock, grace, [this] { return ended_; });
    }
    context_.mailbox->abandon();
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
    context_.mailbox->set_owner(std::this_thread::get_id());
    context_.now = std::chrono::steady_clock::now();
    next_sweep_ = context_.now + settings_.limits.sweep_interval;
    epoll_event events[events_per_round];
    while (!finished()) {
        const int count = ::epoll_wait(epoll_, events, events_per_round, milliseconds_to_wait());
        context_.now = std::chrono::steady_clock::now();
        for (int i = 0; i < count; ++i) handle_event(events[i].data.u64, events[i].events);
        deliver_delayed();
        give_turns();
        if (context_.now >= next_sweep_) sweep();
        free_slots_.insert(free_slots_.end(), closed_slots_.begin(), closed_slots_.end());
        closed_slots_.clear();
    }
    context_.mailbox->close();
    for (auto& slot : slots_) {
        if (slot.connection && slot.connection->has_message()) ++abandoned_;
        slot.connection.reset();
    }
    context_.counters.connections.store(0, std::memory_order_relaxed);
    listener_.close();
    const std::lock_guard lock(ended_mutex_);
    ended_ = true;
    ended_condition_.notify_all();
}

bool ServerIo::finished() const { return abandon_ || (stopping_ && open_ == 0); }

int ServerIo::milliseconds_to_wait() const {
    if (!turns_.empty()) return 0;
    auto until = next_sweep_;
    if (!context_.delayed.empty()) until = std::min(until, context_.delayed.begin()->first);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - context_.now).count();
    return static_cast<int>(std::max<std::int64_t>(left, 0));
}

void ServerIo::handle_event(std::uint64_t key, std::uint32_t events) {
    if (key == mailbox_key) return handle_mailbox();
    if (key == listener_key) return accept_some();
    const auto slot = static_cast<std::uint32_t>(key);
    if (!slots_[slot].connection) return;
    slots_[slot].connection->on_event(events);
    after_work(slot);
}

void ServerIo::handle_mailbox() {
    auto contents = context_.mailbox->take();
    for (auto& delivery : contents.answers) {
        const auto slot = delivery.ticket.slot;
        if (!slots_[slot].connection) continue;
        slots_[slot].connection->on_answer(std::move(delivery));
        after_work(slot);
    }
    if (contents.stop) begin_stop();
    if (contents.abandon) abandon_ = true;
}

void ServerIo::deliver_delayed() {
    auto& delayed = context_.delayed;
    while (!delayed.empty() && delayed.begin()->first <= context_.now) {
        auto delivery = std::move(delayed.begin()->second);
        delayed.erase(delayed.begin());
        const auto slot = delivery.ticket.slot;
        if (!slots_[slot].connection) continue;
        slots_[slot].connection->on_answer(std::move(delivery));
        after_work(slot);
    }
}

void ServerIo::give_turns() {
    for (const auto slot : std::exchange(turns_, {})) {
        if (!slots_[slot].connection || !slots_[slot].connection->wants_turn()) continue;
        slots_[slot].connection->on_turn();
        after_work(slot);
    }
}

// After a connection did something: it may have closed, or want to go on later.
void ServerIo::after_work(std::uint32_t slot) {
    auto& [connection, address_key] = slots_[slot];
    if (!connection->closed()) {
        if (connection->wants_turn()) turns_.push_back(slot);
        return;
    }
    connection.reset();
    closed_slots_.push_back(slot);
    --open_;
    context_.counters.connections.store(open_, std::memory_order_relaxed);
    const auto found = open_by_address_.find(address_key);
    if (--found->second == 0) open_by_address_.erase(found);
}

void ServerIo::accept_some() {
    for (int i = 0; i < accepts_per_round_max && accepting_ && listener_.is_open(); ++i) {
        const auto arrival = listener_.accept();
        if (!arrival) {
            log::warn("cannot accept SMTP connections for a moment",
                      {{"reason", arrival.error().message}});
            ::epoll_ctl(epoll_, EPOLL_CTL_DEL, listener_.descriptor(), nullptr);
            accepting_ = false;
            return;
        }
        if (!*arrival) return;
        adopt(**arrival);
    }
}

void ServerIo::turn_away(int socket, std::string_view reply) {
    auto& counter = context_.counters.turned_away;
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    // A new socket has room for a line. With implicit TLS there is nobody to read it.
    if (settings_.tls != TlsPolicy::implicit) {
        [[maybe_unused]] const auto sent =
            ::send(socket, reply.data(), reply.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    ::close(socket);
}

// One that is silent gives way, of that address if one is named. False if none is.
bool ServerIo::make_room(const std::string* address_key) {
    std::optional<std::pair<ServerConnection::Silence, std::uint32_t>> longest;
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
        const auto& [connection, key] = slots_[slot];
        if (!connection || (address_key != nullptr && key != *address_key)) continue;
        const auto silence = connection->silence();
        if (silence && (!longest || *silence < longest->first)) longest.emplace(*silence, slot);
    }
    if (!longest) return false;
    slots_[longest->second].connection->give_way();
    after_work(longest->second);
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
    if (open_ >= settings_.limits.connections_max && !make_room(nullptr)) {
        return turn_away(socket, "421 4.3.2 Too many connections, try again later\r\n");
    }
    ++open_by_address_[key];
    ++open_;
    auto& counters = context_.counters;
    counters.connections.store(open_, std::memory_order_relaxed);
    counters.accepted.store(counters.accepted.load(std::memory_order_relaxed) + 1,
                            std::memory_order_relaxed);
    if (free_slots_.empty()) {
        free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
        slots_.emplace_back();
    }
    const auto slot = free_slots_.back();
    free_slots_.pop_back();

    Peer peer{.address = arrival.address.text(), .port = arrival.port};
    slots_[slot] = {std::make_unique<ServerConnection>(context_, socket, slot, std::move(peer)),
                    std::move(key)};
    const bool watched = watch(socket, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, slot);
    if (watched) slots_[slot].connection->on_start();
    if (!watched) slots_[slot].connection->close();
    after_work(slot);
}

void ServerIo::sweep() {
    next_sweep_ = context_.now + settings_.limits.sweep_interval;
    if (!accepting_ && listener_.is_open())
        accepting_ = watch(listener_.descriptor(), EPOLLIN, listener_key);
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
        if (!slots_[slot].connection) continue;
        slots_[slot].connection->on_sweep();
        after_work(slot);
    }
}

void ServerIo::begin_stop() {
    if (std::exchange(stopping_, true)) return;
    listener_.close();
    for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
        if (!slots_[slot].connection) continue;
        slots_[slot].connection->on_stop();
        after_work(slot);
    }
}

}  // namespace mailroom::smtp
