// What the outbox offers: /v1/emails, /v1/outbox, /v1/captured, and the page of captured mails.
#pragma once

#include "base/clock.h"
#include "outbox/accept/outbox.h"
#include "outbox/routes/watch.h"
#include "outbox/sending/pauses.h"
#include "outbox/transports/captured.h"
#include "program/api.h"
#include "schedule/schedule.h"

#include <cstddef>
#include <string>

namespace mailroom::outbox {

// A message of 25 MB with base64 around its attachments, and some room.
constexpr std::size_t mail_body_bytes_max = 40 * 1024 * 1024;

// All must outlive the routes.
struct Desk {
    Outbox& outbox;
    Ledger& ledger;
    Pauses& pauses;
    Captured& captured;
    schedule::Schedule& schedule;
    const OutboxWatch& watch;
    const Clock& clock;
    std::string callback_secret;  // "whsec_…", for people.
};

void add_routes(program::Api& api, const Desk& desk);

// The parts of it.
void add_posting_routes(program::Api& api, const Desk& desk);
void add_mail_routes(program::Api& api, const Desk& desk);
void add_state_routes(program::Api& api, const Desk& desk);
void add_pause_routes(program::Api& api, const Desk& desk);
void add_captured_routes(program::Api& api, const Desk& desk);
void add_captured_page(program::Api& api);

}  // namespace mailroom::outbox
