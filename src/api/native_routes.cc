#include "api/native_routes.h"

#include "api/access_key_routes.h"
#include "api/backup_routes.h"
#include "api/captured_routes.h"
#include "api/email_routes.h"
#include "api/key_routes.h"
#include "api/outbox_routes.h"
#include "api/reminder_routes.h"
#include "api/suppression_routes.h"

namespace mailroom::api {

void add_native_routes(Router& router, const NativeServices& with) {
    Routes routes(router, with.authenticator);
    add_email_routes(routes, {with.outbox, with.ledger, with.idempotency, with.clock});
    add_outbox_routes(routes, {with.outbox, with.pauses, with.schedule, with.watch, with.clock,
                               with.callback_secret});
    add_captured_routes(routes, with.captured, with.outbox);
    add_suppression_routes(routes, with.suppressions);
    add_key_routes(routes, with.keys);
    add_access_key_routes(routes, with.access_keys);
    add_backup_routes(routes, with.back_up);
    add_reminder_routes(routes, with.reminders);
    add_captured_page(router);
}

}  // namespace mailroom::api
