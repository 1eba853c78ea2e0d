// /v1/captured: mails that were kept instead of sent; and the page that shows them to people.
#pragma once

#include "api/routes.h"
#include "outbox/captured.h"
#include "outbox/outbox.h"

namespace mailroom::api {

// Both must outlive the routes.
void add_captured_routes(Routes& routes, outbox::Captured& captured, outbox::Outbox& outbox);

// GET /, /captured.js and /captured.css: no secret is in them, so they need no key. The page asks
// for one and keeps it for the tab.
void add_captured_page(Router& router);

}  // namespace mailroom::api
