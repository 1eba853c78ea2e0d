// Whether a mail may go to an address.
#pragma once

#include "base/result.h"
#include "outbox/mail.h"

#include <optional>
#include <string>
#include <string_view>

namespace mailroom::outbox {

// Asked for each recipient right before a mail is handed over. Thread-safe.
class Permission {
public:
    virtual ~Permission() = default;
    // Why this stream may not write to this address now ("suppressed: complaint"), or none if it
    // may.
    virtual Result<std::optional<std::string>> refusal(Stream stream, std::string_view address) = 0;
};

}  // namespace mailroom::outbox
