// States that a mail had entered before it was sent again, in its log.
#pragma once

#include <string_view>

namespace mailroom::outbox {

// LogEntry::what is this and the name of the state; `at`, `text` (the reason), `peer` and
// `transcript` are those of its row.
inline constexpr std::string_view kept_step = "state ";

}  // namespace mailroom::outbox
