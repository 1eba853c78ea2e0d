#include "api/workers.h"

#include "base/thread_name.h"

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::api {

class Workers::Impl {
public:
    Impl(std::size_t threads, std::size_t queue_max) : queue_max_(queue_max) {
        assert(threads > 0);
        for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
    }

    bool post(std::function<void()> job) {
        {
            const std::lock_guard lock(mutex_);
            if (stopped_ || queue_.size() >= queue_max_) return false;
            queue_.push_back(std::move(job));
        }
        changed_.notify_one();
        return true;
    }

    void stop() {
        // Whoever comes second waits here until the threads have ended.
        const std::lock_guard stopping(stop_mutex_);
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        changed_.notify_all();
        for (auto& thread : threads_) {
            if (thread.joinable()) thread.join();
        }
    }

    std::size_t queued() const {
        const std::lock_guard lock(mutex_);
        return queue_.size();
    }

private:
    void run() {
        name_thread("http work");
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return stopped_ || !queue_.empty(); });
            if (queue_.empty()) return;
            {
                const auto job = std::exchange(queue_.front(), nullptr);
                queue_.pop_front();
                lock.unlock();
                job();
            }
            lock.lock();
        }
    }

    const std::size_t queue_max_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> queue_;
    bool stopped_ = false;
    std::mutex stop_mutex_;
    std::vector<std::thread> threads_;
};

Workers::Workers(std::size_t threads, std::size_t queue_max)
    : impl_(std::make_unique<Impl>(threads, queue_max)) {}
Workers::~Workers() { stop(); }

bool Workers::post(std::function<void()> job) { return impl_->post(std::move(job)); }
void Workers::stop() { impl_->stop(); }
std::size_t Workers::queued() const { return impl_->queued(); }

}  // namespace mailroom::api
