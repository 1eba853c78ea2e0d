#include "net/http_client.h"

#include "base/text.h"
#include "net/connection_pool.h"

#include <algorithm>
#include <cassert>
#include <span>

namespace mailroom::net {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// These frame the message or steer the connection; with them a request could smuggle another.
constexpr std::string_view framing_headers[] = {
    "connection",
    "content-length",
    "expect",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
    "transfer-encoding",
    "http2-settings",
};
// What belongs to the server that was asked, not to the one it points at.
constexpr std::string_view private_headers[] = {"authorization", "cookie", "host"};
// What describes a body that is no longer sent.
constexpr std::string_view body_headers[] = {"content-type", "content-encoding", "content-language",
                                             "content-location", "digest"};

bool is_among(std::string_view name, std::span<const std::string_view> names) {
    return std::ranges::any_of(names,
                               [&](auto one) { return ascii_equal_ignoring_case(name, one); });
}

void drop(Headers& headers, std::span<const std::string_view> names) {
    std::erase_if(headers, [&](const auto& header) { return is_among(header.first, names); });
}

std::optional<HttpFailure> refuse(const HttpRequest& request) {
    const auto bad = [](std::string message) {
        return HttpFailure{HttpProblem::bad_request, std::move(message)};
    };
    // CONNECT makes tunnels, TRACE shows what servers on the way add.
    if (!is_token(request.method) || request.method == "CONNECT" || request.method == "TRACE") {
        return bad("not a method that can be sent");
    }
    if (request.method == "HEAD" && !request.body.empty()) return bad("HEAD has no body");
    for (const auto& [name, value] : request.headers) {
        if (!is_token(name)) return bad("not a name of a header");
        if (!is_header_value(value)) return bad("control characters in the header " + name);
        const bool is_host = ascii_equal_ignoring_case(name, "host");
        if (is_among(name, framing_headers) || (is_host && request.reach == Reach::guarded)) {
            return bad("the header " + name + " is not the caller's to set");
        }
    }
    return std::nullopt;
}

HttpFailure refusal_of(const GuardRefusal& refusal) {
    const bool forbidden = refusal.reason == GuardRefusal::Reason::forbidden;
    return {forbidden ? HttpProblem::refused_by_guard : HttpProblem::unresolved, refusal.message};
}

bool is_redirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

}  // namespace

HttpFailure::operator Error() const {
    switch (problem) {
        case HttpProblem::bad_request:
        case HttpProblem::refused_by_guard:
            return {Errc::invalid, message};
        default:
            return {Errc::unavailable, message};
    }
}

class HttpClient::Impl {
public:
    Impl(HttpClientOptions options, const Guard* guard)
        : guard_(guard), pool_(std::move(options)) {}

    Result<HttpAnswer, HttpFailure> send(const HttpRequest& request) {
        if (auto refused = refuse(request)) return *std::move(refused);
        const auto deadline = steady_clock::now() + request.limits.total_timeout;
        auto answer = send_once(request, deadline);
        if (request.limits.redirects_max == 0) return answer;
        return follow(request, std::move(answer), deadline);
    }

private:
    Result<HttpAnswer, HttpFailure> follow(HttpRequest request,
                                           Result<HttpAnswer, HttpFailure> answer,
                                           steady_clock::time_point deadline) {
        for (int redirects = 0;; ++redirects) {
            if (!answer) break;
            const auto location = find_header(answer->headers, "Location");
            if (!is_redirect(answer->status) || !location) return answer;
            if (redirects == request.limits.redirects_max) {
                return HttpFailure{HttpProblem::too_many_redirects, "too many redirects", true};
            }
            if (auto failure = redirect(request, answer->status, *location)) {
                return *std::move(failure);
            }
            answer = send_once(request, deadline);
            // The server that redirected has seen the request, whatever happened to this one.
            if (!answer) answer.error().may_have_arrived = true;
        }
        return answer;
    }

    // Makes `request` the next one to send (RFC 9110, 15.4).
    static std::optional<HttpFailure> redirect(HttpRequest& request, int status,
                                               std::string_view location) {
        auto next = request.url.resolve(location);
        if (!next) {
            return HttpFailure{HttpProblem::refused_by_guard,
                               "redirected to a bad URL: " + next.error().message, true};
        }
        if (request.url.scheme() == Scheme::https && next->scheme() == Scheme::http) {
            return HttpFailure{HttpProblem::too_many_redirects, "redirected from https to http",
                               true};
        }
        const bool to_get = status == 303 || (status < 303 && request.method == "POST");
        if (to_get && request.method != "HEAD") {
            request.method = "GET";
            request.body = {};
            drop(request.headers, body_headers);
        }
        if (next->origin() != request.url.origin()) drop(request.headers, private_headers);
        request.url = *std::move(next);
        return std::nullopt;
    }

    Result<HttpAnswer, HttpFailure> send_once(const HttpRequest& request,
                                              steady_clock::time_point deadline) {
        std::vector<IpAddress> addresses;
        if (request.reach == Reach::guarded) {
            if (!guard_) return HttpFailure{HttpProblem::refused_by_guard, "there is no guard"};
            auto checked = guard_->check(request.url);
            if (!checked) return refusal_of(checked.error());
            addresses = *std::move(checked);
        }
        auto connection =
            pool_.take({request.reach, std::string(request.url.origin())}, left(deadline));
        if (!connection) return HttpFailure{HttpProblem::busy, "all connections are in use"};
        const auto rest = left(deadline);
        if (rest <= milliseconds(0)) return HttpFailure{HttpProblem::timed_out, "out of time"};
        return (*connection)
            ->run({request.method, request.url, request.headers, request.body,
                   request.reach == Reach::guarded ? &addresses : nullptr, request.limits, rest});
    }

    static milliseconds left(steady_clock::time_point deadline) {
        return std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    }

    const Guard* guard_;
    ConnectionPool pool_;
};

HttpClient::HttpClient(HttpClientOptions options)
    : impl_(std::make_unique<Impl>(std::move(options), nullptr)) {}
HttpClient::HttpClient(HttpClientOptions options, const Guard& guard)
    : impl_(std::make_unique<Impl>(std::move(options), &guard)) {}
HttpClient::~HttpClient() = default;

Result<HttpAnswer, HttpFailure> HttpClient::send(const HttpRequest& request) {
    return impl_->send(request);
}

}  // namespace mailroom::net
