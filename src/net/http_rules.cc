#include "net/http_rules.h"

#include "base/text.h"

#include <algorithm>
#include <span>

namespace mailroom::net {

namespace {

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

}  // namespace

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

std::optional<HttpFailure> redirect(HttpRequest& request, int status, std::string_view location) {
    auto next = request.url.resolve(location);
    if (!next) {
        return HttpFailure{HttpProblem::refused_by_guard,
                           "redirected to a bad URL: " + next.error().message, true};
    }
    if (request.url.scheme() == Scheme::https && next->scheme() == Scheme::http) {
        return HttpFailure{HttpProblem::too_many_redirects, "redirected from https to http", true};
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

}  // namespace mailroom::net
