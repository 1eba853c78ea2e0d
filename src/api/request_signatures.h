// Whether a request to the tables is signed by somebody we know (AWS Signature Version 4).
//
// The whole request counts: method, path, query, the headers that matter and the body. Signatures
// in the query (presigned requests) are refused.
#pragma once

#include "api/access_keys.h"
#include "api/http.h"
#include "api/login_watch.h"
#include "base/clock.h"
#include "net/sigv4.h"
#include "table/failure.h"

#include <map>
#include <mutex>
#include <string>

namespace mailroom::api {

// Thread-safe.
class RequestSignatures {
public:
    // All must outlive this object. `watch`, if any, is told of keys that are not known and
    // signatures that are wrong.
    RequestSignatures(AccessKeys& keys, const Clock& clock, LoginWatch* watch = nullptr)
        : keys_(keys), clock_(clock), watch_(watch) {}

    // The key that signed the request. Otherwise DynamoDB's refusals: `missing_authentication`,
    // `incomplete_signature`, `unrecognized_client`, `invalid_signature`.
    table::Outcome<AccessKey> verify(const Request& request);

private:
    // `key_id` is set as soon as it is known.
    table::Outcome<AccessKey> check(const Request& request, std::string& key_id);
    std::string signing_key(const AccessKey& key, const net::SigningScope& scope);

    AccessKeys& keys_;
    const Clock& clock_;
    LoginWatch* const watch_;
    // Deriving a key takes four HMACs, and it changes once a day.
    std::mutex mutex_;
    std::map<std::string, std::string> derived_;
};

}  // namespace mailroom::api
