// Turns the bytes of one request into a Request, and refuses what is malformed, ambiguous or too
// large. What two parsers could read in two ways is refused (RFC 9112, 6.3): that is how requests
// are smuggled past a proxy.
#pragma once

#include "http/http.h"
#include "http/limits.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom::http {

class RequestParser {
public:
    enum class Outcome { need_more, complete, refused };

    // Both must outlive the parser.
    RequestParser(const Limits& limits, const Handler& handler);
    ~RequestParser();
    RequestParser(RequestParser&&) noexcept;

    // Forgets the request and awaits the first byte of the next.
    void reset();

    // Reads `bytes`, sets `used` to how many were taken, and tells what came of it. After
    // need_more, the bytes not taken must be given again, with more behind them. After the other
    // two, the parser must be reset first.
    Outcome put(std::string_view bytes, std::size_t& used);

    bool started() const;            // Some byte of the request has been seen.
    bool header_done() const;        // The header is complete and accepted.
    std::size_t body_bytes() const;  // How much of the body has arrived.
    // The client waits for `100 Continue` before it sends the body.
    bool expects_continue() const;

    // After `complete`; as far as known before.
    bool keep_alive() const;
    bool is_http_1_0() const;
    bool is_head() const;
    Request take();  // After `complete`, once. Without `peer`.

    // After `refused`.
    int refused_status() const;
    const std::string& refused_why() const;
    // The handler's own answer, if it was the one who refused.
    std::optional<Response> take_refusal();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::http
