// How many rows each table and index has, and their size.
//
// A write tells what it changes in a Tally, which travels with its batch as something deferred. The
// committer's thread adds up all that meet in one commit and writes the counts with it. So what is
// counted on disk is what is on disk, whatever crashes or fails.
#pragma once

#include "base/result.h"
#include "kv/batch.h"
#include "kv/store.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace mailroom::table {

// Changed by the committer's thread alone, read by everybody.
struct Counter {
    void add(std::int64_t more_items, std::int64_t more_bytes) {
        items += more_items;
        bytes += more_bytes;
    }

    std::atomic<std::int64_t> items = 0;
    std::atomic<std::int64_t> bytes = 0;
};

Result<> load_counter(const kv::Store& kv, std::uint32_t id, Counter& counter);

// What changes in the counts of tables and indexes, by their ids.
class Tally {
public:
    struct Change {
        std::uint32_t id;
        std::int64_t items = 0, bytes = 0;
        bool dropped = false;  // After all else: there is nothing to be counted any more.
    };

    void add(const Change& change);
    void drop(std::uint32_t id) { add({id, 0, 0, true}); }
    void add_deferred(const kv::Batch& batch);
    void defer_to(kv::Batch& batch) const;
    const std::vector<Change>& changes() const { return changes_; }

private:
    std::vector<Change> changes_;  // One for each id: a write knows few.
};

class Counts {
public:
    // Before anything is queued that changes it. Known until it is dropped, or no definition has
    // it.
    void know(std::uint32_t id, const std::shared_ptr<Counter>& counter);

    // Counts what `batch` defers, and `more`, and adds the rows of what changed. On the committer's
    // thread, for every commit: if that fails, `take_back` undoes it.
    void add_to(kv::Batch& batch, Tally more);
    void take_back();

private:
    struct Counted {
        std::shared_ptr<Counter> counter;
        Tally::Change change;
    };
    std::mutex mutex_;
    std::map<std::uint32_t, std::weak_ptr<Counter>> counters_;
    std::vector<Counted> last_;  // In the last commit.
};

}  // namespace mailroom::table
