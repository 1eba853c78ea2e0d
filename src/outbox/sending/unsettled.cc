#include "outbox/sending/unsettled.h"

#include <utility>

namespace mailroom::outbox {

Unsettled::~Unsettled() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
}

void Unsettled::add(Attempt attempt) {
    const std::lock_guard lock(mutex_);
    attempts_.push_back(std::move(attempt));
    if (upkeep_ == Upkeep::by_calls) return;
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    changed_.notify_all();
}

std::size_t Unsettled::count() const {
    const std::lock_guard lock(mutex_);
    return attempts_.size();
}

void Unsettled::try_again() {
    std::unique_lock lock(mutex_);
    attempt_all(lock);
}

void Unsettled::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || !attempts_.empty(); });
        if (changed_.wait_for(lock, pause_, [this] { return stopping_; })) return;
        attempt_all(lock);
    }
}

// The oldest alone: while it fails, the others would too.
void Unsettled::attempt_all(std::unique_lock<std::mutex>& lock) {
    while (!stopping_ && !attempts_.empty()) {
        const auto attempt = attempts_.front();
        lock.unlock();
        const bool done = attempt();
        lock.lock();
        if (!done) return;
        attempts_.pop_front();
    }
}

}  // namespace mailroom::outbox
