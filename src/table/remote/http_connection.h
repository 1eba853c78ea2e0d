// One keep-alive HTTP/1.1 connection to one server, over TCP or TLS.
#pragma once

#include "base/result.h"
#include "table/remote/endpoint.h"
#include "table/remote/sigv4.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
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

struct HttpAnswer {
    int status = 0;
    std::string body;
    std::optional<std::uint32_t> crc32;  // X-Amz-Crc32: of the body as sent.
};

// Why there is no answer. The request may have been carried out all the same, unless it says so.
enum class NoAnswer {
    unreachable,  // No connection: it was not carried out.
    timed_out,
    lost,     // The connection ended early, or what came is not HTTP.
    refused,  // The answer is too large, or the server's certificate is not trusted.
};

struct TransportFailure {
    NoAnswer reason;
    std::string message;  // For people.
};

// Not thread-safe. The connection is made by the first request and made again when it was lost in
// between. Does not follow redirects, reads no proxy settings from the environment, and speaks TLS
// only to servers whose certificate is valid for their name. The process must ignore SIGPIPE.
class HttpConnection {
public:
    HttpConnection(const Endpoint& endpoint, const HttpOptions& options);
    ~HttpConnection();
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    // POST / with these headers. Any HTTP status is an answer.
    Result<HttpAnswer, TransportFailure> post(const Headers& headers, std::string_view body);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::table::remote
