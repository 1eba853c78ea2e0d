// /v1/templates: the texts of reminders.
#pragma once

#include "api/reminder_services.h"
#include "api/routes.h"

namespace mailroom::api {

void add_template_routes(Routes& routes, ReminderServices services);

}  // namespace mailroom::api
