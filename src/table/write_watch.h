// Hears of what others write into a table.
#pragma once

#include "table/operations.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

// Thread-safe; its functions are called on threads that must not wait.
class WriteWatch {
public:
    struct Rows {
        std::vector<std::string> keys;  // Partition keys that are texts; some may be there twice.
        bool may_vanish = false;        // Some are deleted, or replaced as a whole.
    };

    virtual ~WriteWatch() = default;
    // The table that is watched, and the name of its partition key.
    virtual std::string_view table() const = 0;
    virtual std::string_view key_name() const = 0;
    // A request that names the table is about to be made: what is given to the store before this
    // returns is on disk no later than what it writes.
    virtual void begin() = 0;
    // It is over, whatever came of it.
    virtual void end(Rows rows) = 0;
};

// From before a request is made until it is over.
class WatchedWrite {
public:
    WatchedWrite(WriteWatch& watch, WriteWatch::Rows rows);
    ~WatchedWrite();
    WatchedWrite(const WatchedWrite&) = delete;
    WatchedWrite& operator=(const WatchedWrite&) = delete;

private:
    WriteWatch& watch_;
    WriteWatch::Rows rows_;
};

// None if `watch` is none or the request writes nothing into its table. Keep it until the outcome
// is known; shared, because callbacks are copied.
using WatchedWriteInHand = std::shared_ptr<const WatchedWrite>;
WatchedWriteInHand watch_write(WriteWatch* watch, const PutItem& request);
WatchedWriteInHand watch_write(WriteWatch* watch, const UpdateItem& request);
WatchedWriteInHand watch_write(WriteWatch* watch, const DeleteItem& request);
WatchedWriteInHand watch_write(WriteWatch* watch, const BatchWrite& request);
WatchedWriteInHand watch_write(WriteWatch* watch, const TransactWrite& request);

}  // namespace mailroom::table
