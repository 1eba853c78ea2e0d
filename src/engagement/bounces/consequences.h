// What follows from a mail that did not arrive, or was not wanted: in the transaction of the event.
//
//   hard bounce, complaint   the person is suppressed
//   soft bounce              suppressed after so many mails in a row of which none arrived
//   not-spam                 undoes a complaint
//   policy, authentication   is our fault: the person keeps getting mail, the stream may be paused
#pragma once

#include "base/result.h"
#include "engagement/bounces/faults.h"
#include "engagement/events/account.h"
#include "engagement/events/streaks.h"
#include "engagement/events/witness.h"
#include "people/people.h"
#include "schedule/transaction.h"

namespace mailroom::engagement::bounces {

// Thread-safe.
class Consequences final : public Witness {
public:
    // All must outlive this object.
    Consequences(const people::People& people, Streaks& streaks, const Faults& faults)
        : people_(people), streaks_(streaks), faults_(faults) {}

    // Rests on the person, and on what is known of the mails to them, as they are now.
    Result<> add_to(schedule::Transaction& transaction, const Event& event) override;

private:
    Result<> follow_delivery(schedule::Transaction& transaction, const Event& event);
    Result<> follow_soft(schedule::Transaction& transaction, const Event& event);
    Result<> suppress(schedule::Transaction& transaction, const Event& event) const;
    Result<> take_back(schedule::Transaction& transaction, const Event& event) const;

    const people::People& people_;
    Streaks& streaks_;
    const Faults& faults_;
};

}  // namespace mailroom::engagement::bounces
