// What is answered later by other threads, counted: whoever they need may go when there is none.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace mailroom::http {

// Thread-safe.
class Unanswered {
public:
    void add() { ++count_; }
    void remove() {
        const std::lock_guard lock(mutex_);
        if (--count_ == 0) none_.notify_all();
    }
    void wait_for_none() {
        std::unique_lock lock(mutex_);
        none_.wait(lock, [&] { return count_ == 0; });
    }

private:
    std::atomic<std::size_t> count_ = 0;
    std::mutex mutex_;
    std::condition_variable none_;
};

}  // namespace mailroom::http
