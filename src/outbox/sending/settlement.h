// What is written when the answers to a mail are there.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "outbox/mail/followers.h"
#include "outbox/mail/ledger.h"
#include "outbox/sending/passage.h"
#include "outbox/sending/sender_outcome.h"
#include "schedule/backoff.h"
#include "schedule/transaction.h"
#include "smtp/delivery.h"

namespace mailroom::outbox {

// Thread-safe.
class Settlement {
public:
    // All must outlive this object.
    Settlement(Ledger& ledger, schedule::Schedule& schedule, const Clock& clock, Random& random,
               schedule::Backoff backoff)
        : ledger_(ledger),
          schedule_(schedule),
          clock_(clock),
          random_(random),
          backoff_(backoff),
          followers_(ledger, schedule, clock) {}

    // All that follows from an answer, in one transaction. The mail becomes what is written.
    schedule::Transaction what_follows(Passage& passage, const SendOutcome& outcome,
                                       const smtp::Delivery& delivery) const;
    // Somebody found the mail without its answer and held it; the answer is there all the same.
    // `outcome` must not be `held`. The mail must be as it was read just now.
    void end_doubt(schedule::Transaction& together, Mail& mail, const SendOutcome& outcome,
                   const smtp::Delivery& delivery) const;

private:
    void write_held(schedule::Transaction& together, Passage& passage,
                    const SendOutcome& outcome) const;
    void write_again(schedule::Transaction& together, Passage& passage,
                     const SendOutcome& outcome) const;
    void write_end(schedule::Transaction& together, Passage& passage, const SendOutcome& outcome,
                   const smtp::Delivery& delivery) const;

    Ledger& ledger_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    Random& random_;
    const schedule::Backoff backoff_;
    const Followers followers_;
};

}  // namespace mailroom::outbox
