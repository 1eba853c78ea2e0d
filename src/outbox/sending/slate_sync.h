// Brings what was written to a file to the disk: once for all who wait for it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace mailroom::outbox {

// Thread-safe.
class SlateSync {
public:
    enum class Mode {
        threaded,   // A thread of its own waits for the disk.
        immediate,  // Who asks waits: for simulation.
    };
    // Called once, with whether all is on the disk that was written before it was asked for. Runs
    // on the thread that waits for the disk: quick work only.
    using Done = std::function<void(bool is_durable)>;

    // `descriptor` must outlive this object.
    SlateSync(int descriptor, Mode mode);
    ~SlateSync();  // Tells all who wait.
    SlateSync(const SlateSync&) = delete;
    SlateSync& operator=(const SlateSync&) = delete;

    void ask(Done done);
    // Once it has, nothing more can be trusted to reach the disk.
    bool has_failed() const { return has_failed_; }

private:
    void run();
    bool sync();

    const int descriptor_;
    std::mutex mutex_;
    std::condition_variable work_;
    std::vector<Done> waiting_;
    bool stopping_ = false;
    // What failed to reach the disk is not tried again by the system, and later calls succeed.
    std::atomic<bool> has_failed_ = false;
    std::thread thread_;  // Last. None if immediate.
};

}  // namespace mailroom::outbox
