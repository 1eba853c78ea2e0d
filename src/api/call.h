// A request of somebody who may make it, and its answer as HTTP has it.
#pragma once

#include "http/http.h"
#include "http/keys.h"
#include "http/router.h"
#include "program/route.h"

#include <string_view>

namespace mailroom::api {

using namespace http;

struct Call {
    const RoutedRequest& routed;
    const ApiKey& key;
    std::string_view route;  // "POST /v1/emails"

    const Request& request() const { return routed.request; }
};

Response response_of(program::Rendered rendered);

}  // namespace mailroom::api
