// Rows whose process is killed, or whose machine loses its power, at a commit of our choice.
#pragma once

#include "kv/memory_store.h"
#include "sim/events.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace mailroom::sim {

// What the dead process still asks is `unavailable`, and changes nothing.
class CrashingRows final : public kv::Store {
public:
    enum class Last { done, not_done };
    enum class Loss {
        nothing,   // The process was killed: the system keeps what it was given.
        unsynced,  // The power went: of what was not synced a part at the end is lost.
    };

    // The nth commit from now (1 is the next) is the last thing that the process does.
    void crash_in(std::uint64_t commits, Last last);
    void crash() { crashed_ = true; }
    bool has_crashed() const { return crashed_; }
    // For the next process; all readers must be gone.
    void restart(Loss loss, Chance& chance);

    void fill_disk() { rows_.fail_commits({Errc::unavailable, "no space is left on the disk"}); }
    void free_disk() { rows_.heal(); }

    Result<std::optional<std::string>> get(std::string_view key,
                                           const kv::Snapshot* snapshot) const override;
    std::unique_ptr<kv::Snapshot> snapshot() const override { return rows_.snapshot(); }
    std::unique_ptr<kv::Cursor> scan(std::string_view from, std::string_view to,
                                     const kv::Snapshot* snapshot) const override {
        return rows_.scan(from, to, snapshot);
    }
    Result<> commit(const kv::Batch& batch, kv::Sync sync) override;
    Result<> recover() override;
    void reclaim(std::string_view from, std::string_view to) override { rows_.reclaim(from, to); }
    std::uint64_t approximate_bytes(std::string_view from, std::string_view to) const override {
        return rows_.approximate_bytes(from, to);
    }

private:
    Result<> write(const kv::Batch& batch, kv::Sync sync);

    kv::MemoryStore rows_;
    std::vector<kv::Batch> unsynced_;
    std::uint64_t commits_left_ = 0;  // 0: no crash is to come.
    Last last_ = Last::done;
    bool crashed_ = false;
};

}  // namespace mailroom::sim
