// The trace field that a server puts before a message (RFC 5321, 4.4).
#pragma once

#include "base/clock.h"
#include "smtp/server_receiver.h"

#include <string>
#include <string_view>

namespace mailroom::smtp {

//   Received: from client.example ([192.0.2.1])
//           by mx.example with ESMTPS (TLSv1.3 …) id 01J…
//           for <ann@example.com>; Sun, 15 Nov 2026 05:51:24 +0000
//
// The recipient is named only if there is one: the others are nobody's business.
std::string received_field(const Peer& peer, const Envelope& envelope, std::string_view host_name,
                           std::string_view id, Time now);

// "ESMTPSA" and the like (RFC 3848, RFC 6531).
std::string protocol_name(const Peer& peer, const Envelope& envelope);

}  // namespace mailroom::smtp
