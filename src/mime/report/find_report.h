// Finds the report in a mail, if it is one.
#pragma once

#include "mime/read/part.h"
#include "mime/report/report.h"

#include <optional>
#include <string_view>

namespace mailroom::mime {

// Knows, in this order: complaint reports (RFC 5965, and Hotmail's JMRP form without it), delivery
// reports (RFC 3464), and the bounces in plain words of qmail and Yahoo, Exim, Postfix, Exchange,
// Gmail, GMX and 1&1, Amazon SES and their like. The last are believed only from a mailer daemon:
// a person may quote a bounce. `text` is the text body, UTF-8 with LF. Linear time.
std::optional<Report> find_report(const Part& root, std::string_view text,
                                  const ReadLimits& limits = {});

}  // namespace mailroom::mime
