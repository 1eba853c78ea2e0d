// Requests to HTTP servers.
//
//   Guard guard(resolver, {});
//   HttpClient client({}, guard);
//   const auto url = TRY(Url::parse(text));
//   auto answer = client.send({.method = "POST", .url = url, .body = json});
//
// A request is guarded unless it says otherwise: it goes only where Guard permits. Only requests to
// addresses that the operator configured may be `trusted`.
#pragma once

#include "base/byte_budget.h"
#include "base/result.h"
#include "net/guard.h"
#include "net/headers.h"
#include "net/url.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::net {

enum class Reach {
    guarded,  // The URL is somebody else's.
    trusted,  // The URL is the operator's. Resolved by the system, local names included.
};

struct HttpLimits {
    // A server that does not answer at all is given up early; one that works is not.
    std::chrono::milliseconds connect_timeout = std::chrono::seconds(5);
    // From the call to the last byte received, redirects included; looking up the name may add what
    // the resolver takes.
    std::chrono::milliseconds total_timeout = std::chrono::seconds(30);
    std::size_t answer_bytes_max = 1024 * 1024;
    // Of all header lines. Servers commonly send less than a tenth of it.
    std::size_t header_bytes_max = 64 * 1024;
    // With none, an answer that redirects is an answer as any other.
    int redirects_max = 0;
    // What the bodies of answers may take together; must outlive them. None: no such limit.
    ByteBudget* budget = nullptr;
};

struct HttpRequest {
    std::string_view method = "GET";
    Url url;
    // Those that frame the message (Content-Length, Transfer-Encoding, Connection, …) are refused;
    // so is Host, unless the request is trusted. There is no Content-Type but the one given.
    Headers headers = {};
    // Must stay until send() returns; start() copies it. Sent as it is, with its length.
    std::string_view body = {};
    Reach reach = Reach::guarded;
    HttpLimits limits = {};
};

struct HttpAnswer {
    int status = 0;
    Headers headers;
    std::string body;  // As sent: nothing is decompressed.
    ByteShare room;    // Of the budget, for the body.
};

enum class HttpProblem {
    bad_request,       // The method or a header is not allowed.
    refused_by_guard,  // Also when a redirect leads there.
    unresolved,        // The host has no address, or it could not be found out.
    unreachable,       // No connection, or it ended before TLS was agreed on.
    untrusted,         // TLS: the certificate is not valid for the host, or not from an authority.
    busy,              // All connections stayed in use, or there is no room for the answer.
    stopped,           // stop() was called.
    timed_out,
    lost,                // The connection ended early, or what came is not HTTP.
    too_large,           // The answer's body or headers.
    too_many_redirects,  // More than allowed, or one from https to http.
};

struct HttpFailure {
    HttpProblem problem;
    std::string message;  // For people.
    // Whether the server may have carried out the request, or an earlier one that it redirected.
    bool may_have_arrived = false;

    // `invalid` for a request that no attempt can help, `unavailable` for the rest.
    operator Error() const;
};

// Who makes requests without waiting: HttpClient, or what stands for the world outside in tests.
// Thread-safe.
class Http {
public:
    virtual ~Http() = default;

    // `done` is called once, before this returns or later, on a thread that it must not block. It
    // may call start(). Any HTTP status is an answer. Nothing is retried.
    using Done = std::function<void(Result<HttpAnswer, HttpFailure>)>;
    virtual void start(HttpRequest request, Done done) = 0;
};

struct HttpClientOptions {
    // As many calls of send() run at once; more wait, for at most their total timeout. Kept
    // connections count too, and the oldest makes room. Those of start() are not counted: who
    // starts them knows how many there are.
    std::size_t connections_max = 64;
    // PEM file with the authorities to trust in place of the system's.
    std::optional<std::string> authorities_file = std::nullopt;
};

// Speaks HTTP/1.1 and keeps connections for the next request to the same origin. When a kept one
// turns out to be closed the request is sent again on a new one, so a server that fails at that
// moment may see it twice. Reads no proxy, cookie or password settings from its surroundings, and
// speaks TLS (1.2 or newer) only to servers whose certificate is valid for their name. Thread-safe.
// The process must ignore SIGPIPE.
class HttpClient final : public Http {
public:
    // Guarded requests are refused.
    explicit HttpClient(HttpClientOptions options);
    // `guard` must outlive the client.
    HttpClient(HttpClientOptions options, const Guard& guard);
    ~HttpClient() override;
    HttpClient(const HttpClient&) = delete;
    HttpClient& operator=(const HttpClient&) = delete;

    // Blocks until the answer is there. Any HTTP status is an answer. Nothing is retried.
    Result<HttpAnswer, HttpFailure> send(const HttpRequest& request);

    // For as many requests at once as there are files to open.
    void start(HttpRequest request, Done done) override;
    // All that was started ends now, as `stopped`; each `done` was called when this returns. What
    // is started later ends likewise. Not from `done`. The destructor does the same.
    void stop();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::net
