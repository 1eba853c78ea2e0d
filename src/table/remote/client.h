// One call to a remote DynamoDB: signed, sent, checked, and sent again where that may help.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/sleeper.h"
#include "net/http_client.h"
#include "net/sigv4.h"
#include "net/url.h"
#include "table/failure.h"
#include "table/remote/retry.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::table::remote {

struct HttpOptions {
    // A server that does not answer at all is given up early; one that works is not.
    std::chrono::milliseconds connect_timeout = std::chrono::seconds(5);
    // From the first byte sent to the last received.
    std::chrono::milliseconds total_timeout = std::chrono::seconds(30);
    // DynamoDB's largest answer is 16 MB of items; JSON escapes and type names come on top.
    std::size_t answer_bytes_max = 48 * 1024 * 1024;
    // PEM file with the authorities to trust in place of the system's.
    std::optional<std::string> authorities_file;
};

// Thread-safe.
class Client {
public:
    struct Options {
        net::Url endpoint;
        std::string region;
        net::Credentials credentials;
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
    net::Headers headers_for(std::string_view operation, std::string_view body);

    const Options options_;
    const Clock& clock_;
    Random& random_;
    Sleeper& sleeper_;
    net::Signer signer_;
    net::HttpClient http_;
    RetryBudget budget_;
};

}  // namespace mailroom::table::remote
