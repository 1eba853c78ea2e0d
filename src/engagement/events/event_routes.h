// What became of mails, one by one: /v1/people/{email}/events and /timeline, /v1/engagement/events.
#pragma once

#include "engagement/events/timeline.h"
#include "program/api.h"
#include "table/store.h"

#include <string>

namespace mailroom::engagement {

// Both must outlive the routes; `events` is the table.
void add_event_routes(program::Api& api, table::Store& store, std::string events,
                      const Timeline& timeline);

}  // namespace mailroom::engagement
