// What a server says it can do, in its answer to EHLO (RFC 5321, 4.1.1.1).
#pragma once

#include "smtp/reply.h"

#include <cstdint>
#include <optional>

namespace mailroom::smtp {

struct Capabilities {
    bool pipelining = false;
    bool eight_bit = false;
    bool utf8 = false;
    bool start_tls = false;
    bool auth_plain = false;
    bool auth_login = false;
    std::optional<std::uint64_t> size_bytes_max = std::nullopt;  // None: not said, or no limit.
};

// Unknown keywords and malformed values are passed over.
Capabilities parse_capabilities(const Reply& reply);

}  // namespace mailroom::smtp
