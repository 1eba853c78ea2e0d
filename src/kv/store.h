// Ordered bytes on disk or in memory: get, scan both ways, snapshot, atomic batch.
//
// Keys compare as unsigned bytes; keys and values may be empty and hold any byte. A Batch is all or
// nothing. Everything here is thread-safe unless it says otherwise; Cursors and Batches belong to
// one thread at a time.
#pragma once

#include "base/result.h"
#include "kv/batch.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::kv {

// What readers saw at one moment. Belongs to the Store that made it, and must be destroyed before
// it.
class Snapshot {
public:
    virtual ~Snapshot() = default;
};

// A position in [from, to) of a snapshot. Starts nowhere: call a seek first. `key` and `value` stay
// valid until the next move. Must be destroyed before its Store (and before the Snapshot it reads).
class Cursor {
public:
    virtual ~Cursor() = default;
    virtual void seek(std::string_view key) = 0;  // To the first row >= key.
    // To the last row < key; an empty key is the end of everything, as for scan(), so
    // seek_before(to) is always the last row of the range.
    virtual void seek_before(std::string_view key) = 0;
    virtual void next() = 0;  // Only when valid().
    virtual void prev() = 0;  // Only when valid().
    virtual bool valid() const = 0;
    virtual std::string_view key() const = 0;    // Only when valid().
    virtual std::string_view value() const = 0;  // Only when valid().
    // Ok at the end of the range; the reason when reading failed. Check it when valid() turns
    // false.
    virtual Result<> status() const = 0;
};

enum class Sync {
    full,     // On disk before commit returns.
    relaxed,  // May be lost in a crash, never torn: only for throw-away data.
};

class Store {
public:
    virtual ~Store() = default;

    // The newest committed value (with no snapshot), or none. `unavailable` or `corrupt` otherwise.
    virtual Result<std::optional<std::string>> get(std::string_view key,
                                                   const Snapshot* snapshot = nullptr) const = 0;
    virtual std::unique_ptr<Snapshot> snapshot() const = 0;
    // Rows with from <= key < to; an empty `to` is the end of everything. With no snapshot, the
    // cursor reads the state at its creation.
    virtual std::unique_ptr<Cursor> scan(std::string_view from, std::string_view to,
                                         const Snapshot* snapshot = nullptr) const = 0;
    // After Ok with Sync::full the batch survives a power cut, and every later read sees it; no
    // reader sees it before it is durable. After an error nothing of it is visible; if the process
    // dies before recover() succeeds, a failed batch may still turn up, whole, at the next start.
    virtual Result<> commit(const Batch& batch, Sync sync) = 0;
    // After a failed commit: tries to make the store writable again (a full disk was emptied).
    virtual Result<> recover() = 0;
    // Gives disk space of erased ranges back. Only a hint: returns at once, may do nothing, and
    // never changes what readers see.
    virtual void reclaim(std::string_view from, std::string_view to) = 0;
    // About how many bytes the rows in [from, to) take on disk; an empty `to` as for scan().
    virtual std::uint64_t approximate_bytes(std::string_view from, std::string_view to) const = 0;
};

}  // namespace mailroom::kv
