// Dates of mail headers (RFC 5322, 3.3 and 4.3), as leniently as senders write them.
#pragma once

#include "base/clock.h"

#include <optional>
#include <string_view>

namespace mailroom::mime {

// Takes a missing weekday, seconds or zone (then UTC), two-digit years, zone names, comments, and
// RFC 3339. None for what names no day and time that exist.
std::optional<Time> parse_mail_date(std::string_view text);

}  // namespace mailroom::mime
