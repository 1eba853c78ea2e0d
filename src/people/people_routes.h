// /v1/people/{email}: one person, their tags, and whether they want mail.
#pragma once

#include "people/people.h"
#include "program/api.h"

#include <string_view>

namespace mailroom::people {

namespace scope {
constexpr std::string_view read = "people:read";    // See people.
constexpr std::string_view write = "people:write";  // Change them, and what they want.
}  // namespace scope

// `people` must outlive the routes.
void add_people_routes(program::Api& api, People& people);

}  // namespace mailroom::people
