// Tells a webhook again what happened since a time: as a job, some at a time, so that it goes on
// after a kill.
#pragma once

#include "base/refusal.h"
#include "engagement/webhooks/deliveries.h"
#include "schedule/schedule.h"

#include <string_view>

namespace mailroom::engagement::webhooks {

inline constexpr std::string_view replays_queue = "engagement.replays";

// The handler of replays_queue. Thread-safe.
class Replays {
public:
    // All must outlive this object.
    Replays(schedule::Schedule& schedule, Deliveries& deliveries, const Clock& clock)
        : schedule_(schedule), deliveries_(deliveries), clock_(clock) {}

    // Durable when it returns.
    Answer<> begin(const Deliveries::Again& again);
    void run(schedule::JobInHand job);

private:
    Result<> handle(schedule::Job& job);

    schedule::Schedule& schedule_;
    Deliveries& deliveries_;
    const Clock& clock_;
};

}  // namespace mailroom::engagement::webhooks
