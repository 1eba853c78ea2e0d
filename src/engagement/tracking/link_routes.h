// GET /v1/engagement/links: how often each link was followed.
#pragma once

#include "engagement/tracking/link_counts.h"
#include "program/api.h"

namespace mailroom::engagement {

// `counts` must outlive the routes.
void add_link_routes(program::Api& api, const LinkCounts& counts);

}  // namespace mailroom::engagement
