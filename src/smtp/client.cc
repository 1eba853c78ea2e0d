#include "smtp/client.h"

#include "base/thread_name.h"
#include "smtp/client_pool.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <mutex>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mailroom::smtp {
namespace {

namespace asio = boost::asio;

// Mails with the same key may share a connection. The host's addresses are left out: whichever of
// them answers speaks for the host.
std::string pool_key(const Target& target) {
    std::string key = target.host;
    const auto add = [&key](std::string_view part) {
        key += '\0';
        key += part;
    };
    add(std::to_string(target.port));
    add(target.hello_name);
    add(std::to_string(static_cast<int>(target.tls)));
    add(std::to_string(static_cast<int>(target.verify)));
    add(std::to_string(static_cast<int>(target.clear_text_login)));
    if (target.login) {
        add(target.login->user);
        add(target.login->password);
    }
    return key;
}

// One thread and the pools that belong to it.
class Worker {
public:
    Worker(const TlsContexts& tls, ClientCounters& counters)
        : tls_(tls), counters_(counters), io_(1), work_(io_.get_executor()) {}

    void start(std::function<void()> ended) {
        thread_ = std::thread([this, ended = std::move(ended)] {
            name_thread("smtp client");
            io_.run();
            ended();
        });
    }
    void join() { thread_.join(); }

    // The following run on the thread, in the order they were called.
    void submit(std::string key, std::shared_ptr<const Target> target, ClientJob job) {
        asio::post(io_, [this, key = std::move(key), target = std::move(target),
                         job = std::move(job)]() mutable {
            pool(key).submit(std::move(target), std::move(job));
        });
    }
    void stop() {
        asio::post(io_, [this] {
            for (auto& [key, pool] : pools_) pool->stop();
            work_.reset();
        });
    }
    void abort() {
        asio::post(io_, [this] {
            for (auto& [key, pool] : pools_) pool->abort();
        });
    }

private:
    ClientPool& pool(const std::string& key) {
        auto& slot = pools_[key];
        if (!slot) {
            slot = std::make_unique<ClientPool>(io_, tls_, counters_, [this, key] { retire(key); });
        }
        return *slot;
    }

    // Not at once: the pool itself is calling.
    void retire(std::string key) {
        asio::post(io_, [this, key = std::move(key)] {
            const auto found = pools_.find(key);
            if (found != pools_.end() && found->second->is_empty()) pools_.erase(found);
        });
    }

    const TlsContexts& tls_;
    ClientCounters& counters_;
    asio::io_context io_;
    asio::executor_work_guard<asio::io_context::executor_type> work_;
    std::unordered_map<std::string, std::unique_ptr<ClientPool>> pools_;
    std::thread thread_;
};

}  // namespace

class Client::Impl {
public:
    Impl(const Options& options, TlsContexts tls)
        : pending_max_(options.pending_max), tls_(std::move(tls)) {
        assert(options.io_threads > 0);
        for (unsigned i = 0; i < options.io_threads; ++i) {
            workers_.push_back(std::make_unique<Worker>(tls_, counters_));
        }
        running_ = workers_.size();
        for (auto& worker : workers_) {
            worker->start([this] {
                const std::lock_guard lock(mutex_);
                --running_;
                ended_.notify_all();
            });
        }
    }

    Result<> send(std::shared_ptr<const Target> target, Mail mail, Done done) {
        assert(target && done);
        TRY(check_target(*target));
        TRY(check_mail(mail));
        auto key = pool_key(*target);
        auto& worker = *workers_[std::hash<std::string>()(key) % workers_.size()];
        ClientJob job{.mail = std::move(mail),
                      .done = [this, done = std::move(done)](Delivery delivery) {
                          --pending_;
                          done(std::move(delivery));
                      }};
        // Under the lock, so that the worker sees nothing after its order to stop.
        const std::lock_guard lock(mutex_);
        if (stopped_) return Error{Errc::unavailable, "the SMTP client has stopped"};
        if (pending_ >= pending_max_) return Error{Errc::throttled, "too many mails are pending"};
        ++pending_;
        worker.submit(std::move(key), std::move(target), std::move(job));
        return Ok{};
    }

    void stop(std::chrono::milliseconds grace) {
        {
            std::unique_lock lock(mutex_);
            if (std::exchange(stopped_, true)) return;
            for (auto& worker : workers_) worker->stop();
            ended_.wait_for(lock, grace, [this] { return running_ == 0; });
        }
        for (auto& worker : workers_) worker->abort();
        for (auto& worker : workers_) worker->join();
        assert(pending_ == 0);
    }

    Stats stats() const {
        return {.pending = pending_,
                .connections = counters_.connections,
                .opened = counters_.opened,
                .reused = counters_.reused,
                .retried = counters_.retried};
    }

private:
    const std::size_t pending_max_;
    const TlsContexts tls_;
    ClientCounters counters_;
    std::atomic<std::uint64_t> pending_ = 0;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::size_t running_ = 0;
    bool stopped_ = false;
};

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Client::~Client() { stop(std::chrono::milliseconds(0)); }

Result<std::unique_ptr<Client>> Client::create(const Options& options) {
    auto verifying = TRY(net::TlsClientContext::create(
        {.verify = net::TlsVerify::peer, .ca_file = options.ca_file}));
    auto trusting = TRY(net::TlsClientContext::create({.verify = net::TlsVerify::nothing}));
    auto impl =
        std::make_unique<Impl>(options, TlsContexts{std::move(verifying), std::move(trusting)});
    return std::unique_ptr<Client>(new Client(std::move(impl)));
}

Result<> Client::send(std::shared_ptr<const Target> target, Mail mail, Done done) {
    return impl_->send(std::move(target), std::move(mail), std::move(done));
}

Result<Delivery> Client::send_and_wait(std::shared_ptr<const Target> target, Mail mail) {
    // Shared with the callback, which must be copyable.
    const auto settled = std::make_shared<std::promise<Delivery>>();
    auto future = settled->get_future();
    TRY(impl_->send(std::move(target), std::move(mail),
                    [settled](Delivery delivery) { settled->set_value(std::move(delivery)); }));
    return future.get();
}

void Client::stop(std::chrono::milliseconds grace) { impl_->stop(grace); }
Client::Stats Client::stats() const { return impl_->stats(); }

}  // namespace mailroom::smtp
