// /v1/suppressions: addresses that must not be written to.
#pragma once

#include "api/routes.h"
#include "outbox/suppressions.h"

namespace mailroom::api {

// `suppressions` must outlive the routes.
void add_suppression_routes(Routes& routes, outbox::Suppressions& suppressions);

}  // namespace mailroom::api
