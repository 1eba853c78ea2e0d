// One call to a remote DynamoDB: signed, sent, checked, and sent again where that may help.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "table/failure.h"
#include "table/remote/connection_pool.h"
#include "table/remote/endpoint.h"
#include "table/remote/http_connection.h"
#include "table/remote/retry.h"
#include "table/remote/sigv4.h"
#include "table/remote/sleeper.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::table::remote {

// Thread-safe.
class Client {
public:
    struct Options {
        Endpoint endpoint;
        std::string region;
        Credentials credentials;
        HttpOptions http;
        RetryOptions retry;
        std::size_t connections_max;
    };

    // `clock`, `random` and `sleeper` must outlive the client.
    Client(Options options, const Clock& clock, Random& random, Sleeper& sleeper);

    // The body of the answer with status 200. Throttling, statuses 500 to 504, lost connections and
    // damaged answers are tried again, so a request may have been carried out more than once; what
    // is left is the failure of the last attempt. A server that cannot be reached is `internal`.
    Outcome<std::string> call(std::string_view operation, std::string_view body);

private:
    struct Attempt;
    Attempt attempt(std::string_view operation, std::string_view body);
    Headers headers_for(std::string_view operation, std::string_view body);

    const Options options_;
    const Clock& clock_;
    Random& random_;
    Sleeper& sleeper_;
    Signer signer_;
    ConnectionPool connections_;
    RetryBudget budget_;
};

}  // namespace mailroom::table::remote
