// AWS Signature Version 4: who sends a request, and that nobody changed it on the way.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
//
// The steps are separate functions, so that a server can repeat them over what it received and
// compare.
#pragma once

#include "base/clock.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::table::remote {

struct Credentials {
    std::string access_key_id;
    std::string secret_key;
    std::optional<std::string> session_token;  // With temporary credentials.
};

using Headers = std::vector<std::pair<std::string, std::string>>;

// Where and when a signature holds.
struct SigningScope {
    std::string date;  // 20261115
    std::string region;
    std::string service;

    std::string text() const;  // 20261115/eu-central-1/dynamodb/aws4_request
};

struct CanonicalParts {
    std::string_view method;
    std::string_view path;            // As in the request line, percent-encoded.
    std::string_view query;           // Parameters sorted by name, percent-encoded; may be empty.
    const Headers& headers;           // The signed ones, in any order and case.
    std::string_view payload_sha256;  // Of the body, in hexadecimal.
};

std::string sha256_hex(std::string_view bytes);
// "host;x-amz-date": lower case, sorted, each once.
std::string signed_header_names(const Headers& headers);
std::string canonical_request(const CanonicalParts& parts);
// `amz_time` is the value of X-Amz-Date.
std::string string_to_sign(std::string_view amz_time, const SigningScope& scope,
                           std::string_view canonical_request);
// 32 raw bytes; as secret as the secret key, for one day, region and service.
std::string signing_key(std::string_view secret_key, const SigningScope& scope);
// In hexadecimal.
std::string signature(std::string_view signing_key, std::string_view string_to_sign);

// Signs the requests of one client: POST / to one service in one region. Thread-safe.
class Signer {
public:
    Signer(Credentials credentials, std::string region, std::string service);

    // `headers` with those added that carry the signature. All of them are signed; Host must be
    // among them.
    Headers sign(Headers headers, std::string_view body, Time now);

private:
    // Deriving a key takes four HMACs, and it changes once a day.
    std::string key_for(const SigningScope& scope);

    const Credentials credentials_;
    const std::string region_;
    const std::string service_;
    std::mutex mutex_;
    std::string key_date_, key_;
};

}  // namespace mailroom::table::remote
