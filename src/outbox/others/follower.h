// Follows what other programs write into EmailOutbox.
//
// A program of the seed accepts a mail by writing its rows, and another one moves it on; neither
// knows of our additions. So whatever they wrote is looked at again: a mail that waits gets a job,
// which takes it in or sends it, and every mail is found by lists and counted as what it is now.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "outbox/blobs/blobs.h"
#include "outbox/mail/followers.h"
#include "outbox/mail/ledger.h"
#include "schedule/schedule.h"

#include <chrono>
#include <functional>
#include <string>

namespace mailroom::outbox {

struct FollowerOptions {
    // Whether mails that other programs accepted are sent; else they are only listed and counted.
    bool sends = true;
    bool calls_back = false;    // There is a URL for mails that name none.
    bool reads_shared = false;  // There is a directory for files of other programs.
    std::chrono::seconds keep_for = std::chrono::hours(24 * 30);
    // A working state that another program left a mail in for so long was abandoned.
    std::chrono::seconds abandoned_after = std::chrono::minutes(30);
    // What was settled longer ago is not told any more.
    std::chrono::seconds told_within = std::chrono::hours(24);
};

// Thread-safe; several nodes may follow the same row, and one of them does.
class Follower {
public:
    // All must outlive this object.
    Follower(Ledger& ledger, Blobs& blobs, schedule::Schedule& schedule, const Clock& clock,
             Random& random, FollowerOptions options);

    // What another program may have done with this mail. Every write has the condition that the row
    // is as it was read; if it is not, somebody else moved the mail on and nothing is done. False
    // if
    // there was nothing to do.
    Result<bool> follow(const std::string& id);
    // The same for all mails, as an index tells; how many there was something to do about. Ends
    // early when `stopping` says so.
    Result<std::size_t> look(const std::function<bool()>& stopping);

private:
    bool is_behind(const Mail& mail) const;
    Result<bool> catch_up(Mail mail);
    // Why nothing can be done about a mail that waits; empty: nothing stands in the way.
    std::string obstacle_for(const Mail& mail) const;
    // What makes it ours to bring forward.
    Result<> take_up(schedule::Transaction& together, Mail& mail, Change& change);
    // Not set if there is nothing to do about the mail.
    std::optional<schedule::NewJob> job_for(const Mail& mail) const;

    Ledger& ledger_;
    Blobs& blobs_;
    schedule::Schedule& schedule_;
    const Clock& clock_;
    Random& random_;
    const Followers followers_;
    const FollowerOptions options_;
};

}  // namespace mailroom::outbox
