#include "table/engine/jobs.h"

#include "base/thread_name.h"

namespace mailroom::table {

Jobs::Jobs(Mode mode) : mode_(mode) {
    if (mode_ == Mode::threaded) thread_ = std::thread([this] { work(); });
}

Jobs::~Jobs() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        queue_.clear();
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void Jobs::post(std::function<void()> job) {
    if (mode_ == Mode::immediate) {
        job();
        return;
    }
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(job));
    changed_.notify_all();
}

bool Jobs::stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

void Jobs::drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || (queue_.empty() && !busy_); });
}

void Jobs::work() {
    name_thread("table jobs");
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        auto job = std::move(queue_.front());
        queue_.pop_front();
        busy_ = true;
        lock.unlock();
        job();
        lock.lock();
        busy_ = false;
        changed_.notify_all();
    }
}

}  // namespace mailroom::table
