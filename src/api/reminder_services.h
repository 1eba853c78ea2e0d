// What the routes of reminders need.
#pragma once

#include "api/idempotency.h"
#include "reminders/accounts.h"
#include "reminders/assessment.h"
#include "reminders/author.h"
#include "reminders/deliveries.h"
#include "reminders/drafts.h"
#include "reminders/privacy.h"
#include "reminders/templates.h"

namespace mailroom::api {

// All must outlive the routes.
struct ReminderServices {
    reminders::Accounts& accounts;
    reminders::Templates& templates;
    reminders::Author& author;
    reminders::Drafts& drafts;
    reminders::Deliveries& deliveries;
    reminders::Privacy& privacy;
    const reminders::Assessor& assessor;
    Idempotency& idempotency;

    reminders::Books& books() const { return accounts.books(); }
    Time now() const { return books().clock.now(); }
};

}  // namespace mailroom::api
