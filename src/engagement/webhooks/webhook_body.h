// What a webhook is told of an event: its row, in JSON.
#pragma once

#include "engagement/webhooks/deliveries.h"
#include "table/value.h"

#include <string>

namespace mailroom::engagement::webhooks {

// { "type": "email.click", "timestamp", "data": { "id", "email", "mail_id", "template_key",
//   "sequence_id", "subject", "message_id", and what the event has of "link_url", "user_agent",
//   "machine", "machine_reason", "reason", "feedback_type", "body",
//   "bounce": { "severity", "type", "cause", "diagnostic", "provider", "notification_id" } } }
// Texts that are not known are left out.
std::string webhook_body(const Delivery& delivery, const table::Item& event);

}  // namespace mailroom::engagement::webhooks
