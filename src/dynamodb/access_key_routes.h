// /v1/access-keys: making, listing and revoking the access keys of the tables.
#pragma once

#include "dynamodb/access_keys.h"
#include "program/api.h"

namespace mailroom::dynamodb {

// `keys` must outlive the routes. A secret is shown in the answer to its POST only.
void add_access_key_routes(program::Api& api, AccessKeys& keys);

}  // namespace mailroom::dynamodb
