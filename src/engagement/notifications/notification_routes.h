// Where providers tell what became of mails:
// POST /v1/notifications/{ses|mailgun|postmark|sendgrid}.
#pragma once

#include "engagement/notifications/notifications.h"
#include "program/api.h"

namespace mailroom::engagement::notifications {

// `notifications` must live as long as the routes are asked.
void add_notification_routes(program::Api& api, Notifications& notifications);

}  // namespace mailroom::engagement::notifications
