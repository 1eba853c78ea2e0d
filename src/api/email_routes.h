// /v1/emails: mails to send, and what became of them.
#pragma once

#include "api/idempotency.h"
#include "api/routes.h"
#include "outbox/ledger.h"
#include "outbox/outbox.h"

namespace mailroom::api {

// All must outlive the routes.
struct EmailServices {
    outbox::Outbox& outbox;
    outbox::Ledger& ledger;
    Idempotency& idempotency;
    const Clock& clock;
};
void add_email_routes(Routes& routes, EmailServices services);

}  // namespace mailroom::api
