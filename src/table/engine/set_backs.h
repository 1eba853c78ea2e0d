// What moments mean after a clock was wrong.
//
// The moment of a change is never before that of an earlier one, or going back to one of them
// would show a part of a transaction. So a clock that is set back a little is waited for. But one
// that was a year ahead would stop the time of all tables for a year: then moments go back with it,
// once, and all that was recorded until then counts as over by the moment at which they did.
#pragma once

#include "base/clock.h"
#include "kv/batch.h"
#include "kv/store.h"
#include "table/failure.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace mailroom::table {

struct Core;

// A clock that is further behind the newest change than this was ahead before: it is not waited
// for. Longer than a wrong daylight saving time.
constexpr std::chrono::milliseconds clock_wait_max = std::chrono::hours(2);

// Moments went back once: what has a smaller sequence number was over at `at`.
struct SetBack {
    std::uint64_t before = 0;
    Time at;

    void add_to(kv::Batch& batch) const;
};

// All of them, in their order.
class SetBacks {
public:
    static Result<SetBacks> read(const kv::Store& kv, const kv::Snapshot* snapshot = nullptr);

    // When a change happened that was recorded with this number and this moment.
    Time real_moment(std::uint64_t sequence, Time recorded) const;
    const std::vector<SetBack>& all() const { return all_; }

private:
    std::vector<SetBack> all_;
};

// Makes durable that moments went back, if they have to: before anybody is told of one, or anything
// is dropped by them. Not under a lock.
Outcome<> follow_clock(Core& core);

}  // namespace mailroom::table
