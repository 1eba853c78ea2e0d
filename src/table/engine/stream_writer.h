// Writes the records of streams and of histories, in the same batch as the change they tell of.
//
// Sequence numbers are given out in the order in which batches are queued, so readers never see a
// number before a smaller one: writers of tables with a stream hold one lock from the first number
// until their batch is queued. Writers of other tables only ask whether there is a stream.
#pragma once

#include "base/clock.h"
#include "kv/batch.h"
#include "kv/store.h"
#include "table/engine/set_backs.h"
#include "table/engine/stream_rows.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace mailroom::table {

class StreamWriter {
public:
    using Order = std::unique_lock<std::mutex>;

    // Finds the next sequence number.
    Result<> load(const kv::Store& kv);

    // Holds the lock if any of the steps is on a table that records changes.
    template <class Steps>
    Order order(const Steps& steps) {
        for (const auto& step : steps) {
            if (step.table->records_changes()) return Order(mutex_);
        }
        return {};
    }
    // Under order(): when a group of changes happens that reach the disk together. Asked once for
    // all of them, so that going back to a moment shows all or none. Never before the moment of an
    // earlier group, and always after one that latest() gave out, whatever the clock does; but see
    // set_backs.h for a clock that was far ahead.
    Time moment(Time now);
    // The last moment that a table can go back to: that of the newest changes, or now.
    Time latest(Time now);
    // Adds where moments went back and nobody knows yet whether that is on disk. Returns the last
    // number concerned; none: there is nothing to add.
    std::optional<std::uint64_t> add_set_backs(Time now, kv::Batch& batch);
    // They are on disk up to this number.
    void settle_set_backs(std::uint64_t last);
    // Under order(), and only for a table that records changes. A change that leaves the item as it
    // was is not recorded.
    void add(const Definition& table, const ItemChange& change, Time at, kv::Batch& batch);

    // Under Catalog::change(): `stream` of the table, its stream or its history, begins or ends
    // with this batch.
    void begin(const Definition& table, const TableStream& stream, kv::Batch& batch);
    void end(const Definition& table, const TableStream& stream, Time at, kv::Batch& batch);

private:
    void follow(Time now);
    void tell_if_behind(std::chrono::milliseconds behind);

    std::mutex mutex_;
    std::uint64_t next_ = 1;
    Time last_at_;   // Of the newest record.
    Time first_at_;  // Of the next one, at least.
    // Go with every record until they are known to be on disk: no record that counts on one of them
    // is there without it.
    std::vector<SetBack> unsettled_;
    bool told_behind_ = false;
};

}  // namespace mailroom::table
