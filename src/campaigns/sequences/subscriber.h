// Whom an event means, and what they come with.
#pragma once

#include "campaigns/sequences/definition.h"
#include "table/value.h"

#include <string>

namespace mailroom::campaigns {

struct Subscriber {
    std::string email, first_name;  // Empty: the event does not say.
    table::Item attributes;         // As they came, those with names of the system's included.
};

// `event` is all of it: {"source", "detail-type", "time", "detail"}.
Subscriber subscriber_in(const table::ValueView& event, const SubscriberMapping& mapping);

// What choices look at: {"subscriber": {"email", "firstName", "attributes"}}.
table::Value journey_data(const Subscriber& subscriber);

// Adds what came to a row of a profile; what the system keeps of people stays.
void add_attributes(table::Item& profile, const table::ItemView& attributes);

}  // namespace mailroom::campaigns
