// Mails that leave as soon as they are accepted, without waiting in the queue.
#pragma once

#include "outbox/mail/mail.h"
#include "schedule/transaction.h"
#include "table/failure.h"

#include <functional>
#include <memory>
#include <string>

namespace mailroom::outbox {

// A mail that is being accepted.
struct Departure {
    Mail mail;               // READY, and due.
    bool has_new_id = true;  // Made up for it, so that nothing of it can be there.
    std::string message;
    schedule::Transaction together;  // With its blobs; without its rows and its job.
    // Adds what else is to be written, to the transaction of the mail as it will be. May be empty.
    std::function<void(schedule::Transaction&, const Mail&)> also = {};

    // Adds the rows of the mail as it will be, which has its job and is PROCESSING, and what `also`
    // adds, to `together`.
    std::function<void(Departure&, Mail&)> write_rows = {};
    // Exactly one of these is called. It cannot leave now: mail and transaction are as they were,
    // and it is to be queued.
    std::function<void(Departure&)> stays = {};
    // It was written as PROCESSING, durably, or could not be.
    std::function<void(const Departure&, const table::Outcome<>&)> leaves = {};
};

class Departures {
public:
    virtual ~Departures() = default;
    // Takes the mail along if it can leave at once or a moment later. Thread-safe.
    virtual void offer(std::shared_ptr<Departure> departure) = 0;
};

}  // namespace mailroom::outbox
