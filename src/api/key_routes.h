// /v1/keys: API keys, while serving.
#pragma once

#include "api/routes.h"

namespace mailroom::api {

// `keys` must outlive the routes. A new key is shown in the answer to its POST only, and so that
// answer is not kept for an Idempotency-Key.
void add_key_routes(Routes& routes, Keys& keys);

}  // namespace mailroom::api
