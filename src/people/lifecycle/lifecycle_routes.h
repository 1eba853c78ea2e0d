// Other addresses, two that are one, and files of everybody or of everything about one.
#pragma once

#include "people/lifecycle/mover.h"
#include "people/lifecycle/personal_data.h"
#include "people/people.h"
#include "program/api.h"

namespace mailroom::people {

// All must outlive the routes.
void add_lifecycle_routes(program::Api& api, const People& people, const Mover& mover,
                          const PersonalParts& parts);

}  // namespace mailroom::people
