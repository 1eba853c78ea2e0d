// Who hears of it when a mail is settled, that is SENT, FAILED, INVALID or CANCELLED.
//
//   outbox.add_to(together, request, key, {.queue = "campaigns.sent", .key = id, .data = …});
//   … and the handler of that queue, some time later:
//   if (const auto settled = read_settled(job)) … settled->state, settled->data …
//
// Whoever adds a mail may follow it; whoever named a URL is called back (callbacks.h). Both jobs
// are written in the transaction that settles the mail, whoever settles it: a server's answer, a
// person, or another program that moved its row. So each settlement is told once, and a crash
// leaves either both or neither. A mail that is sent again after it failed is settled again, and
// that is told, too, with the next number. Whoever keeps account (accounting.h) is told in the same
// way of the mails that it wants to hear of.
#pragma once

#include "base/clock.h"
#include "outbox/mail/accounting.h"
#include "outbox/mail/ledger.h"
#include "outbox/mail/mail.h"
#include "schedule/job.h"
#include "schedule/schedule.h"
#include "schedule/transaction.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

inline constexpr std::string_view callback_queue = "outbox.callback";

inline constexpr std::size_t follow_key_bytes_max = 400;    // A job's key, less what we add to it.
inline constexpr std::size_t follow_data_bytes_max = 2048;  // Half of what a job may hold.
// Whether a follower can be told: its queue is one, and not of the outbox's own.
bool may_be_followed(const Follow& follow);

// What the job of a follower says.
struct Settled {
    std::string key;        // As the follower named it.
    table::Item data = {};  // The follower's own.
    std::string mail_id;
    State state;              // SENT, FAILED, INVALID or CANCELLED.
    Time at;                  // When it came to that.
    std::string reason;       // Cut, if it is long.
    std::int64_t number = 1;  // How often the mail was settled by then.
};
// None if the job does not come from here.
std::optional<Settled> read_settled(const schedule::Job& job);

// Thread-safe.
class Followers {
public:
    // All must outlive this object.
    Followers(Ledger& ledger, schedule::Schedule& schedule, const Clock& clock)
        : ledger_(ledger), schedule_(schedule), clock_(clock) {}

    // The mail becomes `to`, one of the four; see Ledger::move(). `job` is the one that brought it
    // here, which ends; without one nobody has any.
    void settle(schedule::Transaction& transaction, Mail& mail, State to, Change change,
                schedule::Job* job) const;
    // Another program has moved the mail, which nobody was told yet: to be called before
    // Ledger::follow(), or whatever else counts the mail as what it is now.
    void catch_up(schedule::Transaction& transaction, const Mail& mail, Change& change) const;

private:
    bool is_accounted(const Mail& mail, const std::vector<Recipient>& recipients, State to) const;
    // `mail` as it is written.
    void tell(schedule::Transaction& transaction, const Mail& mail, bool is_accounted) const;
    void tell(schedule::Transaction& transaction, const Mail& mail, const Follow& follow) const;

    Ledger& ledger_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
};

}  // namespace mailroom::outbox
