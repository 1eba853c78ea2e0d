#include "http/server.h"

#include "http/io_thread.h"
#include "http/waking_queue.h"
#include "net/listener.h"

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <utility>
#include <vector>

namespace mailroom::http {
namespace {

void check(const Server::Options& options) {
    const auto& limits = options.limits;
    assert(options.io_threads > 0);
    assert(limits.header_bytes_max > 0 && limits.transfer_bytes_per_second_min > 0);
    assert(limits.sweep_interval.count() > 0);
}

}  // namespace

class Server::Impl {
public:
    Impl(Options options, Handler& handler, const Clock& clock)
        : options_(std::move(options)), handler_(handler), clock_(clock) {
        for (unsigned i = 0; i < options_.io_threads; ++i) {
            threads_.push_back(std::make_unique<IoThread>(options_.limits, handler, clock));
        }
    }

    Result<> start() {
        auto listener = TRY(net::Listener::open(options_.host, options_.port));
        port_ = listener.port();
        address_ = listener.address();
        threads_[0]->accept_from(std::move(listener),
                                 [this](Arrival arrival) { place(std::move(arrival)); });
        for (const auto& thread : threads_) {
            if (!thread->ready()) return Error{Errc::unavailable, "no descriptors left"};
        }
        running_ = threads_.size();
        for (auto& thread : threads_) {
            thread->start([this] {
                const std::lock_guard lock(mutex_);
                --running_;
                ended_.notify_all();
            });
        }
        return Ok{};
    }

    std::size_t stop(std::chrono::milliseconds grace) {
        const std::lock_guard stopping(stop_mutex_);
        if (std::exchange(stopped_, true)) return 0;
        for (auto& thread : threads_) thread->queue().stop();
        {
            std::unique_lock lock(mutex_);
            ended_.wait_for(lock, grace, [this] { return running_ == 0; });
        }
        std::size_t abandoned = 0;
        for (auto& thread : threads_) thread->queue().abandon();
        for (auto& thread : threads_) {
            thread->join();
            abandoned += thread->abandoned();
        }
        return abandoned;
    }

    std::uint16_t port() const { return port_; }
    const std::string& address() const { return address_; }

    Stats stats() const {
        Stats sum;
        for (const auto& thread : threads_) {
            const auto& counters = thread->counters();
            sum.connections += counters.connections.load(std::memory_order_relaxed);
            sum.accepted += counters.accepted.load(std::memory_order_relaxed);
            sum.turned_away += counters.turned_away.load(std::memory_order_relaxed);
            sum.gave_way += counters.gave_way.load(std::memory_order_relaxed);
            sum.requests += counters.requests.load(std::memory_order_relaxed);
            sum.refused += counters.refused.load(std::memory_order_relaxed);
            sum.timed_out += counters.timed_out.load(std::memory_order_relaxed);
        }
        return sum;
    }

private:
    // On the first I/O thread, which accepts for all of them.
    void place(Arrival arrival) {
        auto& counters = threads_[0]->own_counters();
        arrival.needs_room = open_connections() >= options_.limits.connections_max;
        counters.accepted.fetch_add(1, std::memory_order_relaxed);
        next_thread_ = (next_thread_ + 1) % threads_.size();
        threads_[next_thread_]->take_over(std::move(arrival));
    }

    std::uint64_t open_connections() const {
        std::uint64_t sum = 0;
        for (const auto& thread : threads_) {
            sum += thread->counters().connections.load(std::memory_order_relaxed);
        }
        return sum;
    }

    const Options options_;
    std::uint16_t port_ = 0;
    std::string address_;
    Handler& handler_;
    const Clock& clock_;
    std::vector<std::unique_ptr<IoThread>> threads_;
    std::size_t next_thread_ = 0;

    std::mutex stop_mutex_;
    bool stopped_ = false;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t running_ = 0;
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() { stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Server>> Server::listen(Options options, Handler& handler,
                                               const Clock& clock) {
    check(options);
    auto impl = std::make_unique<Impl>(std::move(options), handler, clock);
    TRY(impl->start());
    return std::unique_ptr<Server>(new Server(std::move(impl)));
}

std::uint16_t Server::port() const { return impl_->port(); }
std::string Server::address() const { return impl_->address(); }
std::size_t Server::stop(std::chrono::milliseconds grace) { return impl_->stop(grace); }
Server::Stats Server::stats() const { return impl_->stats(); }

}  // namespace mailroom::http
