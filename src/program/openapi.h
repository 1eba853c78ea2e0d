// The description of all routes, as OpenAPI 3.1 has it: for people, clients and tests.
#pragma once

#include "program/api.h"

#include <string>
#include <string_view>

namespace mailroom::program {

// `version` is the server's. The same routes give the same text.
std::string openapi_json(const Api& api, std::string_view version);

// The same document as YAML, in the style of a file that people read. `json` must be a document of
// JSON; anything else is a bug.
std::string yaml_of(std::string_view json);

}  // namespace mailroom::program
