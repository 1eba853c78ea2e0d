// Whether a request to the tables is signed by somebody we know (AWS Signature Version 4).
//
// The whole request counts: method, path, query, the headers that matter and the body. Signatures
// in the query (presigned requests) are refused.
#pragma once

#include "base/clock.h"
#include "dynamodb/access_keys.h"
#include "http/http.h"
#include "http/login_watch.h"
#include "net/sigv4.h"
#include "table/failure.h"

#include <map>
#include <mutex>
#include <string>

namespace mailroom::dynamodb {

// Thread-safe.
class RequestSignatures {
public:
    // All must outlive this object. `watch`, if any, is told of keys that are not known and
    // signatures that are wrong.
    RequestSignatures(AccessKeys& keys, const Clock& clock, http::LoginWatch* watch = nullptr)
        : keys_(keys), clock_(clock), watch_(watch) {}

    // The key that signed the request. Otherwise DynamoDB's refusals: `missing_authentication`,
    // `incomplete_signature`, `unrecognized_client`, `invalid_signature`.
    table::Outcome<AccessKey> verify(const http::Request& request);

private:
    // `key_id` is set as soon as it is known.
    table::Outcome<AccessKey> check(const http::Request& request, std::string& key_id);
    std::string signing_key(const AccessKey& key, const net::SigningScope& scope);

    AccessKeys& keys_;
    const Clock& clock_;
    http::LoginWatch* const watch_;
    // Deriving a key takes four HMACs, and it changes once a day.
    std::mutex mutex_;
    std::map<std::string, std::string> derived_;
};

}  // namespace mailroom::dynamodb
