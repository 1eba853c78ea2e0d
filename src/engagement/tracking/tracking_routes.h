// GET /t/o/{token} is the picture in a mail, GET /t/c/{token} a link in it. For anybody.
#pragma once

#include "engagement/tracking/hit_journal.h"
#include "engagement/tracking/tokens.h"
#include "engagement/tracking/tracking_settings.h"
#include "program/api.h"

#include <functional>

namespace mailroom::engagement {

// What the routes need; all must outlive them.
struct TrackingDesk {
    const Tokens& tokens;
    const TrackingSettings& settings;
    HitJournal& journal;
    const Clock& clock;
    // What whoever follows a link sees that is none of ours, in words for them.
    std::function<program::Rendered(const program::Asked&)> bad_link;
};

// A hit is durable before it is answered. If it cannot be, it is answered all the same: whoever
// follows a link is to get there.
void add_tracking_routes(program::Api& api, const TrackingDesk& desk);

}  // namespace mailroom::engagement
