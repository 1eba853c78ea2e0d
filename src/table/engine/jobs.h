// Long work on tables that goes on behind the requests, one job after another, on a thread of its
// own.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace mailroom::table {

class Jobs {
public:
    enum class Mode {
        threaded,
        immediate,  // post() runs the job before it returns: for simulation.
    };
    explicit Jobs(Mode mode);
    ~Jobs();  // Tells the running job to stop, waits for it, and drops the others.
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    void post(std::function<void()> job);
    // A long job asks between its pieces, and ends early when it says so. What a job left undone is
    // taken up at the next start.
    bool stopping() const;
    // Blocks until every job posted so far has run.
    void drain();

private:
    void work();

    const Mode mode_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> queue_;
    bool busy_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace mailroom::table
