// The address of a remote DynamoDB.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace mailroom::table::remote {

struct Endpoint {
    // Accepts `http://host[:port]` and `https://host[:port]`, with at most one `/` after it. The
    // host is a name, an IPv4 address or an IPv6 address in brackets. `invalid` for anything else:
    // user names, paths, queries, other schemes.
    static Result<Endpoint> parse(std::string_view url);

    std::string scheme;     // "http" or "https".
    std::string authority;  // The Host header: without the port when it is the scheme's own.

    std::string url() const { return scheme + "://" + authority + "/"; }
};

}  // namespace mailroom::table::remote
