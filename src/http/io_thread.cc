#include "http/io_thread.h"

#include "base/log.h"
#include "base/thread_name.h"
#include "base/time_format.h"
#include "http/response_text.h"

#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cassert>
#include <optional>
#include <utility>

namespace mailroom::http {
namespace {

// Large enough that a body of 16 MiB takes few reads, small enough to stay in the cache.
constexpr std::size_t input_bytes = 64 * 1024;
// New connections per round, so that a flood of them does not starve those that are open.
constexpr int accepts_per_round_max = 64;
// Sessions whose answers are written together: enough to share the cost of waking a client, few
// enough that the first does not wait long for the last.
constexpr std::size_t flush_sessions_max = 32;

int make_timer(std::chrono::milliseconds interval) {
    const int timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    itimerspec spec = {};
    spec.it_interval.tv_sec = interval.count() / 1000;
    spec.it_interval.tv_nsec = interval.count() % 1000 * 1'000'000;
    spec.it_value = spec.it_interval;
    if (timer >= 0) ::timerfd_settime(timer, 0, &spec, nullptr);
    return timer;
}

}  // namespace

IoThread::IoThread(const Limits& limits, Handler& handler, const Clock& clock)
    : clock_(clock),
      context_{.limits = limits, .handler = handler, .queue = std::make_shared<WakingQueue>()},
      timer_(make_timer(limits.sweep_interval)) {
    context_.date = format_http_date(clock.now());
    context_.input.resize(input_bytes);
}

IoThread::~IoThread() {
    assert(!thread_.joinable());
    close_queue();
    if (timer_ >= 0) ::close(timer_);
}

bool IoThread::ready() const {
    return poller_.is_open() && timer_ >= 0 && context_.queue->wake_descriptor() >= 0;
}

void IoThread::accept_from(net::Listener listener, std::function<void(Arrival)> arrived) {
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

void IoThread::run() {
    name_thread("http");
    context_.queue->set_owner(std::this_thread::get_id());
    poller_.watch(context_.queue->wake_descriptor(), EPOLLIN | EPOLLET, net::Poller::queue_key);
    poller_.watch(timer_, EPOLLIN, net::Poller::timer_key);
    if (listener_) {
        poller_.watch(listener_->descriptor(), EPOLLIN, net::Poller::listener_key);
    }
    while (!finished()) {
        // An empty queue has promised to wake us.
        context_.queue->take(messages_);
        const bool may_sleep = messages_.empty() && !sessions_.has_turns();
        handle_messages();
        sessions_.give_turns([this](std::uint32_t slot, Session& session) {
            session.on_turn();
            after_work(slot);
        });
        flush_sessions();
        if (finished()) break;
        for (const auto& event : poller_.wait(may_sleep ? -1 : 0)) {
            handle_event(event.data.u64, event.events);
        }
        flush_sessions();
        sessions_.end_round();
    }
    close_all();
    ended_();
}

bool IoThread::finished() const {
    if (abandon_) return true;
    if (!context_.stopping) return false;
    bool idle = true;
    sessions_.each([&](std::uint32_t, const Session& session) { idle &= !session.has_request(); });
    return idle;
}

void IoThread::handle_event(std::uint64_t key, std::uint32_t events) {
    if (key == net::Poller::queue_key) return;
    if (key == net::Poller::timer_key) return sweep();
    if (key == net::Poller::listener_key) return accept_some();
    auto* session = sessions_.find(key);
    if (session == nullptr) return;
    session->on_event(events);
    after_work(static_cast<std::uint32_t>(key));
}

void IoThread::handle_messages() {
    for (auto& arrival : messages_.arrivals) adopt(std::move(arrival));
    for (auto& [ticket, answer] : messages_.answers) {
        auto* session = sessions_.find(ticket.slot);
        if (session == nullptr) continue;
        session->on_answer(ticket, std::move(answer));
        after_work(ticket.slot);
    }
    if (messages_.stop) begin_stop();
    if (messages_.abandon) abandon_ = true;
}

// After a session did something: it may have closed, or want to go on later.
void IoThread::after_work(std::uint32_t slot) {
    if (sessions_.settle(slot)) {
        context_.counters.connections.fetch_sub(1, std::memory_order_relaxed);
        return;
    }
    if (!sessions_.find(slot)->wants_flush()) return;
    flushes_.push_back(slot);
    if (flushes_.size() >= flush_sessions_max) flush_sessions();
}

void IoThread::flush_sessions() {
    flushing_.swap(flushes_);
    for (const auto slot : flushing_) {
        auto* session = sessions_.find(slot);
        if (session == nullptr) continue;
        session->on_flush();
        after_work(slot);
    }
    flushing_.clear();
}

void IoThread::accept_some() {
    for (int i = 0; i < accepts_per_round_max && accepting_ && listener_; ++i) {
        auto arrival = listener_->accept();
        if (!arrival) {
            log::warn("cannot accept connections for a moment",
                      {{"reason", arrival.error().message}});
            poller_.unwatch(listener_->descriptor());
            accepting_ = false;
            return;
        }
        if (!*arrival) return;
        arrived_({(*arrival)->socket, (*arrival)->address.text()});
    }
}

void IoThread::take_over(Arrival arrival) {
    const int socket = arrival.socket;
    context_.counters.connections.fetch_add(1, std::memory_order_relaxed);
    if (context_.queue->adopt(std::move(arrival))) return;
    context_.counters.connections.fetch_sub(1, std::memory_order_relaxed);
    ::close(socket);
}

bool IoThread::make_room() {
    const auto slot = sessions_.most_silent([](std::uint32_t) { return true; });
    if (!slot) return false;
    sessions_.find(*slot)->close();
    after_work(*slot);
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

void IoThread::adopt(Arrival arrival) {
    if (arrival.needs_room && !make_room()) return turn_away(arrival.socket);
    const auto slot = sessions_.add([&](std::uint32_t free_slot) {
        return std::make_unique<Session>(context_, arrival.socket, free_slot,
                                         std::move(arrival.peer));
    });
    const bool watched =
        poller_.watch(arrival.socket, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, slot);
    if (!watched || context_.stopping) sessions_.find(slot)->close();
    after_work(slot);
}

void IoThread::sweep() {
    std::uint64_t expirations = 0;
    if (::read(timer_, &expirations, sizeof expirations) != sizeof expirations) return;
    context_.tick += expirations;
    context_.date = format_http_date(clock_.now());
    if (!accepting_ && listener_) {
        accepting_ = poller_.watch(listener_->descriptor(), EPOLLIN, net::Poller::listener_key);
    }
    sessions_.each([this](std::uint32_t slot, Session& session) {
        session.on_sweep();
        after_work(slot);
    });
}

void IoThread::begin_stop() {
    context_.stopping = true;
    listener_.reset();
    sessions_.each([this](std::uint32_t slot, Session& session) {
        session.on_stop();
        after_work(slot);
    });
}

void IoThread::close_all() {
    close_queue();
    sessions_.each([this](std::uint32_t, const Session& session) {
        if (session.has_request()) ++abandoned_;
    });
    sessions_.clear();
    listener_.reset();
    context_.counters.connections.store(0, std::memory_order_relaxed);
}

void IoThread::close_queue() {
    for (const auto& arrival : context_.queue->close()) ::close(arrival.socket);
}

}  // namespace mailroom::http
