// Status codes in reports: what they are and what they mean.
#pragma once

#include "mime/report/report.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::mime {

// The first enhanced status code (RFC 3463) in a text: `5.1.1` of `550 5.1.1 No such user`. Not a
// part of an IP address or a version.
std::optional<std::string> find_enhanced_status(std::string_view text);

// The first reply code of SMTP in a text: 550. Only 4xx and 5xx.
std::optional<int> find_reply_code(std::string_view text);

// Of a failure: what the status says, else what the diagnostic says, else permanent.
Outcome failure_outcome(const std::optional<std::string>& status, std::string_view diagnostic);

// On one line, single blanks, at most `diagnostic_bytes_max` bytes, UTF-8. None when empty.
std::optional<std::string> tidy_diagnostic(std::string_view text);

}  // namespace mailroom::mime
