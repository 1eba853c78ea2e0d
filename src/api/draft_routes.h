// /v1/reminders/drafts: reminders that wait for a person.
#pragma once

#include "api/reminder_services.h"
#include "api/routes.h"

namespace mailroom::api {

void add_draft_routes(Routes& routes, ReminderServices services);

}  // namespace mailroom::api
