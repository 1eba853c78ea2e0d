// Makes events of the hits that the journal wrote down.
#pragma once

#include "base/clock.h"
#include "engagement/events/account.h"
#include "engagement/tracking/hit.h"
#include "engagement/tracking/mail_tailor.h"
#include "engagement/tracking/recent_hits.h"
#include "schedule/job.h"
#include "schedule/schedule.h"
#include "table/store.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::engagement {

// What is known of a mail may come a little later than its first hit. Those of a mail that is not
// known after this time are forgotten: it is older than what is kept of mails.
inline constexpr auto unknown_mail_patience = std::chrono::minutes(10);

// Thread-safe.
class HitDigest {
public:
    // `table` is that of the journal; `may_track` is asked once for each mail of a row. All must
    // outlive this object.
    HitDigest(table::Store& store, schedule::Schedule& schedule, const Clock& clock,
              Account& account, RecentHits& recent, std::string table, MayTrack may_track);

    // A job of hits_queue. What cannot be done now is done later; told twice it is one event.
    void run(schedule::JobInHand job);

    struct Counts {
        std::uint64_t noted = 0, of_unknown_mails = 0, unwanted = 0;
        std::uint64_t ended = 0;  // Whatever became of them.
    };
    Counts counts() const { return {noted_, unknown_, unwanted_, ended_}; }
    // How old the hits were that were digested last.
    std::chrono::milliseconds delay() const { return std::chrono::milliseconds(delay_ms_); }

private:
    using Mails = std::map<std::string, std::optional<FollowedMail>>;
    struct Digested {
        std::vector<Happening> happenings;
        bool is_whole = true;  // False: some are of mails that may be known later.
    };

    Result<> digest(schedule::Job& job);
    Result<> show_to_neighbours(schedule::Job& job, const std::vector<Hit>& hits);
    Result<Digested> happenings_of(std::string_view name, const std::vector<Hit>& hits);
    Result<const std::optional<FollowedMail>*> mail_of(Mails& mails, const std::string& id);
    Result<> note(const std::vector<Happening>& happenings);
    Result<> end(schedule::Job& job, const std::vector<Hit>& hits, bool is_whole);

    table::Store& store_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    Account& account_;
    RecentHits& recent_;
    const std::string table_;
    const MayTrack may_track_;
    std::atomic<std::uint64_t> noted_{0}, unknown_{0}, unwanted_{0}, ended_{0};
    std::atomic<std::int64_t> delay_ms_{0};
};

}  // namespace mailroom::engagement
