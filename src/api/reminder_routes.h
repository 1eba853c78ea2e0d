// /v1/reminders: who is due, what was sent, and how many.
#pragma once

#include "api/reminder_services.h"
#include "api/routes.h"

namespace mailroom::api {

// These and all other routes of reminders: customers, invoices, drafts, templates.
void add_reminder_routes(Routes& routes, ReminderServices services);

}  // namespace mailroom::api
