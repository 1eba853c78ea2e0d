// Long work on tables that goes on behind the requests, one job after another, on a thread of its
// own.
#pragma once

#include "base/clock.h"
#include "table/failure.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::table {

// Thread-safe.
class Jobs {
public:
    enum class Mode {
        threaded,
        immediate,  // post() runs the job before it returns: for simulation.
    };
    // `clock` must outlive this object.
    Jobs(const Clock& clock, Mode mode);
    ~Jobs();  // Tells the running job to stop, waits for it, and drops the others.
    Jobs(const Jobs&) = delete;
    Jobs& operator=(const Jobs&) = delete;

    struct Job {
        std::string failure;  // For the log: "an index could not be filled".
        std::string table;
        std::function<Outcome<>()> run;  // Called again after each failure.
    };
    void post(Job job);
    // Posts again what failed and has waited long enough: a second after the first failure, twice
    // as long after each further one, at most a minute. Called by a timer every few seconds.
    void retry_due();

    // A long job asks between its pieces, and ends early, without a failure, when it says so. What
    // a job left undone is taken up at the next start.
    bool stopping() const;
    // Blocks until every job posted so far has run. Failed ones that wait are left alone.
    void drain();

private:
    struct Attempt {
        Job job;
        std::chrono::milliseconds pause;  // Until the next one, should it fail.
        Time failed;
    };
    void work();
    void start(Attempt attempt);
    void run(Attempt attempt);
    bool is_due(const Attempt& attempt) const;

    const Clock& clock_;
    const Mode mode_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Attempt> queue_;
    std::vector<Attempt> waiting_;  // For another try.
    bool busy_ = false;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace mailroom::table
