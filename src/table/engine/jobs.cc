#include "table/engine/jobs.h"

#include "base/log.h"
#include "base/thread_name.h"

#include <algorithm>

namespace mailroom::table {

namespace {

using std::chrono::milliseconds;

// What fails now and then is soon done; a disk that is full stays so until somebody makes room.
constexpr milliseconds pause_first = std::chrono::seconds(1);
constexpr milliseconds pause_max = std::chrono::minutes(1);

}  // namespace

Jobs::Jobs(const Clock& clock, Mode mode) : clock_(clock), mode_(mode) {
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

void Jobs::post(Job job) { start({std::move(job), pause_first, {}}); }

void Jobs::start(Attempt attempt) {
    if (mode_ == Mode::immediate) return run(std::move(attempt));
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(attempt));
    changed_.notify_all();
}

void Jobs::retry_due() {
    std::vector<Attempt> due;
    {
        const std::lock_guard lock(mutex_);
        const auto first =
            std::stable_partition(waiting_.begin(), waiting_.end(),
                                  [this](const Attempt& attempt) { return !is_due(attempt); });
        std::move(first, waiting_.end(), std::back_inserter(due));
        waiting_.erase(first, waiting_.end());
    }
    for (auto& attempt : due) {
        attempt.pause = std::min(attempt.pause * 2, pause_max);
        start(std::move(attempt));
    }
}

// A clock that was set back must not make anything wait for hours.
bool Jobs::is_due(const Attempt& attempt) const {
    const auto now = clock_.now();
    return now >= attempt.failed + attempt.pause || now < attempt.failed;
}

bool Jobs::stopping() const {
    const std::lock_guard lock(mutex_);
    return stopping_;
}

void Jobs::drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || (queue_.empty() && !busy_); });
}

void Jobs::run(Attempt attempt) {
    const auto done = attempt.job.run();
    if (done) return;
    log::error(
        attempt.job.failure + "; it is tried again",
        {{"table", attempt.job.table},
         {"reason", done.error().message},
         {"after_s", std::chrono::duration_cast<std::chrono::seconds>(attempt.pause).count()}});
    attempt.failed = clock_.now();
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(attempt));
}

void Jobs::work() {
    name_thread("table jobs");
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        auto attempt = std::move(queue_.front());
        queue_.pop_front();
        busy_ = true;
        lock.unlock();
        run(std::move(attempt));
        lock.lock();
        busy_ = false;
        changed_.notify_all();
    }
}

}  // namespace mailroom::table
