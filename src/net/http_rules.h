// What may be sent, and where redirects lead. Only for the files of HttpClient.
#pragma once

#include "net/guard.h"
#include "net/http_client.h"

#include <optional>
#include <string_view>

namespace mailroom::net {

// Why the request cannot be sent as it is; none if it can.
std::optional<HttpFailure> refuse(const HttpRequest& request);

HttpFailure refusal_of(const GuardRefusal& refusal);

bool is_redirect(int status);

// Makes `request` the next one to send (RFC 9110, 15.4), or says why that may not be.
std::optional<HttpFailure> redirect(HttpRequest& request, int status, std::string_view location);

}  // namespace mailroom::net
