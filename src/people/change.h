// What is to become of one person: of their profile, their tags and what they want to get, written
// to all places that know of it in one transaction.
//
//   profile          its columns (profile.h)
//   tag rows         one for each tag that comes or goes
//   SUPPRESSION      reason S, bounceType S, sesNotificationId S, recordedAt S; type S,
//                    suppressedAt S, as some readers call them
//   suppressions     the rows that sending asks (suppressions.h)
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
    std::optional<std::string> email;  // As given; must be the same in canonical form.
    std::optional<std::string> first_name;
    table::Item attributes;                                   // These are set; the others stay.
    std::vector<std::string> dropped_attributes;              // These go.
    std::optional<std::vector<std::string>> tags;             // All of them, from now on.
    std::map<std::string, std::optional<TopicState>> topics;  // None: as if nothing had been said.
    std::optional<bool> unsubscribed, suppressed;
    std::optional<bool> may_track;
    std::optional<std::string> zone, language;
    std::optional<std::string> source;  // Kept where there is none yet.

    // Why something is not wanted: "bounce", "complaint", "request": a word or a sentence.
    std::string reason = "request";
    std::string bounce_type;      // "Permanent", of a bounce.
    std::string notification_id;  // Of the provider's notification that told us.
    Evidence evidence;            // Of everything that is consent.

    bool empty() const;
    // Only says no to mail, which needs to know nothing of what was before.
    bool only_refuses() const;
};

}  // namespace mailroom::people
