// Hands mails over to the transport, once.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "outbox/accept/departures.h"
#include "outbox/blobs/blobs.h"
#include "outbox/mail/ledger.h"
#include "outbox/sending/guard.h"
#include "outbox/sending/pauses.h"
#include "outbox/sending/rates.h"
#include "outbox/sending/sender_outcome.h"
#include "outbox/sending/signatures.h"
#include "outbox/sending/slate.h"
#include "outbox/sending/upkeep.h"
#include "outbox/transports/transport.h"
#include "people/permission.h"
#include "schedule/backoff.h"
#include "schedule/schedule.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>

namespace mailroom::outbox {

struct SenderOptions {
    UnknownPolicy unknown = UnknownPolicy::hold;
    std::chrono::seconds give_up_after = std::chrono::hours(72);  // From when it was first due.
    schedule::Backoff backoff = {.first = std::chrono::minutes(1),
                                 .longest = std::chrono::hours(4)};
    // Of the transport; and how many mails may be on their way at once, if that keeps them busy.
    std::size_t connections = 16;
    std::size_t on_their_way_max = 256;
    // A mail that another program moved to PROCESSING, and left there for so long, was abandoned.
    std::chrono::seconds abandoned_after = std::chrono::minutes(30);
    // What waits because a person said so; none: nothing does. Must outlive the sender.
    const Pauses* pauses = nullptr;
    // Told how long a mail took that was sent, from when it was accepted, or due if that was later.
    // Called on a thread that must not wait. May be empty.
    std::function<void(std::chrono::milliseconds)> sent = {};
    // Tells after a kill which mails are not in doubt, though they are marked. Must outlive the
    // sender. None: all that are marked are.
    Slate* slate = nullptr;
    // No other node has these tables: nobody needs marks who has the slate.
    bool is_alone = false;
    Upkeep upkeep = Upkeep::by_threads;
};

// What the sender needs of the crew that runs it.
struct SenderCrew {
    // Runs what follows an answer where it may block: Crew::post().
    std::function<void(std::function<void()>)> post;
    // Crew::add_in_hand().
    std::function<schedule::JobInHand(schedule::Transaction&, schedule::NewJob)> hold;
};

// The handler of the send queues. READY -> PROCESSING, durable before the first byte leaves; a mark
// (doubt.h), durable before the end of the message leaves; then SENT, FAILED, READY again at a
// later time for the recipients that were refused for now, or held.
// A mail of several recipients is SENT when each is settled and one at least has it. An answer that
// cannot be written down for lack of space, say, is kept and tried again.
//
// A mail that is offered while it is being accepted is written as PROCESSING in the same
// transaction, if there is a place for it: that saves reading it and writing it once more.
// Thread-safe.
class Sender final : public Departures {
public:
    // All must outlive this object, and the transport must have stopped before it goes.
    Sender(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, Transport& transport,
           people::Permission& permission, Rates& rates, const Signatures& signatures,
           const Clock& clock, Random& random, SenderOptions options, SenderCrew crew);
    ~Sender() override;
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    // Before the first run(): asked about mails that programs added.
    void guard_with(Guard& guard);

    void run(schedule::JobInHand job);
    void offer(std::shared_ptr<Departure> departure) override;
    // For Upkeep::by_calls, often: who waited too long to leave at once is queued, and what could
    // not be written down is tried again.
    void look();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::outbox
