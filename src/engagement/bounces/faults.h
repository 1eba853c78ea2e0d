// Mails that servers refused because of us: our contents, our reputation, or that they do not
// believe who we are. So many within an hour, and the stream waits until a person has looked.
//
//   MailroomEngagement   FAULTS#{stream}#{hour}   {what the mail is known by}
//                        At N (ms)   Why S   ttl N (Unix seconds)
#pragma once

#include "base/clock.h"
#include "base/result.h"
#include "engagement/events/happening.h"
#include "outbox/sending/pauses.h"
#include "schedule/job.h"
#include "schedule/schedule.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace mailroom::engagement::bounces {

inline constexpr std::string_view faults_queue = "engagement.faults";

// Thread-safe.
class Faults {
public:
    // All must outlive this object; `table` is MailroomEngagement. `mails_max` of 0: none is ever
    // too many.
    Faults(table::Store& store, schedule::Schedule& schedule, const Clock& clock,
           outbox::Pauses& pauses, std::string table, std::int64_t mails_max)
        : store_(store),
          schedule_(schedule),
          clock_(clock),
          pauses_(pauses),
          table_(std::move(table)),
          mails_max_(mails_max) {}

    // With a job that counts them, so that none is overlooked after a crash. Old ones are not news.
    void add_to(schedule::Transaction& transaction, outbox::Stream stream, std::string_view mail,
                const Happening& bounce) const;

    // The handler of faults_queue: pauses the stream if there are too many, unless that was done,
    // and undone by somebody, since they happened.
    void run(schedule::JobInHand job);

    std::uint64_t pauses_made() const { return pauses_made_; }

private:
    Result<> settle(schedule::Job& job);
    Result<> count(const schedule::Job& job);
    struct Found {
        std::int64_t mails = 0;
        std::string why;  // Of one of them.
    };
    Result<Found> find(outbox::Stream stream, Time after) const;
    Result<Time> resumed(const outbox::PauseScope& scope) const;

    table::Store& store_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    outbox::Pauses& pauses_;
    const std::string table_;
    const std::int64_t mails_max_;
    std::atomic<std::uint64_t> pauses_made_ = 0;
};

}  // namespace mailroom::engagement::bounces
