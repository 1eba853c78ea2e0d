// /v1/outbox: how it is doing, what was given up, pauses, and the secret of callbacks.
#pragma once

#include "api/outbox_watch.h"
#include "api/routes.h"
#include "outbox/outbox.h"
#include "outbox/pauses.h"
#include "schedule/schedule.h"

#include <string>

namespace mailroom::api {

// All must outlive the routes.
struct OutboxServices {
    outbox::Outbox& outbox;
    outbox::Pauses& pauses;
    schedule::Schedule& schedule;
    const OutboxWatch& watch;
    const Clock& clock;
    std::string callback_secret;  // "whsec_…", for people.
};
void add_outbox_routes(Routes& routes, const OutboxServices& services);

}  // namespace mailroom::api
