// What is written when the answers to a mail are there.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "outbox/ledger.h"
#include "outbox/passage.h"
#include "outbox/sender_outcome.h"
#include "schedule/backoff.h"
#include "schedule/transaction.h"
#include "smtp/delivery.h"

namespace mailroom::outbox {

// Thread-safe.
class Settlement {
public:
    // All must outlive this object.
    Settlement(Ledger& ledger, const Clock& clock, Random& random, schedule::Backoff backoff)
        : ledger_(ledger), clock_(clock), random_(random), backoff_(backoff) {}

    // All that follows from an answer, in one transaction. The mail becomes what is written.
    schedule::Transaction what_follows(Passage& passage, const SendOutcome& outcome,
                                       const smtp::Delivery& delivery) const;

private:
    void write_held(schedule::Transaction& together, Passage& passage,
                    const SendOutcome& outcome) const;
    void write_again(schedule::Transaction& together, Passage& passage,
                     const SendOutcome& outcome) const;
    void write_end(schedule::Transaction& together, Passage& passage, const SendOutcome& outcome,
                   const smtp::Delivery& delivery) const;

    Ledger& ledger_;
    const Clock& clock_;
    Random& random_;
    const schedule::Backoff backoff_;
};

}  // namespace mailroom::outbox
