// Who calls, and whether they may.
//
//   Authorization: Bearer mr_…
#pragma once

#include "api/http.h"
#include "api/keys.h"

#include <string_view>

namespace mailroom::api {

// Thread-safe.
class Authenticator {
public:
    // `keys` must outlive this object.
    explicit Authenticator(Keys& keys) : keys_(keys) {}

    // The caller's key, or the answer to send: 401 without a key or with an unknown one, 403 if it
    // does not have the scope, 503 when keys cannot be looked up.
    Result<ApiKey, Response> allow(const Request& request, std::string_view wanted_scope);

private:
    Keys& keys_;
};

}  // namespace mailroom::api
