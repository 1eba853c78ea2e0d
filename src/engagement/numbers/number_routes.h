// /v1/engagement: how many of what.
#pragma once

#include "base/clock.h"
#include "engagement/events/facts.h"
#include "engagement/numbers/numbers.h"
#include "program/api.h"

namespace mailroom::engagement {

// All must outlive the routes.
void add_number_routes(program::Api& api, const Numbers& numbers, MailFacts& facts,
                       const Clock& clock);

}  // namespace mailroom::engagement
