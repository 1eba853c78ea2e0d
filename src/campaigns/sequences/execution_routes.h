// What is offered under /v1/sequences/{id}/people.
#pragma once

#include "campaigns/sequences/executions.h"
#include "program/api.h"

namespace mailroom::campaigns {

// Both must live as long as the routes are asked.
void add_execution_routes(program::Api& api, const Sequences& sequences,
                          const Executions& executions);

}  // namespace mailroom::campaigns
