// Where the blobs of a mail are.
#pragma once

#include "base/clock.h"

#include <string>
#include <string_view>

namespace mailroom::outbox {

// "payload/2026/November/ID.json" and "eml/2026/November/ID.EML": by the time of acceptance, UTC.
std::string payload_path_of(std::string_view id, Time accepted);
std::string eml_path_of(std::string_view id, Time accepted);

}  // namespace mailroom::outbox
