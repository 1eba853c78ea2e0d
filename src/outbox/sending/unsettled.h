// What could not be written down when it was known, and is tried again until it is.
#pragma once

#include "outbox/sending/upkeep.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace mailroom::outbox {

// The answers of servers: forgetting one would leave a mail of which nobody knows whether it
// arrived. Starts its thread when there is something to do. Thread-safe.
class Unsettled {
public:
    // True when it is done.
    using Attempt = std::function<bool()>;

    explicit Unsettled(Upkeep upkeep = Upkeep::by_threads,
                       std::chrono::milliseconds pause = std::chrono::seconds(2))
        : upkeep_(upkeep), pause_(pause) {}
    // What is left is dropped.
    ~Unsettled();
    Unsettled(const Unsettled&) = delete;
    Unsettled& operator=(const Unsettled&) = delete;

    void add(Attempt attempt);
    std::size_t count() const;
    // For Upkeep::by_calls: every few seconds.
    void try_again();

private:
    void work();
    void attempt_all(std::unique_lock<std::mutex>& lock);

    const Upkeep upkeep_;
    const std::chrono::milliseconds pause_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool stopping_ = false;
    std::deque<Attempt> attempts_;  // As many as there are jobs in hand: their crew bounds them.
    std::thread thread_;
};

}  // namespace mailroom::outbox
