// Making, listing and revoking the access keys of the tables.
#pragma once

#include "api/access_keys.h"
#include "api/routes.h"

namespace mailroom::api {

// `keys` must outlive the router's use.
void add_access_key_routes(Routes& routes, AccessKeys& keys);

}  // namespace mailroom::api
