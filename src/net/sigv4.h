// AWS Signature Version 4: who sends a request, and that nobody changed it on the way.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
//
// The steps are separate functions, so that a server can repeat them over what it received and
// compare.
#pragma once

#include "base/clock.h"
#include "net/headers.h"

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::net {

struct Credentials {
    std::string access_key_id;
    std::string secret_key;
    std::optional<std::string> session_token;  // With temporary credentials.
};

// Where and when a signature holds.
struct SigningScope {
    std::string date;  // 20261115
    std::string region;
    std::string service;

    std::string text() const;  // 20261115/eu-central-1/dynamodb/aws4_request
};

struct CanonicalParts {
    std::string_view method;
    std::string_view path;            // From canonical_path().
    std::string_view query;           // From canonical_query().
    const Headers& headers;           // The signed ones, in any order and case.
    std::string_view payload_sha256;  // Of the body, in hexadecimal.
};

// The path as in the request line, with its percent-encoding. All services but S3 want it encoded
// once more.
std::string canonical_path(std::string_view path, std::string_view service);
// The query as in the request line, percent-encoded: the same parameters in the order of their
// names, then of their values, each with a "=".
std::string canonical_query(std::string_view query);
// Percent-encodes all but letters, digits and "-._~", as AWS wants the values of parameters.
std::string uri_encode(std::string_view text);
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

// What is signed of a request. `headers` must have the Host.
struct UnsignedRequest {
    std::string_view method;
    std::string_view path;   // As in the request line, percent-encoded: begins with "/".
    std::string_view query;  // As in the request line, percent-encoded, without "?"; may be empty.
    Headers headers;
    std::string_view body;
};

// Signs the requests of one client to one service in one region. Thread-safe.
class Signer {
public:
    Signer(Credentials credentials, std::string region, std::string service);

    // The headers of the request, all signed, and those added that carry the signature.
    Headers sign(UnsignedRequest request, Time now);

private:
    // Deriving a key takes four HMACs, and it changes once a day.
    std::string key_for(const SigningScope& scope);

    const Credentials credentials_;
    const std::string region_;
    const std::string service_;
    std::mutex mutex_;
    std::string key_date_, key_;
};

}  // namespace mailroom::net
