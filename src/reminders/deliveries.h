// What becomes of approved drafts: the mail's fate comes back to the draft, the record of what was
// sent, the customer and the day's counters, each once.
//
// A job of the delivery queue is written with each approval. It looks at the mail until that is
// settled, and ends in the transaction that writes down what came of it. So nothing is lost or
// written twice when the server stops in between. Whoever settles the mail (a server's answer, a
// person who resolves a held one) need not know of reminders.
#pragma once

#include "outbox/outbox.h"
#include "reminders/accounts.h"
#include "reminders/drafts.h"
#include "reminders/sent.h"

#include <string>

namespace mailroom::reminders {

// Thread-safe.
class Deliveries {
public:
    // All must outlive this object.
    Deliveries(Accounts& accounts, Drafts& drafts, outbox::Outbox& outbox,
               outbox::Suppressions& suppressions)
        : books_(accounts.books()),
          accounts_(accounts),
          drafts_(drafts),
          outbox_(outbox),
          suppressions_(suppressions) {}

    // The handler of delivery_queue.
    void run(schedule::JobInHand job);

    // Of a draft, or of an approved one whose mail has not begun to leave: that one is cancelled
    // first. `conflict` if it is too late.
    Answer<Draft> cancel(const std::string& draft_id, const std::string& reason,
                         const Person& person);

    // Sends the mail of a failed draft again, or one of which nobody knows whether it arrived, if
    // balance and rules still allow it. Only if there is no other text than the one that was
    // approved. `conflict` with the reason otherwise, or if it needs no help.
    Answer<Draft> retry(const std::string& draft_id,
                        const std::optional<std::string>& override_reason, const Person& person);

    // What was heard later of a mail that was sent. A hard bounce puts the address on the list of
    // suppressed ones and does not count as a reminder; a complaint opts the customer out, too. The
    // same again changes nothing. `conflict` if the draft was not sent.
    Answer<SentRecord> report(const std::string& draft_id, DeliveryStatus status,
                              const Person& person);

private:
    // What a look at the mail says to do with the job.
    enum class Next { finish, look_again };
    struct Look;

    Answer<> settle(schedule::Job& job);
    Answer<> write(Look& look, schedule::Job& job);
    void end_job(schedule::Transaction& transaction, schedule::Job& job, Next next) const;
    Answer<> write_sent(schedule::Transaction& transaction, Look& look);
    Answer<> write_failed(schedule::Transaction& transaction, Look& look);
    Answer<> write_cancelled(schedule::Transaction& transaction, const Draft& before,
                             const std::string& reason, const Person& person);
    Answer<> forget(schedule::Transaction& transaction, const Draft& draft, Fate fate);
    Answer<Letter> letter_that_left(const Draft& draft, const outbox::Mail& mail);
    Answer<Draft> try_retry(const std::string& draft_id,
                            const std::optional<std::string>& override_reason,
                            const Person& person);
    Answer<> check_retry(const Draft& draft, const Customer& customer, const Person& person);
    Result<std::string> free_sent_key(const Draft& draft, Time sent);
    Answer<> apply(schedule::Transaction& transaction, const SentRecord& record,
                   DeliveryStatus status);

    Books& books_;
    Accounts& accounts_;
    Drafts& drafts_;
    outbox::Outbox& outbox_;
    outbox::Suppressions& suppressions_;
};

}  // namespace mailroom::reminders
