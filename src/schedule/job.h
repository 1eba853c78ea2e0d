// A job in hand.
#pragma once

#include "base/clock.h"
#include "schedule/position.h"
#include "schedule/transaction.h"
#include "table/failure.h"
#include "table/value.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::schedule {

// What there is to do, as it is written.
struct NewJob {
    std::string queue;      // Lower-case words joined by dots: "outbox.send.bulk".
    std::string key;        // What it is about, 1 to 512 bytes: a mail's id. A second job of the
                            // queue with the same key and the same due time is a `conflict`.
    Time due;               // Not before. The past means now.
    table::Item data = {};  // The caller's own. Small: at most 4 KB.
};

// One due job, held by this process: a Crew gives it to nobody else as long as this object lives.
// Other processes are kept off by claim(). It ends with one of finish(), move() or bury() in a
// transaction that is committed; one that is dropped without an end is found again when its claim
// has run out, or after a pause if it had none.
//
// The functions that take a Transaction only add writes to it, with the condition that the job is
// still held as it was read or claimed: if it is not, the whole transaction is refused as
// `conflict`, and nothing of it happens. Not thread-safe, but may pass from thread to thread.
class Job {
public:
    virtual ~Job() = default;

    virtual const Position& position() const = 0;
    virtual const table::Item& data() const = 0;
    // How often it was claimed before: 0 for a new one.
    virtual std::int64_t attempts() const = 0;
    // Somebody claimed it and was not heard of again: their work may be half done.
    virtual bool interrupted() const = 0;
    // The name of the claim: ours, else theirs; empty if there is none. "node:number", where no
    // other process has that node.
    virtual std::string_view lease() const = 0;
    // What they, or those before them, noted with mark(). In no particular order.
    virtual const std::vector<std::string>& marks() const = 0;

    std::string_view queue() const { return position().queue(); }
    std::string_view key() const { return position().key(); }
    Time due() const { return position().due(); }

    // Holds it for everybody to see, for the crew's lease time, which the crew prolongs as long as
    // this object lives. A job whose whole work is one transaction needs none: it is enough that
    // the same transaction ends it.
    virtual void claim(Transaction& transaction) = 0;
    // The same, with other data from now on: what a successor finds if this holder is interrupted.
    virtual void claim(Transaction& transaction, const table::Item& data) = 0;

    // Notes, durably, how far the holder of a claim has come, for who finds the job interrupted.
    // Refused as `conflict` if somebody else has it: then nothing that rests on the mark may be
    // done. `told` is told on a thread of the store's, as in commit(), or of the crew's; this
    // returns without waiting. A mark is short, and stays until the job is moved or ends. Several
    // threads may mark at once, as long as nothing else is done with the job.
    virtual void mark(std::string text, std::function<void(table::Outcome<>)> told) = 0;
    // Whether nobody can have taken the claim in the meantime: not if this process stood still for
    // longer than a lease. Asks nobody; thread-safe as mark().
    virtual bool is_surely_held() const = 0;

    // As Schedule::commit(), without waiting: `then`, if any, is told on a thread of the crew,
    // where it may block. The crew does not end before. `told`, if any, is told the same a little
    // earlier, on a thread of the store's: it must be quick and must not ask the store.
    using Then = std::function<void(table::Outcome<>)>;
    virtual void commit(Transaction transaction, Then then, Then told = {}) = 0;

    // It is done.
    virtual void finish(Transaction& transaction) = 0;
    // Again, not before `due`, with the same or other data; in another queue, or with another key,
    // if one is named (empty: the same). Attempts go on counting, but not in another queue.
    virtual Position move(Transaction& transaction, Time due) = 0;
    virtual Position move(Transaction& transaction, NewJob next) = 0;
    // It cannot be done, and people decide: it is kept among the dead of its queue.
    virtual void bury(Transaction& transaction, std::string_view reason) = 0;
};

// Shared because an answer from outside and the crew's clock look after the same job.
using JobInHand = std::shared_ptr<Job>;

}  // namespace mailroom::schedule
