#include "api/io_thread.h"

#include "api/response_text.h"
#include "base/log.h"
#include "base/thread_name.h"
#include "base/time_format.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cassert>
#include <optional>
#include <utility>

namespace mailroom::api {
namespace {

// Large enough that a body of 16 MiB takes few reads, small enough to stay in the cache.
constexpr std::size_t input_bytes = 64 * 1024;
constexpr int events_per_round = 256;
// New connections per round, so that a flood of them does not starve those that are open.
constexpr int accepts_per_round_max = 64;
// Sessions whose answers are written together: enough to share the cost of waking a client, few
// enough that the first does not wait long for the last.
constexpr std::size_t flush_sessions_max = 32;

// Keys of descriptors that are not sessions; a session's key is its slot.
constexpr std::uint64_t mailbox_key = UINT64_MAX;
constexpr std::uint64_t timer_key = UINT64_MAX - 1;
constexpr std::uint64_t listener_key = UINT64_MAX - 2;

int make_timer(std::chrono::milliseconds interval) {
    const int timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    itimerspec spec = {};
    spec.it_interval.tv_sec = interval.count() / 1000;
    spec.it_interval.tv_nsec = interval.count() % 1000 * 1'000'000;
    spec.it_value = spec.it_interval;
    if (timer >= 0) ::timerfd_settime(timer, 0, &spec, nullptr);
    return timer;
}

void close_descriptor(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

}  // namespace

IoThread::IoThread(const Limits& limits, Handler& handler, const Clock& clock)
    : clock_(clock),
      context_{.limits = limits, .handler = handler, .mailbox = std::make_shared<Mailbox>()},
      epoll_(::epoll_create1(EPOLL_CLOEXEC)),
      timer_(make_timer(limits.sweep_interval)) {
    context_.date = format_http_date(clock.now());
    context_.input.resize(input_bytes);
}

IoThread::~IoThread() {
    assert(!thread_.joinable());
    context_.mailbox->close();
    listener_.reset();
    close_descriptor(timer_);
    close_descriptor(epoll_);
}

bool IoThread::ready() const {
    return epoll_ >= 0 && timer_ >= 0 && context_.mailbox->wake_descriptor() >= 0;
}

void IoThread::accept_from(net::Listener listener, std::function<void(Mailbox::Arrival)> arrived) {
    listener_.emplace(std::move(listener));
    arrived_ = std::move(arrived);
}

void IoThread::start(std::function<void()> ended) {
    ended_ = std::move(ended);
    thread_ = std::thread([this] { run(); });
}

void IoThread::join() {
    if (thread_.joinable()) thread_.join();
}

bool IoThread::watch(int descriptor, std::uint32_t events, std::uint64_t key) {
    epoll_event event = {};
    event.events = events;
    event.data.u64 = key;
    return ::epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) == 0;
}

void IoThread::run() {
    name_thread("http");
    context_.mailbox->set_owner(std::this_thread::get_id());
    watch(context_.mailbox->wake_descriptor(), EPOLLIN | EPOLLET, mailbox_key);
    watch(timer_, EPOLLIN, timer_key);
    if (listener_) watch(listener_->descriptor(), EPOLLIN, listener_key);

    epoll_event events[events_per_round];
    while (!finished()) {
        // An empty mailbox has promised to wake us.
        context_.mailbox->take(messages_);
        const bool may_sleep = messages_.empty() && turns_.empty();
        handle_messages();
        give_turns();
        flush_sessions();
        if (finished()) break;
        const int count = ::epoll_wait(epoll_, events, events_per_round, may_sleep ? -1 : 0);
        for (int i = 0; i < count; ++i) handle_event(events[i].data.u64, events[i].events);
        flush_sessions();
        release_closed();
    }
    close_all();
    ended_();
}

bool IoThread::finished() const {
    if (abandon_) return true;
    if (!context_.stopping) return false;
    for (const auto& session : sessions_) {
        if (session && session->has_request()) return false;
    }
    return true;
}

void IoThread::handle_event(std::uint64_t key, std::uint32_t events) {
    if (key == mailbox_key) return;
    if (key == timer_key) return sweep();
    if (key == listener_key) return accept_some();
    const auto slot = static_cast<std::uint32_t>(key);
    if (!sessions_[slot]) return;
    sessions_[slot]->on_event(events);
    after_work(slot);
}

void IoThread::handle_messages() {
    for (auto& arrival : messages_.arrivals) adopt(std::move(arrival));
    for (auto& [ticket, response] : messages_.answers) {
        if (ticket.slot >= sessions_.size() || !sessions_[ticket.slot]) continue;
        sessions_[ticket.slot]->on_answer(ticket, std::move(response));
        after_work(ticket.slot);
    }
    if (messages_.stop) begin_stop();
    if (messages_.abandon) abandon_ = true;
}

void IoThread::give_turns() {
    for (const auto slot : std::exchange(turns_, {})) {
        if (!sessions_[slot] || !sessions_[slot]->wants_turn()) continue;
        sessions_[slot]->on_turn();
        after_work(slot);
    }
}

// After a session did something: it may have closed, or want to go on later.
void IoThread::after_work(std::uint32_t slot) {
    auto& session = sessions_[slot];
    if (session->closed()) {
        session.reset();
        closed_slots_.push_back(slot);
        context_.counters.connections.fetch_sub(1, std::memory_order_relaxed);
        return;
    }
    if (session->wants_turn()) turns_.push_back(slot);
    if (!session->wants_flush()) return;
    flushes_.push_back(slot);
    if (flushes_.size() >= flush_sessions_max) flush_sessions();
}

void IoThread::flush_sessions() {
    flushing_.swap(flushes_);
    for (const auto slot : flushing_) {
        if (!sessions_[slot]) continue;
        sessions_[slot]->on_flush();
        after_work(slot);
    }
    flushing_.clear();
}

void IoThread::release_closed() {
    free_slots_.insert(free_slots_.end(), closed_slots_.begin(), closed_slots_.end());
    closed_slots_.clear();
}

void IoThread::accept_some() {
    for (int i = 0; i < accepts_per_round_max && accepting_ && listener_; ++i) {
        auto arrival = listener_->accept();
        if (!arrival) {
            log::warn("cannot accept connections for a moment",
                      {{"reason", arrival.error().message}});
            ::epoll_ctl(epoll_, EPOLL_CTL_DEL, listener_->descriptor(), nullptr);
            accepting_ = false;
            return;
        }
        if (!*arrival) return;
        arrived_({(*arrival)->socket, (*arrival)->address.text()});
    }
}

void IoThread::take_over(Mailbox::Arrival arrival) {
    const int socket = arrival.socket;
    context_.counters.connections.fetch_add(1, std::memory_order_relaxed);
    if (context_.mailbox->adopt(std::move(arrival))) return;
    context_.counters.connections.fetch_sub(1, std::memory_order_relaxed);
    ::close(socket);
}

bool IoThread::make_room() {
    std::optional<std::pair<Session::Silence, std::uint32_t>> longest;
    for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
        const auto silence = sessions_[slot] ? sessions_[slot]->silence() : std::nullopt;
        if (silence && (!longest || *silence < longest->first)) longest.emplace(*silence, slot);
    }
    if (!longest) return false;
    sessions_[longest->second]->close();
    after_work(longest->second);
    context_.counters.gave_way.fetch_add(1, std::memory_order_relaxed);
    return true;
}

void IoThread::turn_away(int socket) {
    auto response = context_.handler.refuse(503, "too many connections are open");
    response.headers.emplace_back("Retry-After", "1");
    std::string text;
    append_response(text, response, {.keep_alive = false, .date = context_.date});
    // One try: a client that cannot take a few hundred bytes gets none.
    [[maybe_unused]] const auto sent = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    ::shutdown(socket, SHUT_WR);
    ::close(socket);
    context_.counters.turned_away.fetch_add(1, std::memory_order_relaxed);
    context_.counters.connections.fetch_sub(1, std::memory_order_relaxed);
}

void IoThread::adopt(Mailbox::Arrival arrival) {
    if (arrival.needs_room && !make_room()) return turn_away(arrival.socket);
    if (free_slots_.empty()) {
        free_slots_.push_back(static_cast<std::uint32_t>(sessions_.size()));
        sessions_.emplace_back();
    }
    const auto slot = free_slots_.back();
    free_slots_.pop_back();

    sessions_[slot] =
        std::make_unique<Session>(context_, arrival.socket, slot, std::move(arrival.peer));
    const bool watched = watch(arrival.socket, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, slot);
    if (!watched || context_.stopping) sessions_[slot]->close();
    after_work(slot);
}

void IoThread::sweep() {
    std::uint64_t expirations = 0;
    if (::read(timer_, &expirations, sizeof expirations) != sizeof expirations) return;
    context_.tick += expirations;
    context_.date = format_http_date(clock_.now());
    if (!accepting_ && listener_) {
        accepting_ = watch(listener_->descriptor(), EPOLLIN, listener_key);
    }
    for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
        if (!sessions_[slot]) continue;
        sessions_[slot]->on_sweep();
        after_work(slot);
    }
}

void IoThread::begin_stop() {
    context_.stopping = true;
    listener_.reset();
    for (std::uint32_t slot = 0; slot < sessions_.size(); ++slot) {
        if (!sessions_[slot]) continue;
        sessions_[slot]->on_stop();
        after_work(slot);
    }
}

void IoThread::close_all() {
    context_.mailbox->close();
    for (auto& session : sessions_) {
        if (session && session->has_request()) ++abandoned_;
        session.reset();
    }
    listener_.reset();
    context_.counters.connections.store(0, std::memory_order_relaxed);
}

}  // namespace mailroom::api
