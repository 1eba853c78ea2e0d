// Every route of the native API, so that the server, its description (docs/openapi.yaml) and the
// test that compares them speak of the same ones.
#pragma once

#include "api/access_keys.h"
#include "api/authenticator.h"
#include "api/backup_routes.h"
#include "api/idempotency.h"
#include "api/outbox_watch.h"
#include "api/reminder_services.h"
#include "api/router.h"
#include "base/clock.h"
#include "outbox/captured.h"
#include "outbox/outbox.h"
#include "outbox/pauses.h"
#include "outbox/suppressions.h"
#include "schedule/schedule.h"

#include <string>

namespace mailroom::api {

struct NativeServices {
    Keys& keys;
    AccessKeys& access_keys;
    Authenticator& authenticator;
    Idempotency& idempotency;
    outbox::Outbox& outbox;
    outbox::Ledger& ledger;
    outbox::Pauses& pauses;
    outbox::Captured& captured;
    outbox::Suppressions& suppressions;
    schedule::Schedule& schedule;
    const OutboxWatch& watch;
    const Clock& clock;
    std::string callback_secret;  // "whsec_…", for people.
    BackUp back_up;
    ReminderServices reminders;
};

// All of `services` must outlive the router.
void add_native_routes(Router& router, const NativeServices& services);

}  // namespace mailroom::api
