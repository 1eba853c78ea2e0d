// The end of a mail's visit: from before the end of its message leaves to the rows that say what
// became of it. Nothing that a server answered is forgotten, however long the store refuses it.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "outbox/mail/ledger.h"
#include "outbox/sending/doubt.h"
#include "outbox/sending/passage.h"
#include "outbox/sending/sender.h"
#include "outbox/sending/settlement.h"
#include "outbox/sending/settling_order.h"
#include "outbox/sending/unsettled.h"
#include "schedule/schedule.h"
#include "smtp/delivery.h"

#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace mailroom::outbox {

// Whether a step of a mail was ours to make: too late if somebody else has its job, or moved it.
enum class Committed { yes, too_late };
Result<Committed> read_outcome(const table::Outcome<>& committed, const Mail& mail);
void log_taken(const Mail& mail);
// Where the claims of this process say that offers are.
OffersIn offers_in(const SenderOptions& options);

// For the sender's own files. Thread-safe.
class Answers {
public:
    // All must outlive this object; `options` are the sender's own.
    Answers(Ledger& ledger, schedule::Schedule& schedule, const Clock& clock, Random& random,
            const SenderOptions& options);

    // What the transport is to ask before the end of the message leaves.
    smtp::BeforeEnd before_end(const PassageInHand& passage);
    // The transport's answer: to be told at once, and settled by who may wait. A mark that comes
    // between waits for that.
    SettlingOrder::Ticket answered(const Passage& passage, const smtp::Delivery& delivery);
    void written(SettlingOrder::Ticket ticket) { order_.written(ticket); }
    void settle(const PassageInHand& passage, smtp::Delivery delivery);
    // For Upkeep::by_calls.
    void try_again() { unsettled_.try_again(); }

private:
    using Allow = std::function<void(smtp::Leave)>;
    bool mean(const PassageInHand& passage, const std::vector<std::size_t>& places, Allow& answer);
    void note(Passage& passage, const std::vector<std::size_t>& places,
              const std::vector<Slate::Slot>& slots) const;
    void mark(const PassageInHand& passage, const std::vector<std::size_t>& places, Allow answer);
    bool leave(Passage& passage, std::size_t place);
    void settle_later(const Answer& answer, const Error& why);
    void settle_too_late(const Answer& answer);
    Result<> write(const Answer& answer);
    Result<> write_too_late(const Answer& answer);
    // What became of it is durable, or somebody else's.
    void settled(Passage& passage);

    Ledger& ledger_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    const SenderOptions& options_;
    const Settlement settlement_;
    SettlingOrder order_;
    mutable std::mutex noted_mutex_;  // Of all passages: each adds a few.
    Unsettled unsettled_;             // Last: its thread uses the others.
};

}  // namespace mailroom::outbox
