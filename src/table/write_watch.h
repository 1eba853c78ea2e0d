// Hears of what others write into a table.
#pragma once

#include "table/operations.h"

#include <memory>
#include <span>
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
    virtual void begin(const Rows& rows) = 0;
    // It is over, whatever came of it; its answer may be out already.
    virtual void end(Rows rows) = 0;
};

// Those of several tables; they outlive whoever was given them.
using WriteWatches = std::span<WriteWatch* const>;

// From before a request is made until it is over.
class WatchedWrite {
public:
    struct Part {
        WriteWatch* watch;
        WriteWatch::Rows rows;
    };
    explicit WatchedWrite(std::vector<Part> parts);
    ~WatchedWrite();
    WatchedWrite(const WatchedWrite&) = delete;
    WatchedWrite& operator=(const WatchedWrite&) = delete;

private:
    std::vector<Part> parts_;
};

// None if the request writes nothing into their tables. Keep it until the outcome is known; shared,
// because callbacks are copied.
using WatchedWriteInHand = std::shared_ptr<const WatchedWrite>;
WatchedWriteInHand watch_write(WriteWatches watches, const PutItem& request);
WatchedWriteInHand watch_write(WriteWatches watches, const UpdateItem& request);
WatchedWriteInHand watch_write(WriteWatches watches, const DeleteItem& request);
WatchedWriteInHand watch_write(WriteWatches watches, const BatchWrite& request);
WatchedWriteInHand watch_write(WriteWatches watches, const TransactWrite& request);

}  // namespace mailroom::table
