// A copy of a store's tables into which every write comes some time after it was done: what reads
// see that are consistent only eventually.
//
// It has what was written through note(); a table that was written past it is copied anew after
// forget().
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "kv/memory_store.h"
#include "table/engine/engine.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::table {

// Thread-safe.
class LateCopy {
public:
    // Both must outlive this object.
    LateCopy(Store& original, const Clock& clock);

    // The table is copied from now on; what it has already is in the copy at once.
    void follow(const std::string& table);
    // The item of this key was, or may have been, written: the copy has it as it is now from
    // `visible` on, and not before what was noted of it earlier. `item` may have more than its key.
    void note(const std::string& table, const ItemView& item, Time visible);
    // The copy with all that is visible by `now`; none if the table, or an index of it, cannot be
    // read: then the original has the reason.
    Store* as_of(const std::string& table, Time now);

    // The table was changed in another way: it is copied anew when it is asked for.
    void forget(const std::string& table);
    void forget_all();
    // All that was noted is visible.
    void catch_up();

private:
    struct Change {
        std::string table;
        Item key;
        std::optional<Item> now;  // None: erased.
    };

    bool follow_locked(const std::string& table);
    bool copy_items(const std::string& table);
    void forget_locked(const std::string& table);
    void apply_until(Time now);
    void apply(const Change& change);

    Store& original_;
    SeededRandom random_{1};
    kv::MemoryStore rows_;
    std::unique_ptr<Engine> copy_;
    std::mutex mutex_;
    std::map<std::string, KeySchema, std::less<>> followed_;
    std::multimap<Time, Change> pending_;
    // When the last of the pending changes of an item becomes visible, by table and key.
    std::map<std::pair<std::string, std::string>, Time> last_;
};

}  // namespace mailroom::table
