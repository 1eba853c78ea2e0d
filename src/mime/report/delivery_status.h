// Delivery reports for programs (RFC 3464).
#pragma once

#include "mime/read/part.h"
#include "mime/report/report.h"

#include <optional>

namespace mailroom::mime {

// From the part message/delivery-status, wherever it is. None when there is no such part or it
// names no recipient. The original Message-ID is left to the caller.
std::optional<Report> read_delivery_status(const Part& root, const ReadLimits& limits);

}  // namespace mailroom::mime
