// Gives the disk space of erased rows back in the background: part of rocks_store.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace rocksdb {
class DB;
}

namespace mailroom::kv {

// Compacts ranges one after another on a thread of its own. Deleting whole files of the range would
// be quicker, but that takes rows away from snapshots, and can bring erased rows back: the file
// that says "erased" may go while an older file with the row, half outside the range, stays.
class RocksReclaimer {
public:
    explicit RocksReclaimer(rocksdb::DB& db);  // `db` must outlive this object.
    ~RocksReclaimer();                         // Breaks off the compaction in hand.
    RocksReclaimer(const RocksReclaimer&) = delete;
    RocksReclaimer& operator=(const RocksReclaimer&) = delete;

    // Returns at once. Thread-safe. Does nothing when too many ranges wait already.
    void reclaim(std::string_view from, std::string_view to);

private:
    struct Range {
        std::string from, to;
    };
    void run();
    void compact(const Range& range);

    rocksdb::DB& db_;
    std::mutex mutex_;
    std::condition_variable work_;
    std::deque<Range> queue_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace mailroom::kv
