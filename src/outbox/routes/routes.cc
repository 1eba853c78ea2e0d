#include "outbox/routes/routes.h"

namespace mailroom::outbox {

void add_routes(program::Api& api, const Desk& desk) {
    api.group("Mails", "Mails to send, and what became of them.");
    add_posting_routes(api, desk);
    add_mail_routes(api, desk);
    api.group("Outbox", "How the outbox is doing, and holding mails back.");
    add_state_routes(api, desk);
    add_pause_routes(api, desk);
    api.group("Captured mails", "Mails that were kept instead of sent.");
    add_captured_routes(api, desk);
    add_captured_page(api);
}

}  // namespace mailroom::outbox
