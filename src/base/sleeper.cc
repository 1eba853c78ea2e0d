#include "base/sleeper.h"

namespace mailroom {

bool SystemSleeper::sleep(std::chrono::milliseconds duration) {
    std::unique_lock lock(mutex_);
    return !stopping_.wait_for(lock, duration, [&] { return stopped_; });
}

void SystemSleeper::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    stopping_.notify_all();
}

}  // namespace mailroom
