// Times as text, and back. Everything is UTC.
//
// Formatting covers the years 0000 to 9999, which is all these forms can hold; a time outside them
// is written as the nearest one inside. Parsing refuses, with `invalid`, everything not listed.
#pragma once

#include "base/clock.h"
#include "base/result.h"

#include <string>
#include <string_view>

namespace mailroom {

// RFC 3339 with milliseconds: 2026-11-15T05:51:24.123Z
std::string format_rfc3339(Time time);
// The same without a fraction: 2026-11-15T05:51:24Z
std::string format_rfc3339_seconds(Time time);
// Either form above, with one to nine digits of fraction (those past the third are dropped), and
// with an offset of up to 23:59 in place of Z: 2026-11-15T06:51:24+01:00. Leap seconds are refused:
// a Time cannot hold one.
Result<Time> parse_rfc3339(std::string_view text);

// RFC 9110, section 5.6.7: Sun, 15 Nov 2026 05:51:24 GMT
std::string format_http_date(Time time);

// The form of AWS signatures: 20261115T055124Z
std::string format_aws_time(Time time);
Result<Time> parse_aws_time(std::string_view text);

}  // namespace mailroom
