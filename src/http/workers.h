// A fixed set of threads for work that may wait.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace mailroom::http {

// Thread-safe.
class Workers {
public:
    // `queue_max` is how many jobs may wait for a thread; more are turned away. Quick jobs run on
    // at most `quick_threads` of the threads at a time. With 0 threads nothing runs but in
    // run_due(), and at the end.
    Workers(std::size_t threads, std::size_t queue_max, std::size_t quick_threads = 1);
    ~Workers();  // As stop().
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    // Runs `job` on one of the threads, in the order of post(). False if the queue is full or the
    // workers have stopped: then the job is dropped, and the caller answers that it is busy.
    // A job must not throw.
    bool post(std::function<void()> job);
    // The same for a job that only computes. To have more of these at a time than there are
    // processors would only make threads wake each other up.
    bool post_quick(std::function<void()> job);

    // For simulation, without threads: runs on this thread what was posted, until there is nothing
    // left, and returns how many jobs that were.
    std::size_t run_due();

    // Takes no more jobs, runs those in the queue to their end, and returns when the last is done.
    // Not to be called from a job.
    void stop();

    std::size_t queued() const;  // Jobs that wait for a thread.

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::http
