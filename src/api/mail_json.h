// Mails as the API shows them.
#pragma once

#include "json/writer.h"
#include "outbox/ledger.h"
#include "outbox/mail.h"

#include <string>
#include <string_view>

namespace mailroom::api {

// {"id","state","reason","stream","held","sender","recipients":[{"address","state","code","text"}],
//  "message_id","attempts","created_at","updated_at","due_at","expires_at"}
void write_mail(json::Writer& writer, const outbox::Mail& mail);

// The mail's members, and:
//   "request"    what was asked for, without texts and attachments
//   "timeline"   [{"at","state",…} | {"at","event",…}], oldest first, with "reason" or "text",
//                "code", "peer", "tls" and "transcript" where there are any
//   "callbacks"  the entries of the timeline that are attempts to call back
// `payload` is the request's JSON text, or empty if it is gone.
std::string history_json(const outbox::History& history, std::string_view payload);

}  // namespace mailroom::api
