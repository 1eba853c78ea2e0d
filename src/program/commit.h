// The end of a decision.
#pragma once

#include "base/refusal.h"
#include "schedule/schedule.h"

namespace mailroom::program {

// Commits what was decided on rows as they were read: `lost_race` if somebody else was faster.
inline Answer<> commit(schedule::Schedule& schedule, const schedule::Transaction& transaction) {
    const auto committed = schedule.commit(transaction);
    if (committed) return Ok{};
    const Error error = committed.error();
    if (error.code == Errc::conflict) return Refusal::lost_race();
    return Refusal(error);
}

}  // namespace mailroom::program
