#include "http/workers.h"

#include "base/thread_name.h"

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::http {

class Workers::Impl {
public:
    using Job = std::function<void()>;

    Impl(std::size_t threads, std::size_t queue_max, std::size_t quick_threads)
        : queue_max_(queue_max), quick_threads_(quick_threads) {
        assert(quick_threads > 0);
        for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
    }

    bool post(Job job) {
        {
            const std::lock_guard lock(mutex_);
            if (!has_room()) return false;
            queue_.push_back(std::move(job));
        }
        changed_.notify_one();
        return true;
    }

    bool post_quick(Job job) {
        bool needs_thread = false;
        {
            const std::lock_guard lock(mutex_);
            if (!has_room()) return false;
            quick_.push_back(std::move(job));
            needs_thread = quick_running_ < quick_threads_;
        }
        if (needs_thread) changed_.notify_one();
        return true;
    }

    std::size_t run_due() {
        assert(threads_.empty());
        std::unique_lock lock(mutex_);
        std::size_t ran = 0;
        for (; !queue_.empty() || !quick_.empty(); ++ran) {
            run_first(queue_.empty() ? quick_ : queue_, lock);
        }
        return ran;
    }

    void stop() {
        if (threads_.empty()) run_due();
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
        return queue_.size() + quick_.size();
    }

private:
    // These with mutex_ held.
    bool has_room() const { return !stopped_ && queue_.size() + quick_.size() < queue_max_; }
    bool may_run_quick() const { return !quick_.empty() && quick_running_ < quick_threads_; }

    void run() {
        name_thread("http work");
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [this] { return stopped_ || !queue_.empty() || may_run_quick(); });
            if (!queue_.empty()) {
                run_first(queue_, lock);
            } else if (may_run_quick()) {
                ++quick_running_;
                run_first(quick_, lock);
                --quick_running_;
            } else {
                return;  // Those that run quick jobs run what is left of them.
            }
        }
    }

    static void run_first(std::deque<Job>& jobs, std::unique_lock<std::mutex>& lock) {
        auto job = std::move(jobs.front());
        jobs.pop_front();
        lock.unlock();
        job();
        job = nullptr;
        lock.lock();
    }

    const std::size_t queue_max_, quick_threads_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> queue_, quick_;
    std::size_t quick_running_ = 0;
    bool stopped_ = false;
    std::mutex stop_mutex_;
    std::vector<std::thread> threads_;
};

Workers::Workers(std::size_t threads, std::size_t queue_max, std::size_t quick_threads)
    : impl_(std::make_unique<Impl>(threads, queue_max, quick_threads)) {}
Workers::~Workers() { stop(); }

bool Workers::post(std::function<void()> job) { return impl_->post(std::move(job)); }
bool Workers::post_quick(std::function<void()> job) { return impl_->post_quick(std::move(job)); }
std::size_t Workers::run_due() { return impl_->run_due(); }
void Workers::stop() { impl_->stop(); }
std::size_t Workers::queued() const { return impl_->queued(); }

}  // namespace mailroom::http
