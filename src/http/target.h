// The request target taken apart: `/v1/emails/a%20b?limit=5` is the segments v1, emails, "a b" and
// one parameter.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::http {

struct Target {
    std::vector<std::string> segments;                            // Decoded; "/" has none.
    std::vector<std::pair<std::string, std::string>> parameters;  // Decoded, in their order.
};

// Takes the forms `/path?query` and `http://host/path?query`. `invalid` for anything else, for
// broken percent-escapes, and for parts that are not UTF-8 or hold a NUL once decoded. An escaped
// slash stays inside its segment; `.` and `..` are segments like any other.
Result<Target> parse_target(std::string_view text);

}  // namespace mailroom::http
