#include "kv/committer.h"

#include "base/log.h"
#include "base/thread_name.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace mailroom::kv {

namespace {

// Keeps one commit, and with it the wait of everybody in it, to some tens of milliseconds on a
// slow disk. A single larger batch still goes whole, alone.
constexpr std::size_t gathered_bytes_max = 16 * 1024 * 1024;

// Batches that are committed together.
struct Gathered {
    Batch batch;
    std::vector<Committer::Done> dones;
    std::size_t submitted_bytes = 0;  // Without what preparing adds.
    std::uint64_t last_place = 0;

    bool has_room_for(const Batch& more) const {
        return dones.empty() || submitted_bytes + more.bytes() <= gathered_bytes_max;
    }
    void add(const Batch& more, Committer::Done done, std::uint64_t place) {
        batch.append(more);
        dones.push_back(std::move(done));
        submitted_bytes += more.bytes();
        last_place = place;
    }
    void report(const Result<>& result) const {
        for (const auto& done : dones) {
            if (done) done(result);
        }
    }
    void clear() {
        batch.clear();
        dones.clear();
        submitted_bytes = 0;
    }
};

// But for figures: how much room is left, say.
bool is_same(const Error& one, const Error& other) {
    const auto words = [](const std::string& message) {
        std::string kept;
        std::ranges::copy_if(message, std::back_inserter(kept),
                             [](char c) { return c < '0' || c > '9'; });
        return kept;
    };
    return one.code == other.code && words(one.message) == words(other.message);
}

}  // namespace

class Committer::Impl {
public:
    Impl(Store& store, Sync sync, Mode mode) : store_(store), sync_(sync) {
        if (mode == Mode::threaded) thread_ = std::thread([this] { run(); });
    }

    ~Impl() {
        if (!thread_.joinable()) return;
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        work_.notify_one();
        thread_.join();
    }

    std::uint64_t submit(const Batch& batch, Done done) {
        pending_bytes_ += batch.bytes();
        return thread_.joinable() ? enqueue(batch, std::move(done))
                                  : commit_now(batch, std::move(done));
    }

    void drain() {
        std::unique_lock lock(mutex_);
        const auto place = last_place_;
        finished_.wait(lock, [&] { return unfinished_.empty() || *unfinished_.begin() > place; });
    }

    std::size_t pending_bytes() const { return pending_bytes_; }
    Stats stats() const {
        const std::lock_guard lock(mutex_);
        return stats_;
    }
    std::optional<Error> failure() const {
        const std::lock_guard lock(mutex_);
        return failure_;
    }

    std::function<void(const DropQueued&)> failure_hook;
    std::function<Result<>(Batch&)> prepare_hook;
    std::function<void()> take_back_hook;

private:
    std::uint64_t enqueue(const Batch& batch, Done done) {
        std::unique_lock lock(mutex_);
        const auto place = ++last_place_;
        if (queue_.empty() || !queue_.back().has_room_for(batch)) {
            queue_.push_back(std::exchange(spare_, {}));
            unfinished_.insert(place);
        }
        queue_.back().add(batch, std::move(done), place);
        const bool wake = std::exchange(idle_, false);
        lock.unlock();
        if (wake) work_.notify_one();
        return place;
    }

    std::uint64_t commit_now(const Batch& batch, Done done) {
        Gathered work;
        // Held over the commit only, so that places are the order on disk while a `done` may take
        // a lock that another submitter holds.
        std::unique_lock turn(turn_);
        {
            const std::lock_guard lock(mutex_);
            work.add(batch, std::move(done), ++last_place_);
            unfinished_.insert(last_place_);
        }
        const auto result = commit(work);
        turn.unlock();
        const auto place = work.last_place;
        settle(work, place, result);
        return place;
    }

    void run() {
        name_thread("commit");
        std::size_t gathered_before = 0;
        std::unique_lock lock(mutex_);
        for (;;) {
            while (queue_.empty() && !stopping_) {
                idle_ = true;
                work_.wait(lock);
            }
            idle_ = false;
            if (queue_.empty()) return;
            // Who was just answered often submits again at once. One turn of the scheduler lets
            // them into this commit; without it, two half-full groups take turns and fsyncs double.
            if (queue_.front().dones.size() < gathered_before / 2) {
                lock.unlock();
                std::this_thread::yield();
                lock.lock();
            }
            auto work = std::move(queue_.front());
            queue_.pop_front();
            const auto first_place = *unfinished_.begin();
            gathered_before = work.dones.size();
            lock.unlock();

            const auto result = commit(work);
            settle(work, first_place, result);

            const bool worth_keeping = work.submitted_bytes <= gathered_bytes_max;
            work.clear();
            lock.lock();
            if (worth_keeping) spare_ = std::move(work);
        }
    }

    Result<> commit(Gathered& work) {
        // Barriers alone: all that came before them has been committed already.
        if (work.batch.empty()) return Ok{};
        auto result = prepare(work.batch);
        if (result) {
            result = store_.commit(work.batch, sync_);
            if (!result && take_back_hook) take_back_hook();
        }
        {
            const std::lock_guard lock(mutex_);
            if (result) {
                ++stats_.commits;
                stats_.batches += work.dones.size();
            } else {
                ++stats_.failures;
            }
        }
        note(result);
        return result;
    }

    void note(const Result<>& result) {
        if (result && !failing_) return;
        std::optional<Error> before;
        {
            const std::lock_guard lock(mutex_);
            before = std::exchange(failure_,
                                   result ? std::nullopt : std::optional<Error>(result.error()));
            failing_ = failure_.has_value();
        }
        if (result) return log::info("commits succeed again");
        if (before && is_same(*before, result.error())) return;
        log::error("commits fail: nothing is accepted until they succeed again",
                   {{"reason", result.error().message}});
    }

    Result<> prepare(Batch& batch) {
        assert(prepare_hook || batch.deferred_size() == 0);
        if (!prepare_hook) return Ok{};
        return prepare_hook(batch);
    }

    void settle(Gathered& work, std::uint64_t first_place, const Result<>& result) {
        pending_bytes_ -= work.submitted_bytes;
        if (!result) return settle_failed(work, first_place, result);
        work.report(result);
        finish(first_place, work.last_place);
    }

    void settle_failed(Gathered& work, std::uint64_t first_place, const Result<>& result) {
        std::deque<Gathered> lost;
        bool dropped = false;
        const DropQueued drop_queued = [&] {
            const std::lock_guard lock(mutex_);
            for (auto& queued : queue_) {
                pending_bytes_ -= queued.submitted_bytes;
                lost.push_back(std::move(queued));
            }
            queue_.clear();
            dropped = true;
        };
        if (failure_hook) failure_hook(drop_queued);
        // Once only: what came in after the hook emptied the queue was computed without the lost.
        if (!dropped) drop_queued();

        work.report(result);
        for (const auto& gathered : lost) gathered.report(result);
        finish(first_place, lost.empty() ? work.last_place : lost.back().last_place);
        // If this fails too, so does the next commit, and its submitters learn of it.
        static_cast<void>(store_.recover());
    }

    void finish(std::uint64_t first_place, std::uint64_t last_place) {
        const std::lock_guard lock(mutex_);
        unfinished_.erase(unfinished_.lower_bound(first_place),
                          unfinished_.upper_bound(last_place));
        finished_.notify_all();
    }

    Store& store_;
    const Sync sync_;
    std::atomic<std::size_t> pending_bytes_ = 0;
    std::mutex turn_;  // Immediate mode: whose commit it is. Taken before mutex_.

    mutable std::mutex mutex_;  // All below. Never held over a commit, a hook or a `done`.
    std::condition_variable work_, finished_;
    std::deque<Gathered> queue_;          // Only the last one takes more.
    Gathered spare_;                      // Memory of an earlier one, to be filled again.
    std::set<std::uint64_t> unfinished_;  // First place of each Gathered in queue_ or in hand.
    std::uint64_t last_place_ = 0;
    bool idle_ = false;  // The thread waits for work_.
    bool stopping_ = false;
    Stats stats_;
    std::optional<Error> failure_;  // Of the last commit.
    std::atomic<bool> failing_ = false;

    std::thread thread_;  // Last, so that it starts when all else is there. None in immediate mode.
};

Committer::Committer(Store& store, Sync sync, Mode mode)
    : impl_(std::make_unique<Impl>(store, sync, mode)) {}
Committer::~Committer() = default;

std::uint64_t Committer::submit(const Batch& batch, Done done) {
    return impl_->submit(batch, std::move(done));
}
void Committer::on_failure(std::function<void(const DropQueued&)> hook) {
    impl_->failure_hook = std::move(hook);
}
void Committer::before_commit(std::function<Result<>(Batch&)> prepare,
                              std::function<void()> take_back) {
    impl_->prepare_hook = std::move(prepare);
    impl_->take_back_hook = std::move(take_back);
}
void Committer::drain() { impl_->drain(); }
std::size_t Committer::pending_bytes() const { return impl_->pending_bytes(); }
Committer::Stats Committer::stats() const { return impl_->stats(); }
std::optional<Error> Committer::failure() const { return impl_->failure(); }

}  // namespace mailroom::kv
