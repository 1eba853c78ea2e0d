// The address of a remote DynamoDB.
#pragma once

#include "base/result.h"
#include "net/url.h"

#include <string_view>

namespace mailroom::table::remote {

// Accepts `http://host[:port]` and `https://host[:port]`, with at most one `/` after it, as
// net::Url reads them. `invalid` for anything else: user names, paths, queries, fragments, other
// schemes.
Result<net::Url> parse_endpoint(std::string_view url);

}  // namespace mailroom::table::remote
