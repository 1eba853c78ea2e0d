// What becomes of approved drafts: the mail's fate comes back to the draft, the record of what was
// sent, the customer and the day's counters, each once.
//
// The mail is followed (outbox/mail/followers.h): with whatever settles it, a server's answer, a
// person or another program, comes a job of the delivery queue. That ends in the transaction that
// writes down what came of the draft, so nothing is lost or written twice when the server stops in
// between. Mails that an earlier version approved are not followed: their jobs look at them until
// they are settled.
#pragma once

#include "outbox/accept/outbox.h"
#include "reminders/accounts.h"
#include "reminders/drafts.h"
#include "reminders/sent.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::reminders {

// Thread-safe.
class Deliveries {
public:
    // All must outlive this object.
    Deliveries(Accounts& accounts, Drafts& drafts, outbox::Outbox& outbox,
               people::Suppressions& suppressions)
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
                         const program::Actor& person);

    // Sends the mail of a failed draft again, or one of which nobody knows whether it arrived, if
    // balance and rules still allow it. Only if there is no other text than the one that was
    // approved. `conflict` with the reason otherwise, or if it needs no help.
    Answer<Draft> retry(const std::string& draft_id,
                        const std::optional<std::string>& override_reason,
                        const program::Actor& person);

    // What was heard later of a mail that was sent. A hard bounce puts the address on the list of
    // suppressed ones and does not count as a reminder; a complaint opts the customer out, too. The
    // same again changes nothing. `conflict` if the draft was not sent.
    Answer<SentRecord> report(const std::string& draft_id, DeliveryStatus status,
                              const program::Actor& person);

private:
    struct News;

    Answer<> settle(schedule::Job& job);
    Answer<> look(schedule::Job& job);
    Result<std::optional<outbox::History>> history_of(const std::optional<Draft>& draft);
    Answer<std::optional<Draft>> draft_of(std::string_view id);
    Answer<> write(schedule::Transaction& transaction, const News& news);
    Answer<> write_sent(schedule::Transaction& transaction, const News& news);
    Answer<> write_failed(schedule::Transaction& transaction, const News& news);
    Answer<> write_cancelled(schedule::Transaction& transaction, const Draft& before,
                             const CodedReason& reason, const program::Actor& person);
    Answer<Draft> try_cancel(const std::string& draft_id, const std::string& reason,
                             const program::Actor& person);
    Answer<> forget(schedule::Transaction& transaction, const Draft& draft, Fate fate);
    Answer<Letter> letter_that_left(const News& news);
    Answer<Draft> try_retry(const std::string& draft_id,
                            const std::optional<std::string>& override_reason,
                            const program::Actor& person);
    Answer<> check_retry(const Draft& draft, const Customer& customer,
                         const program::Actor& person);
    Result<std::string> free_sent_key(const Draft& draft, Time sent);
    Answer<> apply(schedule::Transaction& transaction, const SentRecord& record,
                   DeliveryStatus status);

    Books& books_;
    Accounts& accounts_;
    Drafts& drafts_;
    outbox::Outbox& outbox_;
    people::Suppressions& suppressions_;
};

}  // namespace mailroom::reminders
