#include "outbox/sending/slate_sync.h"

#include "base/log.h"
#include "base/thread_name.h"

#include <unistd.h>

#include <system_error>
#include <utility>

namespace mailroom::outbox {
namespace {

// At most so often, because each time costs the machine more than what is written. Who comes after
// a while of rest does not wait for it.
constexpr auto pace = std::chrono::milliseconds(1);

}  // namespace

SlateSync::SlateSync(int descriptor, Mode mode) : descriptor_(descriptor) {
    if (mode == Mode::threaded) thread_ = std::thread([this] { run(); });
}

SlateSync::~SlateSync() {
    if (!thread_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    work_.notify_one();
    thread_.join();
}

void SlateSync::ask(Done done) {
    if (!thread_.joinable()) {
        const std::lock_guard lock(mutex_);
        return done(sync());
    }
    bool is_first = false;
    {
        const std::lock_guard lock(mutex_);
        is_first = waiting_.empty();
        waiting_.push_back(std::move(done));
    }
    if (is_first) work_.notify_one();
}

void SlateSync::run() {
    name_thread("slate");
    auto next = std::chrono::steady_clock::time_point::min();
    std::unique_lock lock(mutex_);
    for (;;) {
        work_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        work_.wait_until(lock, next, [this] { return stopping_; });
        auto served = std::exchange(waiting_, {});
        lock.unlock();
        next = std::chrono::steady_clock::now() + pace;
        const bool is_durable = sync();
        for (const auto& done : served) done(is_durable);
        served.clear();
        lock.lock();
    }
}

bool SlateSync::sync() {
    if (has_failed_) return false;
    if (::fdatasync(descriptor_) == 0) return true;
    log::error("the ends of mails cannot be noted; jobs are marked instead",
               {{"why", std::generic_category().message(errno)}});
    has_failed_ = true;
    return false;
}

}  // namespace mailroom::outbox
