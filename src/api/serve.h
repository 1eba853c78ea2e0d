// Serves the routes that programs declared: who may call, what was asked before, answers.
#pragma once

#include "api/idempotency.h"
#include "http/authenticator.h"
#include "http/router.h"
#include "program/api.h"

namespace mailroom::api {

// All must outlive the router's use, and `api` must be complete.
void serve(Router& router, const program::Api& api, Authenticator& authenticator,
           Idempotency& idempotency);

}  // namespace mailroom::api
