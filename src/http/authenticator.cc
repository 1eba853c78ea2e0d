#include "http/authenticator.h"

#include "base/log.h"
#include "base/text.h"

#include <optional>
#include <string>

namespace mailroom::http {

namespace {

constexpr std::string_view scheme = "Bearer";

// None if the request names no key in the form of RFC 6750, 2.1.
std::optional<std::string_view> bearer_key(const Request& request) {
    const auto* header = request.header("Authorization");
    if (!header) return std::nullopt;
    const std::string_view text = *header;
    const auto space = text.find(' ');
    const bool right_scheme =
        space != text.npos && ascii_equal_ignoring_case(text.substr(0, space), scheme);
    if (!right_scheme) return std::nullopt;
    const auto key = trim(text.substr(space));
    return key.empty() ? std::nullopt : std::optional(key);
}

// RFC 6750, 3.
Response unauthorized(std::string_view message, const char* challenge) {
    auto response = error_response(401, "unauthorized", message);
    response.headers.emplace_back("WWW-Authenticate", challenge);
    return response;
}

Response forbidden(std::string_view wanted_scope) {
    const std::string wanted(wanted_scope);
    std::string details = R"({"scope":)";
    append_json_string(details, wanted);
    details += '}';
    auto response =
        error_response(403, "forbidden", "this API key has no scope " + wanted, details);
    response.headers.emplace_back(
        "WWW-Authenticate",
        "Bearer realm=\"mailroom\", error=\"insufficient_scope\", scope=\"" + wanted + "\"");
    return response;
}

}  // namespace

Result<ApiKey, Response> Authenticator::allow(const Request& request,
                                              std::string_view wanted_scope) {
    const auto text = bearer_key(request);
    if (!text) {
        return unauthorized("send an API key: Authorization: Bearer KEY",
                            "Bearer realm=\"mailroom\"");
    }
    auto key = keys_.authenticate(*text);
    if (!key) {
        log::error("keys cannot be looked up", {{"reason", key.error().message}});
        return error_response(503, "unavailable", "keys cannot be looked up; try again");
    }
    if (!*key) {
        if (watch_ != nullptr) {
            watch_->failed(Door::http, request.peer, shown_key(*text), "not a known API key");
        }
        ++failed_logins_;
        return unauthorized("this API key is not known, or was revoked",
                            "Bearer realm=\"mailroom\", error=\"invalid_token\"");
    }
    if (!(*key)->allows(wanted_scope)) return forbidden(wanted_scope);
    return **std::move(key);
}

}  // namespace mailroom::http
