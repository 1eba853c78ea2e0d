// What the server says of its routes: GET /v1/openapi.json for programs, /v1/docs for people.
//
// Neither wants a key: they hold what docs/openapi.yaml holds, which everybody has, and nothing of
// this server's data; and whoever is to make a first request has no key at hand that a browser
// could send.
#pragma once

#include "program/api.h"

#include <string_view>

namespace mailroom::program {

// Of the API as a whole: it grows with changes that clients would notice.
inline constexpr std::string_view api_version = "1";

// After all other routes: those that come later are not in it.
void add_docs(Api& api);

}  // namespace mailroom::program
