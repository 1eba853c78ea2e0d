// /v1/templates: texts, kept in versions, looked at before they are sent.
#pragma once

#include "campaigns/templates/proofs.h"
#include "campaigns/templates/templates.h"
#include "program/api.h"

namespace mailroom::campaigns {

// Both must outlive the routes.
void add_template_routes(program::Api& api, const Templates& templates, const Proofs& proofs);

}  // namespace mailroom::campaigns
