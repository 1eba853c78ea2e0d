// /v1/customers and /v1/invoices: who owes what.
#pragma once

#include "api/reminder_services.h"
#include "api/routes.h"

namespace mailroom::api {

void add_customer_routes(Routes& routes, ReminderServices services);
void add_invoice_routes(Routes& routes, ReminderServices services);

}  // namespace mailroom::api
