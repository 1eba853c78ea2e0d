// The request of a mail as programs of the seed write it into a file:
//
//   { "id", "from", "reply_to", "to", "subject", "body_html", "body_text",
//     "attachments": null | ["/a/b.pdf", "https://…", { "path", "name" }],
//     "custom_headers": null | {…} }
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "json/json.h"
#include "outbox/accept/request.h"

namespace mailroom::outbox {

// The request, in this form or in our own. Attachments by path are below the directory for
// attachments, as in requests. `now` is when it was made.
mailroom::Answer<Request> parse_payload(const json::View& object, Time now);

}  // namespace mailroom::outbox
