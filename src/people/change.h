// What is to become of one person: of their profile, their tags and what they want to get, written
// to all places that know of it in one transaction.
//
//   profile          its columns (profile.h)
//   tag rows         one for each tag that comes or goes
//   SUPPRESSION      reason S, bounceType S, sesNotificationId S, recordedAt S; type S,
//                    suppressedAt S, as some readers call them
//   suppressions     the rows that sending asks (suppression_rows.h)
//   consent          an entry for each thing that changes (consent/trail.h)
#pragma once

#include "people/consent/evidence.h"
#include "people/profile.h"
#include "table/value.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::people {

// What is not said stays as it is.
struct Change {
    std::string given = {};  // The address as it was given; of a new person it is kept.
    // How it is spelled from now on; the same in canonical form.
    std::optional<std::string> email = {};
    std::optional<std::string> first_name = {};
    table::Item attributes = {};                        // These are set; the others stay.
    std::vector<std::string> dropped_attributes = {};   // These go.
    std::optional<std::vector<std::string>> tags = {};  // All of them, from now on.
    // What they will be when more change than fit at once, and that they are: see People::change().
    std::optional<std::vector<std::string>> tags_to_come = {};
    bool tags_have_come = false;
    // The row of this tag becomes as `tags` says, whatever the profile said of it before.
    std::string sure_tag = {};
    // None: as if nothing had been said of it.
    std::map<std::string, std::optional<TopicState>> topics = {};
    std::optional<bool> unsubscribed = {}, suppressed = {};
    // Said on the list only: the profile knows no such thing.
    std::optional<bool> refuses_transactional = {};
    std::optional<bool> may_track = {};
    std::optional<std::string> zone = {}, language = {};
    std::string source = {};  // Kept where there is none yet.

    // Why something is not wanted: "bounce", "complaint", "request": a word or a sentence.
    std::string reason = "request";
    std::string bounce_type = {};      // "Permanent", of a bounce.
    std::string notification_id = {};  // Of the provider's notification that told us.
    bool has_suppression_row = false;  // Another program's, which stays as it is.
    std::string heard = {};     // What another program said under another spelling: see profile.h.
    bool makes_nobody = false;  // Who is not known stays so: the list and the trail have it alone.
    bool as_read = false;  // Only if the person is still as they were read, though it only refuses.
    Evidence evidence = {};  // Of everything that is consent.

    bool touches_profile() const;
    // Whether it only says no to mail, which needs to know nothing of what was before.
    bool only_refuses() const;
    // The same with topics, which stand in one column.
    bool only_says_no() const;
};

}  // namespace mailroom::people
