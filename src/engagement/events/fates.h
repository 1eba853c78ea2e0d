// What became of mails, as the outbox settles them: each fate comes as a job in the transaction
// that settles the mail, and becomes events of those to whom the mail went.
//
// Of a mail that says where its events belong (outbox::Engagement) everything is noted. Of another
// one only what matters for the person: that it did not arrive, or that it did though others
// before it had not.
#pragma once

#include "engagement/events/kept_account.h"
#include "engagement/events/streaks.h"
#include "outbox/mail/accounting.h"
#include "outbox/mail/followers.h"
#include "outbox/mail/ledger.h"
#include "schedule/job.h"
#include "schedule/schedule.h"

#include <string>
#include <vector>

namespace mailroom::engagement {

// Of a mail that was settled the number-th time.
std::vector<Happening> happenings_of(const outbox::Mail& mail, const outbox::Settled& settled);

// Thread-safe.
class Fates final : public outbox::Accounting {
public:
    // All must outlive this object.
    Fates(KeptAccount& account, const Streaks& streaks, outbox::Ledger& ledger,
          schedule::Schedule& schedule)
        : account_(account), streaks_(streaks), ledger_(ledger), schedule_(schedule) {}

    bool wants(const outbox::Mail& mail, const std::vector<outbox::Recipient>& recipients,
               outbox::State to) override;

    // The handler of outbox::fates_queue.
    void run(schedule::JobInHand job);

private:
    Answer<> settle(schedule::Job& job);
    Answer<> note(const outbox::Mail& mail, const outbox::Settled& settled);
    bool is_watched(const outbox::Recipient& recipient) const;

    KeptAccount& account_;
    const Streaks& streaks_;
    outbox::Ledger& ledger_;
    schedule::Schedule& schedule_;
};

}  // namespace mailroom::engagement
