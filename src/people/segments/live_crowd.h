// Everybody in memory, as the tables have them at any time: read once, and then told of every
// change, whoever makes it (table/change_listener.h).
//
// Where the store cannot tell, because other nodes write to it, and where there are more people
// than memory was allowed for, there is no crowd: whoever asks reads the tables then (finder.h).
// While it is being read, whoever asks waits a moment, and is then told to come again: reading the
// tables once more for each question would take longer than that does.
#pragma once

#include "people/books.h"
#include "people/segments/crowd.h"
#include "table/change_listener.h"
#include "table/store.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace mailroom::people {

struct CrowdLimits {
    static constexpr std::size_t usual_bytes_max = 1024UL * 1024 * 1024;  // Some 4,000,000 people.
    std::size_t bytes_max = usual_bytes_max;                              // 0: nothing is kept.
    // Of changes that were not taken in yet; when there are more, all is read again.
    std::size_t waiting_bytes_max = 128UL * 1024 * 1024;
    // For whoever asks while people are being read. Longer than most tables take, and short: many
    // who wait keep all who want something else from being served.
    std::chrono::milliseconds wait_max{1000};
};

// Thread-safe.
class LiveCrowd final : private table::ChangeListener {
public:
    // The store must outlive it. Nothing is read before start().
    LiveCrowd(table::Store& store, TableNames names, const CrowdLimits& limits = {});
    ~LiveCrowd() override;  // As stop().
    LiveCrowd(const LiveCrowd&) = delete;
    LiveCrowd& operator=(const LiveCrowd&) = delete;

    // Once.
    void start();
    void stop();

    enum class Order { any, by_address };  // Whether by_address() is of use.
    // Whether there is a crowd; then `ask` was called with one that has every change that was
    // durable before the call. Waits a moment while it is being read.
    bool with(Order order, const std::function<void(const Crowd&)>& ask);

    enum class State { off, reading, ready, too_large };
    struct Figures {
        State state = State::off;
        std::size_t people = 0, bytes = 0;
    };
    Figures figures() const;
    State state() const;  // Stopped: off.
    // How many were read so far; while they are.
    std::size_t read_so_far() const { return read_so_far_; }

private:
    struct Heard {
        enum class What { profile, no_profile, activity, no_activity };
        What what;
        std::string address, item;
    };
    using AllHeard = std::vector<Heard>;

    void changed(const table::RowChange& change) override;
    void replaced(std::string_view table) override;
    void note(Heard heard);
    // As long as the crowd is in that state.
    AllHeard take_heard(State now);
    void take_in(Crowd& crowd, State now);

    void run();
    void read_all();
    Result<> read(Crowd& crowd);
    Result<> read_table(Crowd& crowd, const std::string& table);
    void settle(Crowd crowd);
    void give_up_if_too_large(const Crowd& crowd);
    bool waits_in_vain();

    table::Store& store_;
    const TableNames names_;
    const CrowdLimits limits_;

    mutable std::mutex mutex_;  // Of what stands here; taken last.
    std::condition_variable changed_;
    State state_ = State::off;
    bool stopping_ = false, must_read_ = false;
    AllHeard heard_;
    std::size_t heard_bytes_ = 0;

    std::atomic<std::size_t> read_so_far_ = 0;

    mutable std::shared_mutex crowd_mutex_;
    Crowd crowd_;
    std::thread thread_;
};

}  // namespace mailroom::people
