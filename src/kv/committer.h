// Gathers the batches of everybody who is waiting into one commit: one fsync for all of them.
//
// Batches reach the disk in the order of submit(), each whole. Callers that submit while holding a
// lock on what they read and wrote therefore see their order on disk, and hold no lock over an
// fsync.
#pragma once

#include "base/result.h"
#include "kv/batch.h"
#include "kv/store.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

namespace mailroom::kv {

// Thread-safe, apart from the two hooks.
class Committer {
public:
    // Called once, after the batch is durable or has failed, in the order of submit(). Runs on the
    // committer's thread: quick work only, no waiting. Must not submit. May be empty.
    using Done = std::function<void(const Result<>&)>;

    enum class Mode {
        threaded,  // A thread of its own commits; submit() returns at once.
        // submit() commits and calls `done` before it returns: for simulation. The submitting
        // thread is "the committer's thread", and nothing is ever queued. Submitters from several
        // threads take turns, and their `done`s may run in any order.
        immediate,
    };

    // `store` must outlive this object.
    Committer(Store& store, Sync sync, Mode mode);
    ~Committer();  // Commits what is queued, then stops.
    Committer(const Committer&) = delete;
    Committer& operator=(const Committer&) = delete;

    // Queues the changes behind all earlier ones. An empty batch is a barrier: its `done` is called
    // when everything submitted before it is durable. Returns the batch's place in the order (1, 2,
    // 3, …).
    //
    // When a commit fails, it and everything queued behind it fail with the same error, because
    // later batches may have been computed from the ones that were lost. The failure hook runs
    // first, on the committer's thread: it shuts out submitters, forgets what was computed from the
    // lost batches and calls `drop_queued`, which empties the queue. The `done`s of all that was
    // lost run after it, then Store::recover() is tried, and later batches are taken as usual.
    // Without a hook, or with one that does not call `drop_queued`, the queue is emptied all the
    // same.
    std::uint64_t submit(const Batch& batch, Done done);
    using DropQueued = std::function<void()>;
    void on_failure(std::function<void(const DropQueued&)> hook);  // Set once, before use.
    // `prepare` is called on the committer's thread just before each commit with the gathered
    // batch, to add changes for what was deferred; the store holds all earlier commits. If it
    // fails, so does the commit; if only the commit does, `take_back` is called before anybody is
    // told. Not called for barriers alone. Set once, before use.
    void before_commit(std::function<Result<>(Batch&)> prepare,
                       std::function<void()> take_back = nullptr);

    // Blocks until everything submitted so far is durable or has failed, and its `done` has run.
    void drain();
    // Bytes that wait or are being written: what callers bound before they submit.
    std::size_t pending_bytes() const;

    struct Stats {
        std::uint64_t commits = 0;   // Commits that succeeded: one fsync each.
        std::uint64_t batches = 0;   // What they carried, barriers included.
        std::uint64_t failures = 0;  // Commits that failed.
    };
    Stats stats() const;
    // Why the last commit failed; none after one that succeeded. The log is told when that changes.
    std::optional<Error> failure() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::kv
