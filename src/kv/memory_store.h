// A Store in memory, with faults on demand: for tests and simulation.
#pragma once

#include "kv/store.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::kv {

// Every row keeps the versions that some snapshot, or the state a crash would fall back to, still
// needs; so a snapshot costs a number, not a copy. Thread-safe, faults included.
class MemoryStore : public Store {
public:
    MemoryStore() = default;
    MemoryStore(const MemoryStore&) = delete;
    MemoryStore& operator=(const MemoryStore&) = delete;

    Result<std::optional<std::string>> get(std::string_view key,
                                           const Snapshot* snapshot = nullptr) const override;
    std::unique_ptr<Snapshot> snapshot() const override;
    std::unique_ptr<Cursor> scan(std::string_view from, std::string_view to,
                                 const Snapshot* snapshot = nullptr) const override;
    Result<> commit(const Batch& batch, Sync sync) override;
    Result<> recover() override;
    void reclaim(std::string_view from, std::string_view to) override;
    std::uint64_t approximate_bytes(std::string_view from, std::string_view to) const override;

    // The nth commit from now (1 is the next) fails with `error` and leaves nothing; those before
    // and after it succeed. Several may be set at once.
    void fail_commit(std::uint64_t nth, Error error);
    // Every commit and recover() fails with `error`, until heal().
    void fail_commits(Error error);
    void heal();  // Forgets all failures asked for.

    // The power goes: commits with Sync::relaxed since the last full one are lost, and every call,
    // also on cursors that are open, is `unavailable` until restart(). approximate_bytes is 0.
    void crash();
    void restart();

    std::uint64_t commits() const;     // That succeeded.
    std::uint64_t recoveries() const;  // Calls of recover().
    // Rows and tombstones held for all readers together: what a test of memory asks.
    std::uint64_t versions() const;

private:
    class MemorySnapshot;
    class MemoryCursor;
    struct Version {
        std::uint64_t sequence;
        std::optional<std::string> value;  // None: erased.
    };
    using Rows = std::map<std::string, std::vector<Version>, std::less<>>;  // Oldest version first.

    std::uint64_t begin_reading(const Snapshot* snapshot) const;
    void end_reading(std::uint64_t sequence) const;

    // All of these with mutex_ held.
    static const std::string* value_at(const std::vector<Version>& row, std::uint64_t sequence);
    std::optional<Error> fault();
    void apply(const Batch::Change& change, std::vector<std::string>& touched);
    void write(Rows::iterator row, std::optional<std::string> value);
    bool is_needed(std::uint64_t from_sequence, std::uint64_t to_sequence) const;
    void forget_unneeded(const std::string& key) const;
    void forget_unneeded() const;

    mutable std::mutex mutex_;
    mutable Rows rows_;
    mutable std::multiset<std::uint64_t> readers_;  // What open snapshots and cursors read.
    mutable std::set<std::string> overwritten_;     // Keys with versions to be forgotten later.
    mutable std::uint64_t forgotten_before_ = 0;    // What the oldest reader was at the last look.
    std::uint64_t sequence_ = 0;                    // Of the newest commit.
    std::uint64_t durable_sequence_ = 0;            // Of the newest that a crash keeps.
    std::set<std::string> unsynced_;                // Keys written after it.
    std::uint64_t attempts_ = 0;
    std::uint64_t commits_ = 0;
    std::uint64_t recoveries_ = 0;
    std::map<std::uint64_t, Error> failing_attempts_;
    std::optional<Error> failing_all_;
    bool crashed_ = false;
};

}  // namespace mailroom::kv
