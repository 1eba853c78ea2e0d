// An HTTP request and its answer as plain values, so that handlers and their tests need no socket.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::http {

using Header = std::pair<std::string, std::string>;

struct Request {
    std::string method;
    std::string target;  // Path and query as sent.
    std::vector<Header> headers;
    std::string body;
    std::string peer;  // The client's address.

    // The first header of that name (any case), or none.
    const std::string* header(std::string_view name) const;
};

struct Streamed;  // stream.h
struct Upgrade;   // web_socket.h

struct Response {
    int status = 200;
    std::string content_type = "application/json";  // Empty for none.
    // Besides Content-Type, Content-Length, Date and Connection, which the server writes. One with
    // a control character turns the whole answer into a 500.
    std::vector<Header> headers;
    std::string body;
    // Instead of a body: it comes piece by piece, or the connection becomes a WebSocket.
    std::shared_ptr<const Streamed> streamed = nullptr;
    std::shared_ptr<const Upgrade> upgrade = nullptr;
};

// `{"error":{"code":"…","message":"…","details":…}}`, the native API's form of every failure.
// `details` is a JSON object, or empty for none.
Response error_response(int status, std::string_view code, std::string_view message,
                        std::string_view details = {});
// The `code` that goes with a status when nothing more exact is known: 404 is "not_found".
std::string_view error_code_for(int status);
// The phrase of the status line: 404 is "Not Found".
std::string_view reason_phrase(int status);
// Appends `text` as a JSON string with its quotes. In text that is not UTF-8, every byte above 0x7F
// becomes U+FFFD.
void append_json_string(std::string& json, std::string_view text);

// Called exactly once, from any thread, during handle() or later. A second call is ignored, and so
// is one that comes after the client left or the server stopped.
using Reply = std::function<void(Response)>;

// Answers requests, now or later. Thread-safe; runs on an I/O thread, so it must not block.
class Handler {
public:
    virtual ~Handler() = default;
    virtual void handle(Request request, Reply reply) = 0;

    // The answer to a request that the server turns down before handle() sees it: malformed,
    // too large, too slow, or while it is overloaded. `why` is a sentence for people.
    virtual Response refuse(int status, std::string_view why) const;

    // The largest body this handler takes for a request of which only the head has arrived. The
    // server's own limit holds as well.
    virtual std::size_t body_bytes_max(const Request& head) const;

    // Asked about a request with a large body when only its head has arrived: the answer if it will
    // be refused whatever the body is, so that strangers cannot make us hold it. Runs on an I/O
    // thread and must be quick.
    virtual std::optional<Response> refuse_head(const Request& head) const;
};

}  // namespace mailroom::http
