// What is offered under /v1/sequences.
#pragma once

#include "campaigns/sequences/sequences.h"
#include "campaigns/sequences/simulation.h"
#include "program/api.h"

namespace mailroom::campaigns {

// All must live as long as the routes are asked.
void add_sequence_routes(program::Api& api, const Sequences& sequences,
                         const Simulation& simulation);

}  // namespace mailroom::campaigns
