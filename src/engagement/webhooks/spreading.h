// Tells of an event those webhooks that find no room in its transaction: as a job that is written
// with it, so that none is forgotten, and that adds to each what it is to be told.
#pragma once

#include "base/clock.h"
#include "engagement/events/witness.h"
#include "engagement/webhooks/deliveries.h"
#include "schedule/schedule.h"
#include "table/store.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::engagement::webhooks {

inline constexpr std::string_view spreading_queue = "engagement.spreading";

// One write: the job.
void add_spreading(schedule::Schedule& schedule, schedule::Transaction& transaction, Time now,
                   const Event& event, const std::vector<std::string>& webhooks);

// The handler of spreading_queue. Thread-safe.
class Spreading {
public:
    struct Tables {
        std::string events, audience;  // Where the rows of events are.
    };
    // All must outlive this object.
    Spreading(schedule::Schedule& schedule, Deliveries& deliveries, Tables tables)
        : schedule_(schedule), deliveries_(deliveries), tables_(std::move(tables)) {}

    void run(schedule::JobInHand job);

private:
    Result<> handle(schedule::Job& job);
    Result<> commit(const schedule::Transaction& transaction);

    schedule::Schedule& schedule_;
    Deliveries& deliveries_;
    const Tables tables_;
};

}  // namespace mailroom::engagement::webhooks
