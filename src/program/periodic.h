// A thread that does one thing again and again.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace mailroom::program {

class Periodic {
public:
    // Calls `work` now, and again `pause` after each time it returned. It must not throw.
    Periodic(std::chrono::milliseconds pause, std::function<void()> work);
    ~Periodic();  // As stop().
    Periodic(const Periodic&) = delete;
    Periodic& operator=(const Periodic&) = delete;

    // Returns when the last call of `work` has ended; no other follows. Not to be called from
    // `work`.
    void stop();

private:
    void run();

    const std::chrono::milliseconds pause_;
    const std::function<void()> work_;
    std::mutex mutex_;
    std::condition_variable stop_asked_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace mailroom::program
