// The counters of a sequence or broadcast, where other programs look for them: Audience,
// STATS#{sequence} / COUNTERS.
//
// Where several nodes share the tables, the transactions of a large broadcast would all meet at
// that one row. There each adds to one of several rows of our own, which are folded into it soon
// after:
//
//   MailroomEngagement   STATS#{shard}   {sequence}   an N of each count   Adds N (how often)
//                                                 Begun S (unlike any other)
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "schedule/schedule.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

// Thread-safe.
class SequenceCounts {
public:
    // All must outlive this object. `own` is MailroomEngagement.
    SequenceCounts(table::Store& store, const Clock& clock, Random& random,
                   schedule::Ownership ownership, std::string audience, std::string own);

    // Once in a transaction.
    void add_to(schedule::Transaction& transaction, const std::string& sequence,
                const std::vector<std::string_view>& counts) const;
    // To be called about every second where the tables are shared; any node may, at any time.
    Result<> fold() const;

private:
    Result<> fold(const table::Item& row) const;

    table::Store& store_;
    const Clock& clock_;
    Random& random_;
    const schedule::Ownership ownership_;
    const std::string audience_, own_;
};

}  // namespace mailroom::engagement
