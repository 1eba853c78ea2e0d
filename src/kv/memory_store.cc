#include "kv/memory_store.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace mailroom::kv {

namespace {

Error crashed() { return {Errc::unavailable, "the store has crashed and was not restarted"}; }

}  // namespace

class MemoryStore::MemorySnapshot final : public Snapshot {
public:
    MemorySnapshot(const MemoryStore& store, std::uint64_t at) : sequence(at), store_(store) {}
    ~MemorySnapshot() override { store_.end_reading(sequence); }

    const std::uint64_t sequence;

private:
    const MemoryStore& store_;
};

// Finds its place again by key at every move, and holds copies: commits may come in between.
class MemoryStore::MemoryCursor final : public Cursor {
public:
    MemoryCursor(const MemoryStore& store, std::string_view from, std::string_view to,
                 std::uint64_t sequence)
        : store_(store), from_(from), to_(to), sequence_(sequence) {}
    ~MemoryCursor() override { store_.end_reading(sequence_); }

    void seek(std::string_view key) override {
        const std::lock_guard lock(store_.mutex_);
        settle_forwards(store_.rows_.lower_bound(std::max<std::string_view>(key, from_)));
    }
    void seek_before(std::string_view key) override {
        const std::lock_guard lock(store_.mutex_);
        settle_backwards(end_before(key));
    }
    void next() override {
        assert(valid_);
        const std::lock_guard lock(store_.mutex_);
        settle_forwards(store_.rows_.upper_bound(key_));
    }
    void prev() override {
        assert(valid_);
        const std::lock_guard lock(store_.mutex_);
        settle_backwards(store_.rows_.lower_bound(key_));
    }
    bool valid() const override { return valid_; }
    std::string_view key() const override {
        assert(valid_);
        return key_;
    }
    std::string_view value() const override {
        assert(valid_);
        return value_;
    }
    Result<> status() const override {
        if (failed_) return crashed();
        return Ok{};
    }

private:
    bool is_past_end(std::string_view key) const { return !to_.empty() && key >= to_; }

    // One past the last row < key and < to_.
    Rows::iterator end_before(std::string_view key) const {
        const bool open_end = key.empty() || is_past_end(key);
        const std::string_view end = open_end ? std::string_view(to_) : key;
        return end.empty() ? store_.rows_.end() : store_.rows_.lower_bound(end);
    }

    // To the first row from `at` on that this cursor sees.
    void settle_forwards(Rows::iterator at) {
        valid_ = false;
        failed_ = store_.crashed_;
        if (failed_) return;
        for (; at != store_.rows_.end() && !is_past_end(at->first); ++at) {
            if (take(at)) return;
        }
    }
    // To the last row before `end` that this cursor sees.
    void settle_backwards(Rows::iterator end) {
        valid_ = false;
        failed_ = store_.crashed_;
        if (failed_) return;
        while (end != store_.rows_.begin()) {
            --end;
            if (end->first < from_) return;
            if (take(end)) return;
        }
    }
    bool take(Rows::iterator row) {
        const auto* value = value_at(row->second, sequence_);
        if (!value) return false;
        key_ = row->first;
        value_ = *value;
        valid_ = true;
        return true;
    }

    const MemoryStore& store_;
    const std::string from_, to_;
    const std::uint64_t sequence_;
    std::string key_, value_;
    bool valid_ = false;
    bool failed_ = false;
};

Result<std::optional<std::string>> MemoryStore::get(std::string_view key,
                                                    const Snapshot* snapshot) const {
    const std::lock_guard lock(mutex_);
    if (crashed_) return crashed();
    const auto row = rows_.find(key);
    if (row == rows_.end()) return std::optional<std::string>();
    const auto sequence =
        snapshot ? static_cast<const MemorySnapshot*>(snapshot)->sequence : sequence_;
    const auto* value = value_at(row->second, sequence);
    return value ? std::optional(*value) : std::nullopt;
}

std::unique_ptr<Snapshot> MemoryStore::snapshot() const {
    return std::make_unique<MemorySnapshot>(*this, begin_reading(nullptr));
}

std::unique_ptr<Cursor> MemoryStore::scan(std::string_view from, std::string_view to,
                                          const Snapshot* snapshot) const {
    return std::make_unique<MemoryCursor>(*this, from, to, begin_reading(snapshot));
}

Result<> MemoryStore::commit(const Batch& batch, Sync sync) {
    const std::lock_guard lock(mutex_);
    if (auto error = fault()) return *std::move(error);
    ++sequence_;
    ++commits_;
    std::vector<std::string> touched;
    for (std::size_t i = 0; i < batch.size(); ++i) apply(batch.change(i), touched);
    if (sync == Sync::full) {
        durable_sequence_ = sequence_;
        unsynced_.clear();
    } else {
        unsynced_.insert(touched.begin(), touched.end());
    }
    for (const auto& key : touched) forget_unneeded(key);
    forget_unneeded();
    return Ok{};
}

Result<> MemoryStore::recover() {
    const std::lock_guard lock(mutex_);
    ++recoveries_;
    if (crashed_) return crashed();
    if (failing_all_) return *failing_all_;
    return Ok{};
}

void MemoryStore::reclaim(std::string_view, std::string_view) {}

std::uint64_t MemoryStore::approximate_bytes(std::string_view from, std::string_view to) const {
    const std::lock_guard lock(mutex_);
    std::uint64_t bytes = 0;
    if (crashed_) return bytes;
    for (auto row = rows_.lower_bound(from); row != rows_.end(); ++row) {
        if (!to.empty() && row->first >= to) break;
        const auto* value = value_at(row->second, sequence_);
        if (value) bytes += row->first.size() + value->size();
    }
    return bytes;
}

void MemoryStore::fail_commit(std::uint64_t nth, Error error) {
    assert(nth > 0);
    const std::lock_guard lock(mutex_);
    failing_attempts_.insert_or_assign(attempts_ + nth, std::move(error));
}

void MemoryStore::fail_commits(Error error) {
    const std::lock_guard lock(mutex_);
    failing_all_ = std::move(error);
}

void MemoryStore::heal() {
    const std::lock_guard lock(mutex_);
    failing_all_.reset();
    failing_attempts_.clear();
}

void MemoryStore::crash() {
    const std::lock_guard lock(mutex_);
    crashed_ = true;
    for (const auto& key : unsynced_) {
        const auto row = rows_.find(key);
        if (row == rows_.end()) continue;
        std::erase_if(row->second,
                      [&](const Version& version) { return version.sequence > durable_sequence_; });
        if (row->second.empty()) rows_.erase(row);
    }
    unsynced_.clear();
    // Sequence numbers are not used again, so a snapshot from before the crash stays a snapshot.
    durable_sequence_ = sequence_;
    forget_unneeded();
}

void MemoryStore::restart() {
    const std::lock_guard lock(mutex_);
    crashed_ = false;
}

std::uint64_t MemoryStore::commits() const {
    const std::lock_guard lock(mutex_);
    return commits_;
}

std::uint64_t MemoryStore::recoveries() const {
    const std::lock_guard lock(mutex_);
    return recoveries_;
}

std::uint64_t MemoryStore::versions() const {
    const std::lock_guard lock(mutex_);
    std::uint64_t count = 0;
    for (const auto& [key, row] : rows_) count += row.size();
    return count;
}

std::uint64_t MemoryStore::begin_reading(const Snapshot* snapshot) const {
    const std::lock_guard lock(mutex_);
    const auto sequence =
        snapshot ? static_cast<const MemorySnapshot*>(snapshot)->sequence : sequence_;
    readers_.insert(sequence);
    return sequence;
}

void MemoryStore::end_reading(std::uint64_t sequence) const {
    const std::lock_guard lock(mutex_);
    readers_.erase(readers_.find(sequence));
    forget_unneeded();
}

const std::string* MemoryStore::value_at(const std::vector<Version>& row, std::uint64_t sequence) {
    for (auto version = row.rbegin(); version != row.rend(); ++version) {
        if (version->sequence <= sequence) return version->value ? &*version->value : nullptr;
    }
    return nullptr;
}

std::optional<Error> MemoryStore::fault() {
    ++attempts_;
    std::optional<Error> error;
    if (auto failing = failing_attempts_.extract(attempts_)) error = std::move(failing.mapped());
    if (failing_all_) error = failing_all_;
    if (crashed_) error = crashed();
    return error;
}

void MemoryStore::apply(const Batch::Change& change, std::vector<std::string>& touched) {
    switch (change.kind) {
        case Batch::Kind::put:
            touched.emplace_back(change.key);
            write(rows_.try_emplace(touched.back()).first, std::string(change.value));
            return;
        case Batch::Kind::erase: {
            const auto row = rows_.find(change.key);
            if (row == rows_.end()) return;
            touched.push_back(row->first);
            write(row, std::nullopt);
            return;
        }
        case Batch::Kind::erase_range: {
            auto row = rows_.lower_bound(change.key);
            for (; row != rows_.end() && row->first < change.value; ++row) {
                touched.push_back(row->first);
                write(row, std::nullopt);
            }
            return;
        }
    }
}

void MemoryStore::write(Rows::iterator row, std::optional<std::string> value) {
    auto& versions = row->second;
    // Nobody can see between two changes of one batch, so the later one replaces the earlier.
    if (!versions.empty() && versions.back().sequence == sequence_) versions.pop_back();
    versions.push_back({sequence_, std::move(value)});
}

// Whether anybody reads at a moment in [from_sequence, to_sequence).
bool MemoryStore::is_needed(std::uint64_t from_sequence, std::uint64_t to_sequence) const {
    const auto reader = readers_.lower_bound(from_sequence);
    return (reader != readers_.end() && *reader < to_sequence) ||
           (from_sequence <= durable_sequence_ && durable_sequence_ < to_sequence);
}

void MemoryStore::forget_unneeded(const std::string& key) const {
    const auto row = rows_.find(key);
    if (row == rows_.end()) return;
    std::vector<Version> kept;
    auto& versions = row->second;
    for (std::size_t i = 0; i < versions.size(); ++i) {
        const bool newest = i + 1 == versions.size();
        if (!newest && !is_needed(versions[i].sequence, versions[i + 1].sequence)) continue;
        // With nothing before it, "erased" says no more than "absent".
        if (kept.empty() && !versions[i].value) continue;
        kept.push_back(std::move(versions[i]));
    }
    if (kept.size() > 1) overwritten_.insert(key);
    if (kept.empty()) {
        rows_.erase(row);
    } else {
        versions = std::move(kept);
    }
}

void MemoryStore::forget_unneeded() const {
    auto oldest = durable_sequence_;
    if (!readers_.empty()) oldest = std::min(oldest, *readers_.begin());
    if (oldest <= forgotten_before_) return;
    forgotten_before_ = oldest;
    for (const auto& key : std::exchange(overwritten_, {})) forget_unneeded(key);
}

}  // namespace mailroom::kv
