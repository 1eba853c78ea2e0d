// One request and its answer on one of libcurl's handles. Only for the files of HttpClient.
#pragma once

#include "net/http_client.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace mailroom::net {

// What one request needs, after it was checked.
struct Transfer {
    std::string_view method;
    const Url& url;
    const Headers& headers;
    std::string_view body;
    // The only addresses that may be connected to. None: any that the system resolves.
    const std::vector<IpAddress>* addresses;
    const HttpLimits& limits;
    std::chrono::milliseconds total_timeout;  // What is left of the one in `limits`.
};

// A connection that is made by the first transfer, kept for the next, and made again when it was
// lost in between. Not thread-safe.
class HttpConnection {
public:
    explicit HttpConnection(const HttpClientOptions& options);
    ~HttpConnection();
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    Result<HttpAnswer, HttpFailure> run(const Transfer& transfer);

    // The same in steps, for who runs many at once. Between them the transfer must stay as it is.
    // The first gives libcurl's handle, to be run; `forget` names hosts whose addresses it shall
    // not remember any more ("example.com:443"). The second takes libcurl's code.
    void* begin(const Transfer& transfer, const std::vector<std::string>& forget);
    Result<HttpAnswer, HttpFailure> end(int code);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// How long an unused connection may wait. Servers commonly close one after 60 seconds; ours must be
// the first to do so, or requests would be sent into connections that are about to end.
inline constexpr std::chrono::seconds idle_max{50};

}  // namespace mailroom::net
