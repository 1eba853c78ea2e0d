// Who calls, and whether they may.
//
//   Authorization: Bearer mr_…
#pragma once

#include "http/http.h"
#include "http/keys.h"
#include "http/login_watch.h"

#include <atomic>
#include <cstdint>
#include <string_view>

namespace mailroom::http {

// Thread-safe.
class Authenticator {
public:
    // Both must outlive this object. `watch`, if any, is told of keys that are not known.
    explicit Authenticator(Keys& keys, LoginWatch* watch = nullptr) : keys_(keys), watch_(watch) {}

    // The caller's key, or the answer to send: 401 without a key or with an unknown one, 403 if it
    // does not have the scope, 503 when keys cannot be looked up.
    Result<ApiKey, Response> allow(const Request& request, std::string_view wanted_scope);

    // How many named a key that is none, since the start.
    std::uint64_t failed_logins() const { return failed_logins_; }

private:
    Keys& keys_;
    LoginWatch* const watch_;
    std::atomic<std::uint64_t> failed_logins_ = 0;
};

}  // namespace mailroom::http
