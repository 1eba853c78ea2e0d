// How many mails of what were sent, arrived, were opened …, by day: kept, not counted.
//
//   MailroomEngagement   NUMBERS#{day}#{shard}   all#
//                                                template#{key}   sequence#{id}   domain#{name}
//                                                both#{digest of sequence and template}
//                        an N of each count, to be summed over the shards; Name S of a domain …
// The day is that of the happening (UTC).
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "engagement/events/entry.h"
#include "schedule/schedule.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

// Thread-safe.
class Numbers {
public:
    // All must outlive this object; `table` is MailroomEngagement.
    Numbers(table::Store& store, Random& random, schedule::Ownership ownership, std::string table);

    void add_to(schedule::Transaction& transaction, const Entry& entry,
                const std::vector<std::string_view>& counts) const;

private:
    std::uint64_t shard() const;

    table::Store& store_;
    Random& random_;
    const schedule::Ownership ownership_;
    const std::string table_;
};

}  // namespace mailroom::engagement
