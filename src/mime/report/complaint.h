// Complaint reports: somebody pressed "this is spam".
#pragma once

#include "mime/read/part.h"
#include "mime/report/report.h"

#include <optional>

namespace mailroom::mime {

// RFC 5965 (message/feedback-report), and the form of Hotmail's Junk Mail Reporting Program that
// has only the mail itself and headers of its own. The original Message-ID is left to the caller.
std::optional<Report> read_complaint(const Part& root, const ReadLimits& limits);

}  // namespace mailroom::mime
