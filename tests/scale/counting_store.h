// Rows that count how often this thread looks at them. A machine that is busy makes everything
// slower, but nobody read more: so what a question costs is told in rows.
#pragma once

#include "kv/store.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace mailroom {

// What the calling thread asked for: gets, and rows that a cursor came to.
inline thread_local std::int64_t rows_looked_at = 0;

class CountingCursor final : public kv::Cursor {
public:
    explicit CountingCursor(std::unique_ptr<kv::Cursor> cursor) : cursor_(std::move(cursor)) {}

    void seek(std::string_view key) override {
        ++rows_looked_at;
        cursor_->seek(key);
    }
    void seek_before(std::string_view key) override {
        ++rows_looked_at;
        cursor_->seek_before(key);
    }
    void next() override {
        ++rows_looked_at;
        cursor_->next();
    }
    void prev() override {
        ++rows_looked_at;
        cursor_->prev();
    }
    bool valid() const override { return cursor_->valid(); }
    std::string_view key() const override { return cursor_->key(); }
    std::string_view value() const override { return cursor_->value(); }
    Result<> status() const override { return cursor_->status(); }

private:
    std::unique_ptr<kv::Cursor> cursor_;
};

// `store` must outlive this object. Thread-safe.
class CountingStore final : public kv::Store {
public:
    explicit CountingStore(kv::Store& store) : store_(store) {}

    Result<std::optional<std::string>> get(std::string_view key,
                                           const kv::Snapshot* snapshot) const override {
        ++rows_looked_at;
        return store_.get(key, snapshot);
    }
    std::unique_ptr<kv::Snapshot> snapshot() const override { return store_.snapshot(); }
    std::unique_ptr<kv::Cursor> scan(std::string_view from, std::string_view to,
                                     const kv::Snapshot* snapshot) const override {
        return std::make_unique<CountingCursor>(store_.scan(from, to, snapshot));
    }
    Result<> commit(const kv::Batch& batch, kv::Sync sync) override {
        return store_.commit(batch, sync);
    }
    Result<> recover() override { return store_.recover(); }
    void reclaim(std::string_view from, std::string_view to) override { store_.reclaim(from, to); }
    std::uint64_t approximate_bytes(std::string_view from, std::string_view to) const override {
        return store_.approximate_bytes(from, to);
    }

private:
    kv::Store& store_;
};

}  // namespace mailroom
