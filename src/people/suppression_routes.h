// /v1/suppressions: addresses that must not be written to.
#pragma once

#include "people/suppressions.h"
#include "program/api.h"

namespace mailroom::people {

// `suppressions` must outlive the routes.
void add_suppression_routes(program::Api& api, Suppressions& suppressions);

}  // namespace mailroom::people
