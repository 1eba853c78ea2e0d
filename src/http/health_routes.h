// What /healthz, /readyz and /metrics answer, for the description; health.h serves them.
#pragma once

#include "program/api.h"

namespace mailroom::http {

void describe_health_routes(program::Api& api);

}  // namespace mailroom::http
