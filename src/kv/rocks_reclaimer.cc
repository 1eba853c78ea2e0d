#include "kv/rocks_reclaimer.h"

#include <rocksdb/db.h>
#include <rocksdb/options.h>

#include <utility>

namespace mailroom::kv {

namespace {

// Ordinary compaction reclaims what is not taken here, only later.
constexpr std::size_t waiting_ranges_max = 256;

}  // namespace

RocksReclaimer::RocksReclaimer(rocksdb::DB& db) : db_(db), thread_([this] { run(); }) {}

RocksReclaimer::~RocksReclaimer() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    work_.notify_one();
    db_.DisableManualCompaction();
    thread_.join();
}

void RocksReclaimer::reclaim(std::string_view from, std::string_view to) {
    {
        const std::lock_guard lock(mutex_);
        if (queue_.size() >= waiting_ranges_max) return;
        queue_.push_back({std::string(from), std::string(to)});
    }
    work_.notify_one();
}

void RocksReclaimer::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        work_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        const auto range = std::move(queue_.front());
        queue_.pop_front();
        lock.unlock();
        compact(range);
        lock.lock();
    }
}

void RocksReclaimer::compact(const Range& range) {
    rocksdb::CompactRangeOptions options;
    options.exclusive_manual_compaction = false;
    options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    const rocksdb::Slice from(range.from), to(range.to);
    // A failure means the space comes back later, by ordinary compaction.
    db_.CompactRange(options, range.from.empty() ? nullptr : &from,
                     range.to.empty() ? nullptr : &to)
        .PermitUncheckedError();
}

}  // namespace mailroom::kv
