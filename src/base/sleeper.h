// Waiting, as the program is told to do it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace mailroom {

// Thread-safe.
class Sleeper {
public:
    virtual ~Sleeper() = default;
    // Returns after `duration`, or at once with false when there is no time left to wait.
    virtual bool sleep(std::chrono::milliseconds duration) = 0;
};

class SystemSleeper final : public Sleeper {
public:
    bool sleep(std::chrono::milliseconds duration) override;
    // Wakes all who sleep; nobody sleeps here again.
    void stop();

private:
    std::mutex mutex_;
    std::condition_variable stopping_;
    bool stopped_ = false;
};

}  // namespace mailroom
